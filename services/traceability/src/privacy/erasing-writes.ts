// What erasing a customer writes: rows that go, notices that forget their recipient.
import { IN_LIST_MAX, inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import type { ChangePlace, LinePlace } from './plan-erasure.ts';

/** Rows of a page, and so of one deletion: some ten milliseconds of the writer. */
export const PLACES_MAX = IN_LIST_MAX;

/** The notices stay, without the customer and without an answer that quotes it. @param ids 1 to PLACES_MAX */
export function forgetRecipient(ids: readonly number[], customerRef: string): readonly Sql[] {
  return [
    sql`delete from private_recipients where notification_id in (${inList(ids)})`,
    sql`
      update recall_notifications
      set recipient = null,
        response = case
          when replace(response, ${customerRef}, '') <> response then null
          else response
        end
      where notification_id in (${inList(ids)})`,
  ];
}

/** What was planned on the customers of a tenant as they were is planned again. */
export function replanCases(tenantNo: number): Sql {
  return sql`
    update recall_cases
    set revision = revision + 1
    where tenant_no = ${tenantNo} and ended_at is null`;
}

/** The customers in these blocks of responses, and answers that quote the customer. @param heights 1 to PLACES_MAX */
export function deleteResponses(heights: readonly number[], customerRef: string): readonly Sql[] {
  return [
    sql`
      delete from private_decisions
      where height in (${inList(heights)}) and name = 'recipient' and value = ${customerRef}`,
    sql`
      delete from private_decisions
      where height in (${inList(heights)}) and name = 'response'
        and replace(value, ${customerRef}, '') <> value`,
  ];
}

/** @param places 1 to PLACES_MAX */
export function deleteLines(places: readonly LinePlace[]): Sql {
  const pairs = places.map(({ height, lineNo }) => [height, lineNo] as const);
  return sql`
    delete from private_lines
    where ${buildCondition(places)} and (height, line_no) in (values ${pairRows(pairs)})`;
}

/** @param places 1 to PLACES_MAX */
export function deleteChanges(places: readonly ChangePlace[]): Sql {
  const pairs = places.map(({ height, changeNo }) => [height, changeNo] as const);
  return sql`
    delete from private_changes
    where ${buildCondition(places)} and (height, change_no) in (values ${pairRows(pairs)})`;
}

/** Pairs alone would be compared with every row of the table on PostgreSQL. */
function buildCondition(places: readonly { readonly height: number }[]): Sql {
  return sql`height in (${inList([...new Set(places.map(({ height }) => height))])})`;
}

/** @param heights 1 to PLACES_MAX */
export function deleteNotes(heights: readonly number[]): Sql {
  return sql`delete from private_notes where height in (${inList(heights)})`;
}

/** Lengths are powers of two, as of `inList`: the last pair is repeated. */
function pairRows(places: readonly (readonly [number, number])[]): Sql {
  const last = places.at(-1);
  if (last === undefined || places.length > PLACES_MAX) {
    throw new RangeError(`a deletion has 1 to ${PLACES_MAX} places, not ${places.length}`);
  }
  const length = 2 ** Math.ceil(Math.log2(places.length));
  const padded = [
    ...places,
    ...new Array<readonly [number, number]>(length - places.length).fill(last),
  ];
  return join(padded.map(([a, b]) => sql`(cast(${a} as bigint), cast(${b} as bigint))`));
}
