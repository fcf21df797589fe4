// The files that pages load.
import { readStylesheet } from '@lothub/design/stylesheet';
import { readBrowserModules, readFlatModule } from '@lothub/kit/http/browser-modules';
import { readAsset, type Asset } from '@lothub/kit/http/hashed-asset';
import { present } from '@lothub/kit/present';
import { LANGUAGES, type Language } from '@lothub/languages';

const PREFIX = '/assets';
/** Below it are the modules alone. */
export const MODULES_PREFIX = `${PREFIX}/modules`;
const FOLDER = new URL('./', import.meta.url);

/** The service's own rules, one file for each kind of page. */
const STYLES = ['languages', 'frame', 'lot', 'recalls', 'explorer', 'documents', 'watching'];

export const STYLESHEET = readStylesheet(
  PREFIX,
  STYLES.map((stem) => new URL(`css/${stem}.css`, FOLDER)),
);
export const ICON = readAsset(PREFIX, { stem: 'icon', extension: 'svg' }, FOLDER);

export const ASSETS: readonly Asset[] = [STYLESHEET, ICON];

const CHECK = 'check';
const COPY = 'copy-buttons';
const LOCAL_TIMES = 'local-times';
const WATCH_DEVICE = 'watch-device';
const PACKAGES = [
  '@lothub/kit/html',
  '@lothub/design/icons',
  '@lothub/languages',
  '@lothub/chain',
  '@lothub/chain/log',
  '@lothub/verify',
];

let modules: ReadonlyMap<string, Asset> | undefined;

/** Made for the first page that needs them: some dozen files, a tenth of a second that a start would take longer. */
function readModules(): ReadonlyMap<string, Asset> {
  const packages = Object.fromEntries(PACKAGES.map((name) => [name, import.meta.resolve(name)]));
  const prefix = MODULES_PREFIX;
  modules ??= new Map([
    ...readBrowserModules({
      prefix,
      entries: {
        [CHECK]: new URL('browser/check.ts', FOLDER),
        [COPY]: new URL(import.meta.resolve('@lothub/design/browser/copy-buttons')),
        [WATCH_DEVICE]: new URL(`browser/${WATCH_DEVICE}.ts`, FOLDER),
      },
      packages,
    }),
    [
      LOCAL_TIMES,
      readFlatModule({
        ...{ prefix, packages, exported: [] },
        entry: new URL(`browser/${LOCAL_TIMES}.ts`, FOLDER),
      }),
    ],
    // The verifier is in the same file, because a person waits for it, maybe on a slow network.
    ...LANGUAGES.map(checkingIn).map((name) => {
      const entry = new URL(`browser/${name}.ts`, FOLDER);
      return [name, readFlatModule({ prefix, entry, exported: ['check'], packages })] as const;
    }),
  ]);
  return modules;
}

/**
 * Returns the module that offers a check in the reader's browser: it makes a button and loads the
 * verifier.
 */
export function checkModule(): Asset {
  return present(readModules().get(CHECK), 'the module that offers to check');
}

/** Checks a proof in the reader's browser and says so in a language; it loads the verifier. */
export function checkingModule(language: Language): Asset {
  return present(readModules().get(checkingIn(language)), 'the module that checks');
}

function checkingIn(language: Language): string {
  return `checking-${language}`;
}

/** Shows the buttons that copy, on pages that have some. */
export function copyModule(): Asset {
  return present(readModules().get(COPY), 'the module that copies');
}

/** Shows times in the time zone of the reader, on pages that have such times. */
export function localTimesModule(): Asset {
  return present(readModules().get(LOCAL_TIMES), 'the module that shows times');
}

/** Returns the module that notifies the device of recalls, for pages that offer it. */
export function watchDeviceModule(): Asset {
  return present(readModules().get(WATCH_DEVICE), 'the module that notifies devices');
}

/** The worker that shows messages on a device; served at an address that stays. */
export function readWatchWorker(): string {
  const entry = new URL('browser/watch-worker.ts', FOLDER);
  return readFlatModule({ prefix: MODULES_PREFIX, entry, exported: [], packages: {} }).text;
}

/** The module of an address. */
export function findModule(path: string): Asset | undefined {
  return [...readModules().values()].find((module) => module.path === path);
}
