// The modules that pages load: TypeScript of this repository without types and comments. The address of each
// contains a hash of its content and, through the addresses that it imports, of everything below it. Files that only
// re-export are not among them.
// Types are removed when a browser first requests a module: loading the code for it took a tenth of a start.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { namesIn, readBarrel, type ListedName } from './modules/barrels.ts';
import { compactModule } from './modules/compact.ts';
import { flatten } from './modules/flatten.ts';
import { madeAsset, type Asset } from './hashed-asset.ts';

/**
 * Matches `from './words.ts'` and `from '@lothub/kit/html'`, with the text around the specifier. Imports of types
 * are removed with the types.
 */
const IMPORT = /^((?:import|export)\b(?!\s+type\b)[^;'"]*?\bfrom\s+)'([^']+)'/gm;

export interface BrowserModules {
  /** The start of the addresses, such as `/assets`. */
  readonly prefix: string;
  /** The modules that pages begin with, by a name of the caller's. */
  readonly entries: Readonly<Record<string, URL>>;
  /** Packages whose modules a browser may load too: what is imported, and where it is. */
  readonly packages: SharedPackages;
}

/** Specifiers such as `@lothub/kit/html` and the URL of the file that each means. */
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
    const source = withAddresses(file, packages, (imported) => add(imported).path);
    const name = { stem: basename(file, '.ts'), extension: 'js' } as const;
    const make = () => compactModule(withoutTypes(source));
    const asset = madeAsset(prefix, name, { source, make });
    assets.set(file, asset);
    return asset;
  };

  const named = Object.entries(entries).map(([name, url]) => [name, add(url.href)] as const);
  return new Map([...named, ...assets]);
}

/** A module with all that it imports, in one file. */
export interface FlatModule {
  /** The start of the address, such as `/assets`. */
  readonly prefix: string;
  readonly entry: URL;
  /** What is exported of the entry. */
  readonly exported: readonly string[];
  readonly packages: SharedPackages;
}

/**
 * As `readBrowserModules`, for what is loaded while somebody waits: a browser that finds dozens of modules one out of
 * the other waits for each depth of them.
 * @throws Error when a module imports what browsers cannot have, or in another form than by names
 */
export function readFlatModule({ prefix, entry, exported, packages }: FlatModule): Asset {
  const paths = new Map<string, string>();
  const modules: { readonly path: string; readonly source: string }[] = [];
  const open = new Set<string>();

  const add = (file: string): string => {
    const known = paths.get(file);
    if (known !== undefined) return known;
    if (open.has(file)) throw new Error(`${file} imports itself through other modules`);
    open.add(file);
    const source = withAddresses(file, packages, add);
    // Says nothing of where the files are: the address holds a hash of it.
    const path = String(modules.length);
    paths.set(file, path);
    modules.push({ path, source });
    return path;
  };

  add(entry.href);
  const source = modules.map((module) => module.source).join('\n');
  const make = (): string => {
    const plain = modules.map(({ path, source: typed }) => {
      return { path, javascript: withoutTypes(typed) };
    });
    // Without an export it runs as a classic script, too, which workers are.
    const last =
      exported.length === 0
        ? ''
        : `export const { ${exported.join(', ')} } = module${plain.length - 1};`;
    return compactModule(flatten(plain) + last);
  };
  const name = { stem: basename(entry.pathname, '.ts'), extension: 'js' } as const;
  return madeAsset(prefix, name, { source, make });
}

/**
 * A module without its types; lines keep their numbers.
 * @param file URL of the module
 * @param buildAddress what to write instead of each specifier that it imports
 */
export function readBrowserModule(
  file: string,
  buildAddress: (specifier: string) => string,
): string {
  return withoutTypes(readModule(file, buildAddress));
}

/** `import { a, type B } from …` and `export { a } from …`: the text before the list, the list, the specifier. */
const LIST_IMPORT = /^((?:import|export)\s*)\{([^}]*)\}\s*from\s+'([^']+)'/gm;

/** The text of a module with the address of each file that it imports something of. */
function withAddresses(
  file: string,
  packages: SharedPackages,
  buildAddress: (imported: string) => string,
): string {
  return withoutBarrels(file, packages).replace(
    IMPORT,
    (_all, before: string, specifier: string) =>
      `${before}'${buildAddress(fileOfImport(specifier, file, packages))}'`,
  );
}

/** The text of a module, in which names come from the files that have them. */
function withoutBarrels(file: string, packages: SharedPackages): string {
  return readText(file).replace(
    LIST_IMPORT,
    (all, kind: string, list: string, specifier: string) => {
      const names = namesIn(list);
      const found = names.map(({ name, alias }) => {
        const at = findExport(fileOfImport(specifier, file, packages), name, packages);
        return { ...at, alias };
      });
      const first = fileOfImport(specifier, file, packages);
      if (found.every((one) => one.file === first)) return all;
      return [...Map.groupBy(found, (one) => one.file)]
        .map(([from, ones]) => `${kind}{ ${ones.map(nameAs).join(', ')} } from '${from}'`)
        .join(';\n');
    },
  );
}

function nameAs({ name, alias }: ListedName): string {
  return name === alias ? name : `${name} as ${alias}`;
}

/** The file that a name comes from, through as many barrels as there are. */
function findExport(
  file: string,
  name: string,
  packages: SharedPackages,
): { readonly file: string; readonly name: string } {
  const barrel = readBarrel(readText(file));
  if (barrel === undefined) return { file, name };
  const handedOn = barrel.get(name);
  if (handedOn === undefined) throw new Error(`${file} exports no ${name}`);
  return findExport(fileOfImport(handedOn.specifier, file, packages), handedOn.name, packages);
}

function readText(file: string): string {
  return readFileSync(fileURLToPath(file), 'utf8');
}

/** The same with its types. */
function readModule(file: string, buildAddress: (specifier: string) => string): string {
  return readText(file).replace(
    IMPORT,
    (_all, before: string, specifier: string) => `${before}'${buildAddress(specifier)}'`,
  );
}

/**
 * Finds the URL of the file that a specifier means.
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
  if (specifier.startsWith('file:')) return specifier;
  if (!/^(?:\.\.?\/)+[\w/-]+\.ts$/.test(specifier)) {
    throw new Error(`${importer} imports ${specifier}, which browsers cannot load`);
  }
  return new URL(specifier, importer).href;
}

/** Types become blanks. */
function withoutTypes(typescript: string): string {
  // Node strips types of its own modules in the same way, without the warning that it gives to callers
  // of the function; the warning would be in the output of every start.
  const emitWarning = process.emitWarning.bind(process);
  process.emitWarning = () => undefined;
  try {
    return stripTypeScriptTypes(typescript, { mode: 'strip' });
  } finally {
    process.emitWarning = emitWarning;
  }
}
