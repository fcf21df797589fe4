// Conditions on the heights of rows of blocks, as both engines read them along an index.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export interface RowsOfType {
  readonly column: Sql;
  readonly value: string;
}

interface Bounds {
  /** Both excluded. */
  readonly above: number;
  readonly below: number;
}

export function within({ above, below }: Bounds): Sql {
  return sql`height > ${above} and height < ${below}`;
}

/**
 * The rows of a type are a range of an index by pairs. With an equation, or with bounds that its index of heights
 * has, PostgreSQL, which takes a rare type for a common one, walks through the rows of all types: so it gets
 * bounds of another type of number. SQLite, whose heights are row numbers, finds no pairs in an index, and finds
 * those bounds and what is not distinct.
 */
export function withinType({ column, value }: RowsOfType, { above, below }: Bounds): Sql {
  return sql`
    ${column} is not distinct from ${value}
    and height > cast(${above} as numeric) and height < cast(${below} as numeric)
    and (${column}, height) > (${value}, ${above}) and (${column}, height) < (${value}, ${below})`;
}
