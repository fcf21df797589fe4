// Rows of values in an insert, so that inserts of every length share a handful of query texts.
import sql, { join, type Sql } from 'sql-template-tag';
import type { SqlValue } from '../database.ts';

/** Rows of one insert: of twenty columns they stay far below the 32,766 parameters of SQLite. */
export const ROWS_MAX = 512;

/**
 * Cuts rows into slices of 512, 256, 128 … down to 1: a statement cache then holds ten texts of an
 * insert and not five hundred.
 */
export function* cutRowSlices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  let from = 0;
  for (let size = ROWS_MAX; size >= 1; size /= 2) {
    for (; rows.length - from >= size; from += size) yield rows.slice(from, from + size);
  }
}

/**
 * What follows `insert into … (…)`: `values (…), (…)`.
 * @param rows one to ROWS_MAX, all of the same columns
 */
export function valueRows(rows: readonly (readonly SqlValue[])[]): Sql {
  if (rows.length === 0 || rows.length > ROWS_MAX) {
    throw new RangeError(`an insert has 1 to ${ROWS_MAX} rows, not ${rows.length}`);
  }
  return sql`values ${join(rows.map((row) => sql`(${join([...row])})`))}`;
}
