// Starts a process that does one task on the database of a test, so that the test can kill it.
import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { TestDatabase } from './engine.ts';

/** The environment variable with how far the clock of the process is ahead, in milliseconds. */
export const AHEAD_VARIABLE = 'LOTHUB_TEST_AHEAD_MS';

/** @param module first file of the process; `child-store.ts` gives it its store and clock */
export function startChild(
  module: URL,
  options: {
    readonly database: Pick<TestDatabase, 'env'>;
    readonly aheadMs: number;
    readonly env?: Readonly<Record<string, string>>;
  },
): ChildProcess {
  const { database, aheadMs, env } = options;
  return spawn(process.execPath, [fileURLToPath(module)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...database.env, ...env, [AHEAD_VARIABLE]: String(aheadMs) },
  });
}
