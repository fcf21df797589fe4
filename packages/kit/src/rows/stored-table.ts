// Tables that both engines have, each described once: the types of rows, the statements that write
// them, select lists, copies and comparisons derive from the description. A test of each service
// compares its descriptions with its schema files.
import assert from 'node:assert/strict';
import sql, { Sql, join, raw } from 'sql-template-tag';
import { present } from '../present.ts';

export type ColumnValue = string | number | Uint8Array | null;

/** A row, or a part of one: names are those of the columns. */
export type RowValues = Readonly<Record<string, ColumnValue>>;

/**
 * What an insert does with a column: `given` by the row, `left` to the default of the schema (or null)
 * until an update sets it, or `numbered` by the database.
 */
export type AtInsert = 'given' | 'left' | 'numbered';

declare const VALUE: unique symbol;
declare const ROW: unique symbol;
declare const INSERTED: unique symbol;

export interface Column<
  Value extends ColumnValue = ColumnValue,
  Insert extends AtInsert = AtInsert,
> {
  readonly kind: 'integer' | 'text' | 'bytes';
  readonly isNullable: boolean;
  readonly atInsert: Insert;
  /** For the compiler alone. */
  readonly [VALUE]?: Value;
}

export function integer<Value extends number = number>(): Column<Value, 'given'> {
  return { kind: 'integer', isNullable: false, atInsert: 'given' };
}

export function text<Value extends string = string>(): Column<Value, 'given'> {
  return { kind: 'text', isNullable: false, atInsert: 'given' };
}

/** `blob` of SQLite, `bytea` of PostgreSQL. */
export function bytes(): Column<Uint8Array, 'given'> {
  return { kind: 'bytes', isNullable: false, atInsert: 'given' };
}

/** An integer that the database numbers rows with: the whole key of its table. */
export function numbered(): Column<number, 'numbered'> {
  return { kind: 'integer', isNullable: false, atInsert: 'numbered' };
}

export function nullable<Value extends ColumnValue, Insert extends AtInsert>(
  column: Column<Value, Insert>,
): Column<Value | null, Insert> {
  return { ...column, isNullable: true };
}

/** No insert gives it. */
export function left<Value extends ColumnValue>(
  column: Column<Value, 'given'>,
): Column<Value, 'left'> {
  return { ...column, atInsert: 'left' };
}

type Columns = Readonly<Record<string, Column>>;
type ValueOf<Described> = Described extends Column<infer Value> ? Value : never;
type RowOfColumns<Described extends Columns> = {
  readonly [Name in keyof Described & string]: ValueOf<Described[Name]>;
};
type InsertedOfColumns<Described extends Columns> = {
  readonly [
    Name in keyof Described & string as Described[Name] extends Column<ColumnValue, 'given'>
      ? Name
      : never
  ]: ValueOf<Described[Name]>;
};

export interface StoredTable<
  Row extends RowValues = RowValues,
  Inserted extends RowValues = RowValues,
  Key extends string = string,
  Name extends string = string,
> {
  readonly name: Name;
  /** The columns of the primary key, in its order. */
  readonly key: readonly Key[];
  readonly columns: Readonly<Record<keyof Row & string, Column>>;
  /** Names of all columns, in the order of the schema. */
  readonly names: readonly (keyof Row & string)[];
  /** Names of the columns that an insert sets. */
  readonly insertedNames: readonly (keyof Inserted & string)[];
  /** The column that the database numbers by itself, if there is one. */
  readonly numberedName: string | undefined;
  /** For the compiler alone. */
  readonly [ROW]?: Row;
  readonly [INSERTED]?: Inserted;
}

/** A whole row of a table. */
export type RowOf<Table> = Table extends StoredTable<infer Row> ? Row : never;

/** The columns of a row that an insert gives. */
export type InsertedRowOf<Table> =
  Table extends StoredTable<RowValues, infer Inserted> ? Inserted : never;

type Widened<Value> = Value extends number ? number : Value extends string ? string : Value;

