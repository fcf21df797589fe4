// The store, clock and log of a process that `startChild` of child-process.ts starts.
import { readSettings } from '../src/settings.ts';
import { openStore } from '../src/store/open-store.ts';
import { AHEAD_VARIABLE } from './child-process.ts';

export const settings = readSettings();

const aheadMs = Number(process.env[AHEAD_VARIABLE]);
export const clock = { nowMs: () => Date.now() + aheadMs };

export const log = { warn: (...line: readonly unknown[]) => console.error(...line) };

const { dataDir, databaseUrl } = settings;
export const store = await openStore({
  dataDir,
  databaseUrl,
  clock,
  onFatal: (error) => {
    throw error;
  },
});
