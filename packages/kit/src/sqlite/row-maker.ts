// Makes the rows of a query out of the arrays that the driver answers.
import assert from 'node:assert/strict';
import { compileFunction } from 'node:vm';

/** Makes the row of one array of cells. */
export type MakeRow = (cells: readonly unknown[]) => unknown;

/** Lists of columns whose functions are kept, for all connections of a thread. */
const KEPT_MAX = 500;
const kept = new Map<string, MakeRow>();

/**
 * Returns a function that makes rows with these columns. It is compiled, once for each list of columns: an object
 * that is written down with its names takes 2 ns for each cell, one that a loop fills by name takes 15 and lies in
 * two pieces of memory. The names are those in the queries of the source, and are quoted.
 */
export function prepareRowMaker(names: readonly string[]): MakeRow {
  assert(!names.includes('__proto__'), 'a member of this name is no column of a row');
  const members = names.map((name, place) => `${JSON.stringify(name)}: cells[${place}]`);
  const body = `return {${members.join(', ')}};`;
  const known = kept.get(body);
  if (known !== undefined) return known;
  if (kept.size >= KEPT_MAX) kept.clear();
  const makeRow = compileFunction(body, ['cells']) as MakeRow;
  kept.set(body, makeRow);
  return makeRow;
}
