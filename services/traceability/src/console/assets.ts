// Files that pages of the console load besides those of the hub: a stylesheet, and modules that improve pages
// where scripts run.
import { DESK_STYLES, readStylesheet } from '@lothub/design/stylesheet';
import { readFlatModule } from '@lothub/kit/http/browser-modules';
import type { Asset } from '@lothub/kit/http/hashed-asset';
import { CONSOLE } from './paths.ts';

export const ASSETS_PREFIX = `${CONSOLE}/assets`;
/** Below it are the modules alone. */
export const CONSOLE_MODULES_PREFIX = `${ASSETS_PREFIX}/modules`;

/** Rules of the console, a file for each room that has some. */
const STYLES = [
  'languages',
  'console',
  'console-audit',
  'console-lots',
  'console-help',
  'console-cases',
  'console-today',
  'console-profile',
  'console-simulation',
  'console-imports',
  'console-genealogy',
  'console-record',
  'console-webhooks',
];

export const STYLESHEET: Asset = readStylesheet(ASSETS_PREFIX, [
  ...DESK_STYLES,
  ...STYLES.map((stem) => new URL(`../web/css/${stem}.css`, import.meta.url)),
]);

/** Files of `browser/`, each sent as one file with all that it imports. */
export const MODULES = [
  'import-drop',
  'import-progress',
  'genealogy',
  'lot-search',
  'record',
  'record-worker',
] as const;
export type ConsoleModule = (typeof MODULES)[number];

/** Packages whose modules a browser may load, too. */
const PACKAGES = [
  '@lothub/kit/html',
  '@lothub/kit/present',
  '@lothub/design/icons',
  '@lothub/languages',
];

const read = new Map<string, Asset>();

/** Made for the first page that needs it. */
export function consoleModule(name: ConsoleModule): Asset {
  const known = read.get(name);
  if (known !== undefined) return known;
  const packages = Object.fromEntries(PACKAGES.map((one) => [one, import.meta.resolve(one)]));
  const entry = new URL(`browser/${name}.ts`, import.meta.url);
  const made = readFlatModule({ prefix: CONSOLE_MODULES_PREFIX, entry, exported: [], packages });
  read.set(name, made);
  return made;
}

/** The module of an address. */
export function findConsoleModule(path: string): Asset | undefined {
  return MODULES.map(consoleModule).find((module) => module.path === path);
}
