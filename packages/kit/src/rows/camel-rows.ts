// Rows of described tables for code that carries them far from the database: their names are camelCase
// in select lists.
import { raw, type Sql } from 'sql-template-tag';
import type { RowOf, StoredTable } from './stored-table.ts';

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

function camelCase(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}
