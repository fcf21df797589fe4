// The modules that the verifier is made of, as plain JavaScript: its own and those of the chain that it
// needs, each before those that import it.
import { fileURLToPath } from 'node:url';

import { fileOfImport, readBrowserModule } from '@lothub/kit/http/browser-modules';
import type { SharedPackages } from '@lothub/kit/http/browser-modules';

/** What may be imported by name. */
export const PACKAGES: SharedPackages = Object.fromEntries(
  ['@lothub/chain', '@lothub/chain/log', '@lothub/verify'].map((name) => [
    name,
    import.meta.resolve(name),
  ]),
);

const PACKAGES_FOLDER = new URL('../', new URL('../', import.meta.url)).href;

export interface PlainModule {
  /** URL of the source. */
  readonly file: string;
  /** Where it is in the package that is written: `verify/index.js`, `chain/log/tree.js`. */
  readonly path: string;
  /** What it imports, by the specifier in `javascript`: paths as in `path`. */
  readonly javascript: string;
}

/**
 * An entry module and all that it imports, those first that others need.
 *
 * @throws Error when a module imports what a browser cannot load
 */
export function readModules(entry: string): readonly PlainModule[] {
  const modules = new Map<string, PlainModule>();
  const add = (file: string): string => {
    const path = toModulePath(file);
    if (!modules.has(path)) {
      const javascript = readBrowserModule(file, (specifier) =>
        add(fileOfImport(specifier, file, PACKAGES)),
      );
      modules.set(path, { file, path, javascript });
    }
    return path;
  };
  add(entry);
  return [...modules.values()];
}

/** `…/packages/chain/src/log/tree.ts` is `chain/log/tree.js`. */
function toModulePath(file: string): string {
  const [name, ...rest] = file.slice(PACKAGES_FOLDER.length).split('/');
  const inside = (rest[0] === 'src' ? rest.slice(1) : rest).join('/');
  return `${name}/${inside.replace(/\.ts$/, '.js')}`;
}

/** The file of a module, for tools that take paths. */
export function sourcePath({ file }: PlainModule): string {
  return fileURLToPath(file);
}
