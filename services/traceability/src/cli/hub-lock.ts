// The lock on a hub that is in a directory: one process at a time serves it or rebuilds it.
import { lockDataDir } from '@lothub/kit/cli/data-dir-lock';
import type { LedgerPlace } from '../ledger/operated-database.ts';

const LOCK_FILE_NAME = 'lothub.lock';

/**
 * Locks the hub on SQLite for one process. Any number of processes may serve one on PostgreSQL, also
 * with one data directory, in which each of them overwrites the same small record.
 * @throws CommandError as `lockDataDir`
 */
export function lockHub({ databaseUrl, dataDir }: LedgerPlace): Disposable {
  return databaseUrl === undefined
    ? lockDataDir(dataDir, LOCK_FILE_NAME)
    : { [Symbol.dispose]: () => undefined };
}
