// The private side tables in SQLite: what opens the commitments of events and corrections.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { rowInsert } from '@lothub/kit/sqlite/row-statements';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { PrivateOfCorrection, PrivateOfEvent } from '../append/group-rows.ts';
import type { PrivateDecision } from '../decisions/draft.ts';
import type { StoredPrivate } from '../append/replay.ts';
import {
  PRIVATE_CHANGES,
  PRIVATE_DECISIONS,
  PRIVATE_LINES,
  PRIVATE_NOTES,
  PRIVATE_REQUESTS,
} from '../tables/private.ts';
import type { PrivateLineRow, PrivateNotesRow } from '../tables/private.ts';

const insertLine = rowInsert(PRIVATE_LINES);
const insertNotes = rowInsert(PRIVATE_NOTES);
const insertRequest = rowInsert(PRIVATE_REQUESTS);
const insertChange = rowInsert(PRIVATE_CHANGES);
const insertDecision = rowInsert(PRIVATE_DECISIONS);

export function insertPrivateOfEvent(
  connection: SqliteConnection,
  height: number,
  { privateLines, privateNotes }: PrivateOfEvent,
): void {
  for (const line of privateLines) insertLine(connection, { height, ...line });
  if (privateNotes !== null) insertNotes(connection, { height, ...privateNotes });
}

export function insertPrivateOfCorrection(
  connection: SqliteConnection,
  height: number,
  { privateRequest, privateChanges }: PrivateOfCorrection,
): void {
  insertRequest(connection, { height, ...privateRequest });
  for (const change of privateChanges) insertChange(connection, { height, ...change });
}

export function insertPrivateOfDecision(
  connection: SqliteConnection,
  height: number,
  values: readonly PrivateDecision[],
): void {
  for (const value of values) insertDecision(connection, { height, ...value });
}

/** Reads the stored private values of an event, as they were sent. */
export function storedPrivate(connection: SqliteConnection, height: number): StoredPrivate {
  const lines = connection.allNow<PrivateLineRow>(sql`
    select ${selectList(PRIVATE_LINES)}
    from private_lines
    where height = ${height}`);
  const [notes = null] = connection.allNow<PrivateNotesRow>(sql`
    select ${selectList(PRIVATE_NOTES)}
    from private_notes
    where height = ${height}`);
  return { lines: new Map(lines.map((line) => [line.line_no, line])), notes };
}
