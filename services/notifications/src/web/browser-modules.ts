// The modules that pages load: TypeScript of this repository with its types taken off, each under an
// address that holds a hash of its content and, through the addresses it imports, of all it stands on.
// Types are taken off when a browser first reads a module: loading what does it took a tenth of a start.
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { madeAsset } from '@lothub/kit/http/hashed-asset';
import type { Asset } from '@lothub/kit/http/hashed-asset';

/**
 * `from './words.ts'` and `from '@lothub/kit/html'`, with what stands around the specifier. Imports of types
 * go with the types.
 */
const IMPORT = /^((?:import|export)\b(?!\s+type\b)[^;'"]*?\bfrom\s+)'([^']+)'/gm;

/** Modules that a browser may load from outside the folder of its own: they stand on nothing else. */
const SHARED: Readonly<Record<string, string>> = {
  '@lothub/kit/html': import.meta.resolve('@lothub/kit/html'),
};

/**
 * The entry modules and all that they import, each once.
 * @param entries names in the folder, such as `inbox.ts`
 * @throws Error when a module imports what browsers cannot have, or modules import each other in a ring
 */
export function readBrowserModules(
  prefix: string,
  folder: URL,
  entries: readonly string[],
): ReadonlyMap<string, Asset> {
  const assets = new Map<string, Asset>();
  const open = new Set<string>();

  const add = (file: string): Asset => {
    const known = assets.get(file);
    if (known !== undefined) return known;
    if (open.has(file)) throw new Error(`${file} imports itself through other modules`);
    open.add(file);
    const typescript = readFileSync(fileURLToPath(file), 'utf8');
    const source = typescript.replace(IMPORT, (_all, before: string, specifier: string) => {
      return `${before}'${add(addressOf(specifier, file)).path}'`;
    });
    const name = { stem: basename(file, '.ts'), extension: 'js' } as const;
    const asset = madeAsset(prefix, name, { source, make: () => withoutTypes(source) });
    assets.set(file, asset);
    return asset;
  };

  return new Map(
    [...entries.map((name) => [name, add(new URL(name, folder).href)] as const), ...assets].map(
      ([name, asset]) => [name, asset],
    ),
  );
}

function addressOf(specifier: string, importer: string): string {
  const shared = SHARED[specifier];
  if (shared !== undefined) return shared;
  if (!/^(?:\.\.?\/)+[\w/-]+\.ts$/.test(specifier)) {
    throw new Error(`${importer} imports ${specifier}, which browsers cannot load`);
  }
  return new URL(specifier, importer).href;
}

/** Lines keep their numbers: types become blanks. */
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
