// The files that pages load.
import { readBrowserModules } from '@lothub/kit/http/browser-modules';
import { readAsset } from '@lothub/kit/http/hashed-asset';
import type { Asset } from '@lothub/kit/http/hashed-asset';

const PREFIX = '/inbox/assets';
const FOLDER = new URL('./', import.meta.url);

export const STYLESHEETS: readonly Asset[] = ['ground', 'parts', 'frame', 'inbox'].map((stem) =>
  readAsset(PREFIX, { stem, extension: 'css' }, FOLDER),
);
export const ICON = readAsset(PREFIX, { stem: 'icon', extension: 'svg' }, FOLDER);

/** The module that every page begins with; it loads the others. */
const ENTRY = 'main.ts';
const MODULES = readBrowserModules({
  prefix: PREFIX,
  entries: { [ENTRY]: new URL(`browser/${ENTRY}`, FOLDER) },
  packages: { '@lothub/kit/html': import.meta.resolve('@lothub/kit/html') },
});

export const MAIN_MODULE = getModule(ENTRY);

/** What it loads, so that a browser need not find one out of the other. */
export const OTHER_MODULES: readonly Asset[] = [
  ...new Set([...MODULES.values()].filter((module) => module !== MAIN_MODULE)),
];

export const ASSETS: readonly Asset[] = [...new Set([...STYLESHEETS, ICON, ...MODULES.values()])];

function getModule(name: string): Asset {
  const asset = MODULES.get(name);
  if (asset === undefined) throw new Error(`there is no browser module ${name}`);
  return asset;
}
