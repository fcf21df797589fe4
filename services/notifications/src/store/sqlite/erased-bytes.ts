// Takes texts that were taken away out of the bytes of the database file and its log. Changing a row overwrites it
// where it stands, but balancing has left copies of some between others: their tables are written anew.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** Texts are taken away from these; no other table refers to them. */
const ERASED_FROM = [
  'notifications',
  'occurrences',
  'acknowledgements',
  'idempotency_keys',
  'signals',
] as const;

/** In the transaction that takes texts away: a crash before `settleErased` leaves that to the next pass. */
export const NOTE_ERASING: readonly Sql[] = [sql`pragma user_version = 1`];

/**
 * Outside of any transaction. Tables are written anew one by one; a crash between two of them begins with the first
 * one again. When nothing was taken away since, it does nothing.
 * @returns false when somebody reads an older state, which stands in the log alone
 */
export function settleErased(connection: SqliteConnection): boolean {
  const { database } = connection;
  const read = database.prepare('pragma user_version').get();
  const mark = Number(read?.['user_version']);
  if (mark === NOTHING_ERASED) return true;
  if (mark !== WRITTEN_ANEW) {
    for (const table of ERASED_FROM) connection.transaction(() => connection.writeAnew(table));
    setMark(connection, WRITTEN_ANEW);
  }
  // The mark is behind the cut: what it writes itself holds no text.
  if (!connection.emptyLog()) return false;
  setMark(connection, NOTHING_ERASED);
  return true;
}

const NOTHING_ERASED = 0;
const WRITTEN_ANEW = 2;

function setMark({ database }: SqliteConnection, mark: number): void {
  database.exec(`pragma user_version = ${mark}`);
}
