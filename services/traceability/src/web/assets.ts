// The files that pages load.
import { readBrowserModules } from '@lothub/kit/http/browser-modules';
import { readAsset } from '@lothub/kit/http/hashed-asset';
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { present } from '@lothub/kit/present';

const PREFIX = '/assets';
/** Below it are the modules alone. */
export const MODULES_PREFIX = `${PREFIX}/modules`;
const FOLDER = new URL('./', import.meta.url);

export const STYLESHEET = readAsset(PREFIX, { stem: 'stylesheet', extension: 'css' }, FOLDER);
export const ICON = readAsset(PREFIX, { stem: 'icon', extension: 'svg' }, FOLDER);

export const ASSETS: readonly Asset[] = [STYLESHEET, ICON];

const CHECK = 'check';
const PACKAGES = ['@lothub/kit/html', '@lothub/chain', '@lothub/chain/log', '@lothub/verify'];

let modules: ReadonlyMap<string, Asset> | undefined;

/** Made for the first page that needs them: some dozen files, a tenth of a second that a start would take longer. */
function readModules(): ReadonlyMap<string, Asset> {
  modules ??= readBrowserModules({
    prefix: MODULES_PREFIX,
    entries: { [CHECK]: new URL('browser/check.ts', FOLDER) },
    packages: Object.fromEntries(PACKAGES.map((name) => [name, import.meta.resolve(name)])),
  });
  return modules;
}

/** Checks a proof in the reader's browser; it loads the verifier. */
export function checkModule(): Asset {
  return present(readModules().get(CHECK), 'the module that checks');
}

/** The module of an address. */
export function findModule(path: string): Asset | undefined {
  return [...readModules().values()].find((module) => module.path === path);
}
