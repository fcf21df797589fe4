// What the tests of a run share: a folder for all temporary files, compiled modules, and a PostgreSQL.
// Nothing of it is left after the run, also when the run is killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, chmodSync, constants, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { COMPILED_FOLDER } from '../install.js';
import { RESOLUTIONS_VARIABLE } from './known-resolutions.js';
import { processTreeMs } from './processor-time.js';

const RESOLUTIONS_MODULE = new URL('./known-resolutions.js', import.meta.url).href;

/** Files run side by side, and a hub holds up to a dozen connections; a file may boot several. */
const CONNECTIONS_MAX = 400;

/**
 * Linux's folder in memory. A database of PostgreSQL is some six hundred files: there it takes a tenth
 * of the processor's time to make, and nothing waits for a disk.
 */
const MEMORY_FOLDER = '/dev/shm';
/** The files of a run at any one moment are below a third of it. */
const MEMORY_BYTES_MIN = 3_000_000_000;

/**
 * Removes the folder once its input ends, as it does when the run is gone. What the run has started
 * dies at the same moment and may write until then, so one attempt may not be enough.
 */
const GUARD = `
  cat >/dev/null; attempts=0
  while rm -rf "$0" 2>/dev/null; [ -e "$0" ] && [ $attempts -lt 50 ]
  do attempts=$((attempts + 1)); sleep 0.2; done
`;

/**
 * @typedef {object} Workplace
 * @property {(engine: 'sqlite' | 'postgres' | undefined) => NodeJS.ProcessEnv} buildEnvironment
 * @property {() => number} serverMs time of processors that the PostgreSQL of the run has taken so far
 *
 * @param {{ isLong: boolean, hasPostgres: boolean }} options
 * @returns {Promise<Workplace & AsyncDisposable>}
 * @throws {Error} where PostgreSQL is wanted and there is none: a run without it must not pass
 */
export async function openWorkplace({ isLong, hasPostgres }) {
  await using opening = new AsyncDisposableStack();
  const folder = opening.adopt(mkdtempSync(join(fastFolder(), 'lothub-tests-')), () => end(guard));
  const guard = spawn('/bin/sh', ['-c', GUARD, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // An interrupt from the terminal must reach the guard through its input only.
    detached: true,
  });
  const shared = {
    ...process.env,
    TMPDIR: join(folder, 'tmp'),
    NODE_COMPILE_CACHE: COMPILED_FOLDER,
    ...resolutionsIn(folder),
    LOTHUB_TEST_LONG: isLong ? '1' : '',
    LOTHUB_TEST_ENGINE: 'sqlite',
  };
  mkdirSync(shared.TMPDIR);
  // PostgreSQL does not run as root: its account comes through, and removes its own folder, as in /tmp.
  chmodSync(folder, 0o711);
  chmodSync(shared.TMPDIR, 0o1777);
  // What runs here makes its servers in the folder, and the folder takes them along.
  process.env.TMPDIR = shared.TMPDIR;
  let server;
  if (hasPostgres) {
    const postgres = await import('../../packages/kit/test/postgres/server.ts');
    shared[postgres.TEMPLATE_VARIABLE] = await postgres.makeTemplate();
    if (!process.env.LOTHUB_TEST_POSTGRES_URL) {
      process.env[postgres.TEMPLATE_VARIABLE] = shared[postgres.TEMPLATE_VARIABLE];
      const options = { connectionsMax: CONNECTIONS_MAX };
      server = opening.use(await postgres.startTestPostgres(options));
      const { url } = await server.createDatabase();
      shared.LOTHUB_TEST_POSTGRES_URL = url;
    }
  }
  const opened = opening.move();
  return {
    serverMs: () => (server === undefined ? 0 : processTreeMs(server.pid)),
    buildEnvironment: (engine) => ({ ...shared, ...(engine && { LOTHUB_TEST_ENGINE: engine }) }),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Has each Node of the run find modules where another one of it has found them. */
function resolutionsIn(folder) {
  const before = process.env.NODE_OPTIONS === undefined ? [] : [process.env.NODE_OPTIONS];
  return {
    [RESOLUTIONS_VARIABLE]: join(folder, 'tmp', 'resolutions'),
    NODE_OPTIONS: [...before, `--import=${RESOLUTIONS_MODULE}`].join(' '),
  };
}

/** Where temporary files cost least. */
function fastFolder() {
  if (process.env.TMPDIR !== undefined) return tmpdir(); // Somebody has chosen.
  try {
    accessSync(MEMORY_FOLDER, constants.W_OK);
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER);
    return bavail * bsize >= MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir();
  } catch {
    return tmpdir(); // There is none here.
  }
}

async function end(guard) {
  const ended = once(guard, 'exit');
  guard.stdin.end();
  await ended;
}
