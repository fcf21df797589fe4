// Writes the tenant's events as a CSV file: one row for each line, with the columns of an import
// and those of the event's later state.
import type { Row } from '../csv-answer.ts';
import { PAGE_MAX } from '../http.ts';
import {
  EVENT_FIELD_LIST,
  FIRST_LINE_COLUMNS,
  LATER_LINE_COLUMNS,
} from '../ledger/record/fields.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { EventListQuery } from './find-heights.ts';
import { listEvents, type StoredEvent } from './list.ts';

const EVENT_NAMES = EVENT_FIELD_LIST.map(({ name }) => name);

export const EVENT_COLUMNS: readonly string[] = [
  'id',
  'status',
  ...EVENT_NAMES,
  ...FIRST_LINE_COLUMNS,
  'recorded_at',
  'block_hash',
  ...LATER_LINE_COLUMNS,
];

/** Pages of rows, in the order of the list. */
export async function* eventRows(
  reader: LedgerReader,
  query: Omit<EventListQuery, 'limit'>,
): AsyncGenerator<readonly Row[]> {
  for (let next: number | null = query.behind; next !== null;) {
    const page = await listEvents(reader, { ...query, behind: next, limit: PAGE_MAX });
    yield page.events.flatMap(listRows);
    next = page.next;
  }
}

function listRows(event: StoredEvent): readonly Row[] {
  const before = [event.id, event.status, ...EVENT_NAMES.map((name) => event[name] ?? null)];
  return event.lines.map((line) => [
    ...before,
    ...FIRST_LINE_COLUMNS.map((name) => line[name] ?? null),
    event.recorded_at,
    event.block.block_hash,
    ...LATER_LINE_COLUMNS.map((name) => line[name] ?? null),
  ]);
}
