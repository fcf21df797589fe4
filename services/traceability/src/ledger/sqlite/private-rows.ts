// The private side tables in SQLite: what opens the commitments of events and corrections.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { PrivateLine } from '../record/commitment.ts';
import type { CorrectionSubmission, Draft } from '../draft.ts';
import type { StoredPrivate } from '../append/replay.ts';

// One text for each statement: made once, so that finding the prepared one costs next to nothing.
const INSERT_LINE =
  'insert into private_lines (height, line_no, customer_ref, channel, salt) ' +
  'values (?, ?, ?, ?, ?)';
const INSERT_NOTES = 'insert into private_notes (height, notes, salt) values (?, ?, ?)';
const INSERT_REQUEST = 'insert into private_requests (height, requested_by, salt) values (?, ?, ?)';
const INSERT_CHANGE =
  'insert into private_changes (height, change_no, from_text, to_text, salt) ' +
  'values (?, ?, ?, ?, ?)';
const FIND_LINES =
  'select line_no, customer_ref, channel, salt from private_lines where height = ?';
const FIND_NOTES = 'select notes, salt from private_notes where height = ?';

export function insertPrivateOfEvent(
  connection: SqliteConnection,
  height: number,
  draft: Draft,
): void {
  for (const line of draft.privateLines) {
    connection
      .statement(INSERT_LINE)
      .run(height, line.lineNo, line.customerRef, line.channel, line.salt);
  }
  if (draft.privateNotes !== null) {
    connection
      .statement(INSERT_NOTES)
      .run(height, draft.privateNotes.notes, draft.privateNotes.salt);
  }
}

export function insertPrivateOfCorrection(
  connection: SqliteConnection,
  height: number,
  submission: Pick<CorrectionSubmission, 'privateRequest' | 'privateChanges'>,
): void {
  const { requestedBy, salt } = submission.privateRequest;
  connection.statement(INSERT_REQUEST).run(height, requestedBy, salt);
  for (const change of submission.privateChanges) {
    connection
      .statement(INSERT_CHANGE)
      .run(height, change.changeNo, change.from, change.to, change.salt);
  }
}

/** What is kept of an event's private values as they were sent. */
export function storedPrivate(connection: SqliteConnection, height: number): StoredPrivate {
  const lines = connection
    .statement(FIND_LINES)
    .all(height)
    .map((row): PrivateLine => ({
      lineNo: Number(row['line_no']),
      customerRef: textOrNull(row['customer_ref']),
      channel: textOrNull(row['channel']),
      salt: String(row['salt']),
    }));
  const notes = connection.statement(FIND_NOTES).get(height);
  return {
    lines: new Map(lines.map((line) => [line.lineNo, line])),
    notes:
      notes === undefined ? null : { notes: String(notes['notes']), salt: String(notes['salt']) },
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
