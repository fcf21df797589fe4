// Rows of described tables for code that carries them far from the database: their names are camelCase,
// in select lists and in inserts.
import { Sql, raw } from 'sql-template-tag';
import { insertTexts } from './stored-table.ts';
import type { RowOf, RowValues, StoredTable } from './stored-table.ts';

type CamelCase<Name extends string> = Name extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

/** `case_id` is `caseId`. */
export type Camel<Row> = {
  readonly [Name in keyof Row & string as CamelCase<Name>]: Row[Name];
};

/** A whole row of a table. */
export type CamelRowOf<Table> = Camel<RowOf<Table>>;

/** All columns of a table, for `select`. @param alias what the query calls the table */
export function camelList({ names }: Pick<StoredTable, 'names'>, alias: string): Sql {
  return raw(names.map((name) => `${alias}.${name} as "${camelCase(name)}"`).join(', '));
}

/** `insert into … values (…)`, for either engine. */
export function insertCamelRow<Inserted extends RowValues>(
  table: StoredTable<RowValues, Inserted>,
  row: NoInfer<Camel<Inserted>> & RowValues,
): Sql {
  const values: RowValues = row;
  return new Sql(
    insertTexts(table),
    table.insertedNames.map((name) => values[camelCase(name)]),
  );
}

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
