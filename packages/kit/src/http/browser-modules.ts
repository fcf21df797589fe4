// The modules that pages load: TypeScript of this repository with its types taken off, each under an
// address that holds a hash of its content and, through the addresses it imports, of all it stands on.
// Types are taken off when a browser first reads a module: loading what does it took a tenth of a start.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeAsset } from './hashed-asset.ts';
import type { Asset } from './hashed-asset.ts';

/**
 * `from './words.ts'` and `from '@lothub/kit/html'`, with what stands around the specifier. Imports of types
 * go with the types.
 */
const IMPORT = /^((?:import|export)\b(?!\s+type\b)[^;'"]*?\bfrom\s+)'([^']+)'/gm;

export interface BrowserModules {
  /** Of the addresses, such as `/assets`. */
  readonly prefix: string;
  /** The modules that pages begin with, by a name of the caller's. */
  readonly entries: Readonly<Record<string, URL>>;
  /** Packages whose modules a browser may load too: what is imported, and where it is. */
  readonly packages: SharedPackages;
}

/** Specifiers such as `@lothub/kit/html` and the URL of the file that each stands for. */
export type SharedPackages = Readonly<Record<string, string>>;

/**
 * The entry modules by their names and all that they import, each once.
 * @throws Error when a module imports what browsers cannot have, or modules import each other in a ring
 */
export function readBrowserModules(wanted: BrowserModules): ReadonlyMap<string, Asset> {
  const { prefix, entries, packages } = wanted;
  const assets = new Map<string, Asset>();
  const open = new Set<string>();

  const add = (file: string): Asset => {
    const known = assets.get(file);
    if (known !== undefined) return known;
    if (open.has(file)) throw new Error(`${file} imports itself through other modules`);
    open.add(file);
    const source = readModule(
      file,
      (specifier) => add(fileOfImport(specifier, file, packages)).path,
    );
    const name = { stem: basename(file, '.ts'), extension: 'js' } as const;
    const asset = madeAsset(prefix, name, { source, make: () => withoutTypes(source) });
    assets.set(file, asset);
    return asset;
  };

  const named = Object.entries(entries).map(([name, url]) => [name, add(url.href)] as const);
  return new Map([...named, ...assets]);
}

/**
 * A module without its types; lines keep their numbers.
 * @param file URL of the module
 * @param addressOf what to write instead of each specifier that it imports
 */
export function readBrowserModule(file: string, addressOf: (specifier: string) => string): string {
  return withoutTypes(readModule(file, addressOf));
}

/** The same with its types. */
function readModule(file: string, addressOf: (specifier: string) => string): string {
  return readFileSync(fileURLToPath(file), 'utf8').replace(
    IMPORT,
    (_all, before: string, specifier: string) => `${before}'${addressOf(specifier)}'`,
  );
}

/**
 * URL of the file that a specifier stands for.
 * @param importer URL of the module that imports it
 * @throws Error when browsers cannot load it
 */
export function fileOfImport(
  specifier: string,
  importer: string,
  packages: SharedPackages,
): string {
  const shared = packages[specifier];
  if (shared !== undefined) return shared;
  if (!/^(?:\.\.?\/)+[\w/-]+\.ts$/.test(specifier)) {
    throw new Error(`${importer} imports ${specifier}, which browsers cannot load`);
  }
  return new URL(specifier, importer).href;
}

/** Types become blanks. */
function withoutTypes(typescript: string): string {
  // Node strips types of its own modules in the same way, without the warning that it gives to callers
  // of the function; it would stand in the output of every start.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typescript, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