/** A row that anything may have changed: a choice may be any text. */
export type ReadRowOf<Table> = {
  readonly [Name in keyof RowOf<Table>]: Widened<RowOf<Table>[Name]>;
};

/** @param columns in the order of the schema */
export function storedTable<
  const Name extends string,
  Described extends Columns,
  const Key extends keyof Described & string,
>(
  name: Name,
  key: readonly Key[],
  columns: Described,
): StoredTable<RowOfColumns<Described>, InsertedOfColumns<Described>, Key, Name> {
  const names = Object.keys(columns) as (keyof Described & string)[];
  const insertedNames = names.filter((column) => columns[column]?.atInsert === 'given');
  return {
    name,
    key,
    columns,
    names,
    insertedNames: insertedNames as (keyof InsertedOfColumns<Described> & string)[],
    numberedName: names.find((column) => columns[column]?.atInsert === 'numbered'),
  };
}

/** Names of all columns but these. */
export function namesWithout<Name extends string, const Left extends Name>(
  { names }: { readonly names: readonly Name[] },
  left: readonly Left[],
): readonly Exclude<Name, Left>[] {
  const isLeft: ReadonlySet<string> = new Set(left);
  return names.filter((name): name is Exclude<Name, Left> => !isLeft.has(name));
}

/** All columns of a table, for `select`. @param alias what the query calls the table */
export function selectList({ names }: Pick<StoredTable, 'names'>, alias?: string): Sql {
  const list = alias === undefined ? names : names.map((name) => `${alias}.${name}`);
  return raw(list.join(', '));
}

/** `insert into … values (…)`, for either engine. */
export function insertRow<Inserted extends RowValues>(
  table: StoredTable<RowValues, Inserted>,
  row: NoInfer<Inserted>,
): Sql {
  return new Sql(
    insertTexts(table),
    table.insertedNames.map((name) => row[name]),
  );
}

/** `insertRow` where a condition holds. */
export function insertRowWhere<Inserted extends RowValues>(
  table: StoredTable<RowValues, Inserted>,
  row: NoInfer<Inserted>,
  condition: Sql,
): Sql {
  const names = table.insertedNames;
  const values = names.map((name) => {
    const { kind } = present(table.columns[name], name);
    assert.notEqual(kind, 'bytes', 'the engines have no common name for the type of bytes');
    const type = raw(kind === 'integer' ? 'bigint' : 'text');
    return sql`cast(${row[name]} as ${type})`;
  });
  return sql`
    insert into ${raw(table.name)} (${raw(names.join(', '))})
    select ${join(values, ', ')}
    where ${condition}`;
}

/** Returns the texts around the values of an insert. */
export function insertTexts({ name, insertedNames }: StoredTable): readonly string[] {
  return [
    `insert into ${name} (${insertedNames.join(', ')}) values (`,
    ...new Array<string>(insertedNames.length - 1).fill(', '),
    ')',
  ];
}

/** Returns the end of an insert that replaces a row with the same key. */
export function onConflictReplace({ key, insertedNames }: StoredTable): string {
  const replaced = insertedNames.filter((name) => !key.includes(name));
  const assignments = replaced.map((name) => `${name} = excluded.${name}`);
  return `on conflict (${key.join(', ')}) do update set ${assignments.join(', ')}`;
}

const NONE: readonly never[] = [];

/** Names of the columns in which a stored row is not what it should be. */
export function differingColumns<Name extends string>(
  names: readonly Name[],
  stored: Readonly<Record<Name, unknown>>,
  expected: Readonly<Record<Name, unknown>>,
): readonly Name[] {
  let differing: Name[] | undefined;
  for (const name of names) {
    if (isSameValue(stored[name], expected[name])) continue;
    differing ??= [];
    differing.push(name);
  }
  return differing ?? NONE;
}

function isSameValue(stored: unknown, expected: unknown): boolean {
  if (stored === expected) return true;
  return (
    stored instanceof Uint8Array &&
    expected instanceof Uint8Array &&
    stored.length === expected.length &&
    stored.every((byte, place) => byte === expected[place])
  );
}
