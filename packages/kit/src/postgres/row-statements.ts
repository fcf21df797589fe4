// Statements that write rows of described tables into PostgreSQL: all rows of a table as arrays, in
// one statement whose text does not depend on their number.
import { Sql } from 'sql-template-tag';
import { at, present } from '../present.ts';
import type { Column, ColumnValue, RowValues, StoredTable } from '../rows/stored-table.ts';
import { bigintArray, bytesArray, textArray } from './array-values.ts';

/** @returns one statement; none without any row */
export type RowsWriter<Row> = (rows: readonly Row[]) => readonly Sql[];

/**
 * Rows that the database numbers are numbered in their order.
 * @param conflict the text after the rows, such as `on conflict do nothing`
 */
export function rowsInsert<Inserted extends RowValues>(
  table: StoredTable<RowValues, Inserted>,
  conflict = '',
): RowsWriter<Inserted> {
  const names = table.insertedNames;
  const list = names.join(', ');
  return rowsWriter(table, names, {
    before: `insert into ${table.name} (${list}) select ${list} from `,
    after:
      table.numberedName === undefined
        ? ` as r (${list}) ${conflict}`
        : ` with ordinality as r (${list}, place) order by place ${conflict}`,
  });
}

/** Sets columns of the rows of the keys. */
export function rowsUpdate<
  Row extends RowValues,
  Key extends keyof Row & string,
  Name extends keyof Row & string,
  Added extends keyof Row & string = never,
>(
  table: StoredTable<Row, RowValues, Key>,
  columns: {
    readonly set: readonly Name[];
    /** Counters: the values are added to them. */
    readonly add?: readonly Added[];
  },
): RowsWriter<Pick<Row, Key | Name | Added>> {
  const { set, add = [] } = columns;
  const names = [...table.key, ...set, ...add];
  const assignments = [
    ...set.map((name) => `${name} = r.${name}`),
    ...add.map((name) => `${name} = t.${name} + r.${name}`),
  ];
  const conditions = table.key.map((name) => `t.${name} = r.${name}`);
  return rowsWriter(table, names, {
    before: `update ${table.name} t set ${assignments.join(', ')} from `,
    after: ` as r (${names.join(', ')}) where ${conditions.join(' and ')}`,
  });
}

function rowsWriter<Row extends RowValues>(
  { columns }: Pick<StoredTable, 'columns'>,
  names: readonly (keyof Row & string)[],
  statement: { readonly before: string; readonly after: string },
): RowsWriter<Row> {
  const kinds = names.map((name) => present(columns[name], name).kind);
  const casts = kinds.map((kind) => `::${ARRAYS[kind].type}`);
  const strings = [
    `${statement.before}unnest(`,
    ...casts.slice(0, -1).map((cast) => `${cast}, `),
    `${casts.at(-1)})${statement.after}`,
  ];
  const writers = kinds.map((kind) => ARRAYS[kind].write);
  return (rows) => {
    if (rows.length === 0) return [];
    return [
      new Sql(
        strings,
        names.map((name, place) => at(writers, place)(rows, name)),
      ),
    ];
  };
}

interface ArrayKind {
  readonly type: string;
  readonly write: (rows: readonly RowValues[], name: string) => Buffer;
}

const ARRAYS: Readonly<Record<Column['kind'], ArrayKind>> = {
  integer: {
    type: 'bigint[]',
    write: (rows, name) => bigintArray(rows.map((row) => integerOrNull(row[name]))),
  },
  text: {
    type: 'text[]',
    write: (rows, name) => textArray(rows.map((row) => textOrNull(row[name]))),
  },
  bytes: {
    type: 'bytea[]',
    write: (rows, name) => bytesArray(rows.map((row) => bytesOrNull(row[name]))),
  },
};

function integerOrNull(value: ColumnValue | undefined): number | null {
  if (value === null || typeof value === 'number') return value;
  throw new TypeError(`a column of integers was given a value of type ${typeof value}`);
}

function textOrNull(value: ColumnValue | undefined): string | null {
  if (value === null || typeof value === 'string') return value;
  throw new TypeError(`a column of texts was given a value of type ${typeof value}`);
}

function bytesOrNull(value: ColumnValue | undefined): Uint8Array | null {
  if (value === null || value instanceof Uint8Array) return value;
  throw new TypeError(`a column of bytes was given a value of type ${typeof value}`);
}
