// The files that pages load.
import { readFileSync } from 'node:fs';
import { DESK_STYLES, readStylesheet } from '@lothub/design/stylesheet';
import { readBrowserModules, readFlatModule } from '@lothub/kit/http/browser-modules';
import { readAsset, type Asset } from '@lothub/kit/http/hashed-asset';
import { PAGES_PREFIX } from '../http.ts';

const PREFIX = `${PAGES_PREFIX}/assets`;
const FOLDER = new URL('./', import.meta.url);

/** The service's own rules. */
const STYLES = ['frame', 'inbox', 'items'];

export const STYLESHEET = readStylesheet(PREFIX, [
  ...DESK_STYLES,
  ...STYLES.map((stem) => new URL(`css/${stem}.css`, FOLDER)),
]);
export const ICON = readAsset(PREFIX, { stem: 'icon', extension: 'svg' }, FOLDER);

/** The icon for systems that take no SVG. */
export const ICON_PNG_PATH = `${PAGES_PREFIX}/icon-192.png`;
export const ICON_PNG = readFileSync(new URL('icon-192.png', FOLDER));
export const MANIFEST_PATH = `${PAGES_PREFIX}/manifest.webmanifest`;

/** More sizes and shapes of it, for the app that is installed. */
export const APP_ICONS = ['icon-512', 'maskable-192', 'maskable-512', 'badge-96'].map((stem) => ({
  path: `${PAGES_PREFIX}/${stem}.png`,
  bytes: readFileSync(new URL(`app/${stem}.png`, FOLDER)),
}));

/** The module that every page begins with; it loads the others. */
const ENTRY = 'main.ts';
const PACKAGES = ['@lothub/kit/html', '@lothub/design/icons', '@lothub/design/browser/copying'];
const MODULES = readBrowserModules({
  prefix: PREFIX,
  entries: { [ENTRY]: new URL(`browser/${ENTRY}`, FOLDER) },
  packages: Object.fromEntries(PACKAGES.map((name) => [name, import.meta.resolve(name)])),
});

/** One file without exports: what a browser runs as a service worker. */
export const WORKER = readFlatModule({
  prefix: PREFIX,
  entry: new URL('browser/app/worker.ts', FOLDER),
  exported: [],
  packages: {},
});
export const WORKER_PATH = `${PAGES_PREFIX}/sw.js`;

export const MAIN_MODULE = getModule(ENTRY);

/** What it loads, so that a browser need not find one out of the other. */
export const OTHER_MODULES: readonly Asset[] = [
  ...new Set([...MODULES.values()].filter((module) => module !== MAIN_MODULE)),
];

export const ASSETS: readonly Asset[] = [...new Set([STYLESHEET, ICON, ...MODULES.values()])];

function getModule(name: string): Asset {
  const asset = MODULES.get(name);
  if (asset === undefined) throw new Error(`there is no browser module ${name}`);
  return asset;
}
