// Finds damage of a PostgreSQL database that its rows do not show, as far as the user of a service
// has access: each index against its table. Only the server's administrator can check everything
// outside of rows (free pages, the catalogue, whether pages are as they were written), with
// `pg_amcheck` and data checksums. The server refuses to read a page whose checksum is wrong, and a
// verification reports that.
import { DatabaseError } from '@lothub/kit/database';
import type { PostgresConnection } from '@lothub/kit/postgres/connection';
import type { PostgresSession } from '@lothub/kit/postgres/transaction';
import sql, { join, raw, type Sql } from 'sql-template-tag';
import type { LedgerMismatch } from '../../verify/mismatch.ts';

/** A whole table is counted in one statement when its indexes are looked at. */
export const COUNT_TIMEOUT_MS = 3_600_000;

/** Indexes over this much are counted in one snapshot, and a larger one alone: no snapshot lasts for long. */
const SNAPSHOT_BYTES_MAX = 64 * 1024 * 1024;

interface IndexRow {
  readonly table_name: string;
  readonly index_name: string;
  readonly is_valid: number;
  /** Columns in their order, as SQL. */
  readonly columns: string;
  /** Condition of a partial index, as SQL. */
  readonly predicate: string | null;
  readonly table_bytes: number;
}

/** @throws DatabaseError when the server cannot be reached */
export async function findStorageDamage(
  connection: PostgresConnection,
  height: number,
): Promise<LedgerMismatch | undefined> {
  try {
    const indexes = await connection.all<IndexRow>(INDEXES);
    for (const portion of sharePortions(indexes)) {
      const fault = await findFault(connection, portion);
      if (fault === undefined) continue;
      const { index, damage } = fault;
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
    pg_get_expr(x.indpred, x.indrelid) as predicate, pg_relation_size(t.oid) as table_bytes
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid
  join pg_am a on a.oid = i.relam
  where a.amname = 'btree' and t.relpersistence = 'p' and t.relnamespace = cast(current_schema() as regnamespace)
  order by t.relname, i.relname`;

interface Fault {
  readonly index: IndexRow;
  readonly damage: string;
}

function* sharePortions(indexes: readonly IndexRow[]): Generator<readonly IndexRow[]> {
  let portion: IndexRow[] = [];
  let bytes = 0;
  for (const index of indexes) {
    if (portion.length > 0 && bytes + index.table_bytes > SNAPSHOT_BYTES_MAX) {
      yield portion;
      [portion, bytes] = [[], 0];
    }
    portion.push(index);
    bytes += index.table_bytes;
  }
  if (portion.length > 0) yield portion;
}

/** Counts rows one after the other and along each index, in one snapshot. */
async function findFault(
  connection: PostgresConnection,
  indexes: readonly IndexRow[],
): Promise<Fault | undefined> {
  const unfinished = indexes.find((index) => index.is_valid === 0);
  if (unfinished !== undefined) return { index: unfinished, damage: 'was not made to its end' };
  // Most indexes are of all rows: a table is read once for each condition, and not for each index.
  const kinds = [...new Set(indexes.map(formatRows))];
  return await connection.transaction(async (transaction) => {
    await transaction.execute(ALONG_TABLES);
    const inTables = await countEach(
      transaction,
      kinds.map((rows) => sql`select 1 from ${raw(rows)}`),
    );
    await transaction.execute(ALONG_INDEXES);
    const inIndexes = await countEach(
      transaction,
      indexes.map(
        (index) =>
          sql`select 1 from ${raw(formatRows(index))} order by ${raw(index.columns)} offset 0`,
      ),
    );
    for (const [place, index] of indexes.entries()) {
      const [inIndex, inTable] = [inIndexes[place], inTables[kinds.indexOf(formatRows(index))]];
      if (inIndex === inTable) continue;
      return {
        index,
        damage: `leads to ${inIndex} rows of ${index.table_name}, which has ${inTable}`,
      };
    }
    return undefined;
  });
}

/** Which rows an index has, as SQL. */
function formatRows({ table_name: table, predicate }: IndexRow): string {
  return `${table} where ${predicate ?? 'true'}`;
}

/** How many rows each query has, asked by one statement. */
async function countEach(
  transaction: PostgresSession,
  queries: readonly Sql[],
): Promise<readonly number[]> {
  const counts = queries.map(
    (query, place) =>
      sql`select ${raw(String(place))} as place, count(*) as rows from (${query}) as r`,
  );
  const answers = await transaction.all<{ place: number; rows: number }>(
    join(counts, ' union all '),
  );
  return answers.toSorted((left, right) => left.place - right.place).map(({ rows }) => rows);
}

const ALONG_TABLES = `
  set transaction isolation level repeatable read, read only;
  set local enable_seqscan = on;
  set local enable_indexscan = off;
  set local enable_indexonlyscan = off;
  set local enable_bitmapscan = off`;

/** Only this index gives the order without sorting. */
const ALONG_INDEXES = `
  set local enable_seqscan = off;
  set local enable_indexscan = on;
  set local enable_indexonlyscan = on;
  set local enable_sort = off`;
