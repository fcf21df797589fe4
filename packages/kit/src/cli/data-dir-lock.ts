// One process at a time serves a data directory or rebuilds it. The lock is SQLite's own, on a file
// beside the database: the operating system lets go of it when its holder dies, however it dies, so
// no stale lock is ever left to be deleted by hand.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandError, formatReason } from './command-error.ts';

/** What is private and hashes of keys lie here: for its owner alone. */
const DATA_DIR_MODE = 0o700;

const SQLITE_BUSY = 5;

/**
 * Holds the data directory, which is made when it is missing, until disposed of. Services with databases
 * of their own in one directory hold locks of their own.
 * @param fileName of the lock, which is made beside the database
 * @throws CommandError `hub_in_use`, or `file_unwritable` when the directory cannot be used
 */
export function lockDataDir(dataDir: string, fileName: string): Disposable {
  const file = join(dataDir, fileName);
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(dataDir, { recursive: true, mode: DATA_DIR_MODE });
    database = new DatabaseSync(file);
    // Nothing is ever written: the file stays empty, and the transaction is only the lock. Its
    // journal need not be a file, then, which a killed process would leave behind.
    database.exec('pragma journal_mode = memory');
    database.exec('begin exclusive');
  } catch (error) {
    database?.close();
    throw toRefusal(error, dataDir);
  }
  const held = database;
  return { [Symbol.dispose]: () => held.close() };
}

function toRefusal(error: unknown, dataDir: string): CommandError {
  const isHeld = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
  if (isHeld) {
    return new CommandError(
      'hub_in_use',
      `taking ${dataDir}: another lothub process is using it; stop that one first, ` +
        'or set DATA_DIR to another directory',
      { cause: error },
    );
  }
  return new CommandError(
    'file_unwritable',
    `taking ${dataDir}: ${formatReason(error)}; set DATA_DIR to a directory that this user may write to`,
    { cause: error },
  );
}
