// Removes erased texts from the bytes of the database file and its log. A change of a row overwrites it in place, but
// balancing of pages may have left copies elsewhere, so the tables with such texts are written again.
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
 * Runs outside of any transaction. Tables are written again one by one; after a crash it starts with the first one.
 * It does nothing when nothing was erased since.
 * @returns false when a reader still uses an older state, which is only in the log
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
