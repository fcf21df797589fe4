// Lists of values in a query, so that lists of every length share a handful of query texts.
import { join, type Sql } from 'sql-template-tag';

/** Maximum number of values in one list; callers divide longer ones. SQLite allows 32,766 parameters. */
export const IN_LIST_MAX = 500;

/**
 * The parameters of `in (…)`. The last value is repeated up to the next power of two: a statement
 * cache then holds ten texts of a query and not five hundred.
 * @param values 1 to IN_LIST_MAX values
 */
export function inList(values: readonly (number | string)[]): Sql {
  const last = values.at(-1);
  if (last === undefined || values.length > IN_LIST_MAX) {
    throw new RangeError(`a list in a query has 1 to ${IN_LIST_MAX} values, not ${values.length}`);
  }
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return join([...values, ...new Array<number | string>(length - values.length).fill(last)]);
}

/** Cuts values into slices that fit one query. Walk large ones with `slicesInTurns` instead. */
export function* cutSlices<Value>(
  values: Iterable<Value>,
  sizeMax: number = IN_LIST_MAX,
): Generator<readonly Value[]> {
  let slice: Value[] = [];
  for (const value of values) {
    slice.push(value);
    if (slice.length < sizeMax) continue;
    yield slice;
    slice = [];
  }
  if (slice.length > 0) yield slice;
}
