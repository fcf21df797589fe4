// Finds damage of a PostgreSQL database that its rows do not show, as far as the user of a service
// has access: each index against its table. Only the server's administrator can check everything
// outside of rows (free pages, the catalogue, whether pages are as they were written), with
// `pg_amcheck` and data checksums. The server refuses to read a page whose checksum is wrong, and a
// verification reports that.
import { DatabaseError } from '@lothub/kit/database';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import { present } from '@lothub/kit/present';
import sql, { raw, type Sql } from 'sql-template-tag';
import type { LedgerMismatch } from '../../verify/mismatch.ts';

/** A whole table is counted in one statement when its indexes are looked at. */
export const COUNT_TIMEOUT_MS = 3_600_000;

interface IndexRow {
  readonly table_name: string;
  readonly index_name: string;
  readonly is_valid: number;
  /** Columns in their order, as SQL. */
  readonly columns: string;
  /** Condition of a partial index, as SQL. */
  readonly predicate: string | null;
}

/** @throws DatabaseError when the server cannot be reached */
export async function findStorageDamage(
  connection: PostgresConnection,
  height: number,
): Promise<LedgerMismatch | undefined> {
  try {
    for (const index of await connection.all<IndexRow>(INDEXES)) {
      const damage =
        index.is_valid === 0 ? 'was not made to its end' : await findFault(connection, index);
      if (damage === undefined) continue;
      const message = `the index ${index.index_name} ${damage}: run \`reindex\` for it, then verify again`;
      return { height, code: 'storage_damaged', message };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof DatabaseError) || error.code !== 'database_failed') throw error;
    return {
      height,
      code: 'storage_damaged',
      message: `the database is damaged: ${error.message}`,
    };
  }
}

/** B-trees, which have an order; an index of text pieces only proposes rows that are looked at again. */
const INDEXES = sql`
  select
    quote_ident(t.relname) as table_name, quote_ident(i.relname) as index_name,
    case when x.indisvalid and x.indisready then 1 else 0 end as is_valid,
    (select string_agg(pg_get_indexdef(x.indexrelid, cast(k as integer), true), ', ' order by k)
     from generate_series(1, cast(x.indnkeyatts as integer)) as k) as columns,
    pg_get_expr(x.indpred, x.indrelid) as predicate
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid
  join pg_am a on a.oid = i.relam
  where a.amname = 'btree' and t.relpersistence = 'p' and t.relnamespace = cast(current_schema() as regnamespace)
  order by t.relname, i.relname`;

/** Counts the rows of the table one after the other and along the index, in one snapshot. */
async function findFault(
  connection: PostgresConnection,
  index: IndexRow,
): Promise<string | undefined> {
  const { table_name: table, columns, predicate } = index;
  const where = raw(predicate === null ? 'true' : predicate);
  return await connection.transaction(async (transaction) => {
    await transaction.execute('set transaction isolation level repeatable read, read only');
    const count = async (query: Sql): Promise<number> =>
      present(await transaction.first<{ rows: number }>(query), 'a count').rows;
    await transaction.execute(ALONG_TABLE);
    const inTable = await count(sql`select count(*) as rows from ${raw(table)} where ${where}`);
    await transaction.execute(ALONG_INDEX);
    const inIndex = await count(sql`
      select count(*) as rows
      from (
        select 1 from ${raw(table)} where ${where} order by ${raw(columns)} offset 0) as r`);
    if (inIndex === inTable) return undefined;
    return `leads to ${inIndex} rows of ${table}, which has ${inTable}`;
  });
}

const ALONG_TABLE = `
  set local enable_seqscan = on;
  set local enable_indexscan = off;
  set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off`;

/** Only this index gives the order without sorting. */
const ALONG_INDEX = `
  set local enable_seqscan = off;
  set local enable_indexscan = on;
  set local enable_indexonlyscan = on;
  set local enable_sort = off`;
