// Writes @lothub/verify as npm publishes it: plain ES modules with their types, nothing to install.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import ts from 'typescript';

import { readModules, sourcePath, PACKAGES, type PlainModule } from './modules.ts';
import { verifierPage } from './verifier-page.ts';

const ROOT = new URL('../../../', import.meta.url);
const ENTRY = 'verify/index';
/** A specifier in JavaScript or in types, with the text around it. */
const SPECIFIER = /(\bfrom\s+['"]|\bimport\(['"])([^'"]+)(['"])/g;

/** Writes into a folder, which is made. What it holds besides is left alone. */
export function writePackage(folder: string): void {
  const modules = readModules(import.meta.resolve('@lothub/verify'));
  const types = buildTypes(modules);
  for (const module of modules) {
    write(folder, module.path, relativeImports(module, module.javascript));
    write(folder, module.path.replace(/\.js$/, '.d.ts'), typesFor(module, types));
  }
  write(folder, 'package.json', `${JSON.stringify(manifest(), null, 2)}\n`);
  write(folder, 'README.md', readFileSync(new URL('../README.md', import.meta.url), 'utf8'));
  copyFileSync(new URL('LICENSE', ROOT), join(folder, 'LICENSE'));
  write(folder, 'verifier.html', verifierPage().html);
}

function write(folder: string, path: string, text: string): void {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Paths from the package's root become paths from the module. */
function relativeImports({ path }: PlainModule, javascript: string): string {
  return javascript.replace(SPECIFIER, (_all, before: string, to: string, after: string) => {
    return `${before}${relativePath(path, to)}${after}`;
  });
}

/**
 * The types of all modules, by the path of their source.
 *
 * @throws Error when the sources do not compile
 */
function buildTypes(modules: readonly PlainModule[]): ReadonlyMap<string, string> {
  const program = ts.createProgram(modules.map(sourcePath), {
    strict: true,
    target: ts.ScriptTarget.ESNext,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    declaration: true,
    emitDeclarationOnly: true,
  });
  const faults = ts.getPreEmitDiagnostics(program);
  if (faults.length > 0) {
    const texts = faults.map(({ messageText }) =>
      ts.flattenDiagnosticMessageText(messageText, '\n'),
    );
    throw new Error(`the sources of the verifier do not compile: ${texts.join('; ')}`);
  }
  const types = new Map<string, string>();
  program.emit(undefined, (file, text) => {
    types.set(file.replace(/\.d\.ts$/, '.ts'), text);
  });
  return types;
}

/** @throws Error when a module has no types */
function typesFor(module: PlainModule, types: ReadonlyMap<string, string>): string {
  const text = types.get(sourcePath(module));
  if (text === undefined) throw new Error(`there are no types of ${module.path}`);
  return text.replace(SPECIFIER, (_all, before: string, to: string, after: string) => {
    const target = PACKAGE_PATHS[to];
    const path =
      target === undefined ? to.replace(/\.ts$/, '.js') : relativePath(module.path, target);
    return `${before}${path}${after}`;
  });
}

const PACKAGE_PATHS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(PACKAGES).map(([name, file]) => [name, readModules(file).at(-1)?.path ?? '']),
);

function relativePath(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return path.startsWith('.') ? path : `./${path}`;
}

function manifest(): object {
  const { version, license } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  ) as { version: string; license: string };
  return {
    name: '@lothub/verify',
    version,
    description: 'Verifies evidence and proof files of a Lothub hub, without the hub.',
    license,
    type: 'module',
    sideEffects: false,
    exports: { '.': { types: `./${ENTRY}.d.ts`, default: `./${ENTRY}.js` } },
    files: ['chain', 'verify', 'verifier.html'],
  };
}
