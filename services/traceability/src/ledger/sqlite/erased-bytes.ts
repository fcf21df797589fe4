// Removes erased rows from the bytes of the database file and its log. Deletion overwrites rows in
// place, but balancing has left copies of some between others: tables that lost rows are rewritten.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';

/** The tables from which erasing deletes rows, or removes a recipient. */
const ERASED_FROM = [
  'private_lines',
  'private_changes',
  'private_notes',
  'private_decisions',
  'recall_notifications',
  'private_recipients',
] as const;

/**
 * Call it inside the transaction that erases. After a crash before `settleErased`, the next start
 * does that.
 */
export function noteErasing(connection: SqliteConnection): void {
  connection.database.exec('pragma user_version = 1');
}

/**
 * Call it outside of any transaction. Rewrites the tables one by one; after a crash the next call
 * begins with the first one again.
 * @returns false when a reader holds an older state, which is only in the log
 */
export function settleErased(connection: SqliteConnection): boolean {
  const { database } = connection;
  const mark = database.prepare('pragma user_version').get();
  if (mark?.['user_version'] !== 0) {
    for (const table of ERASED_FROM) connection.transaction(() => connection.writeAnew(table));
    database.exec('pragma user_version = 0');
  }
  return connection.emptyLog();
}
