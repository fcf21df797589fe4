// Copies a whole ledger from SQLite into an empty PostgreSQL database: every block, everything derived
// from them, and what is kept beside the chain (private values, keys, holds, the audit, alarms).
import { nextTurn } from '@lothub/kit/in-turns';
import type { PostgresConnection, PostgresTransaction } from '@lothub/kit/postgres/connection';
import type { CopyRow } from '@lothub/kit/postgres/copy';
import { asDatabaseError, type SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { StoredTable } from '@lothub/kit/rows/stored-table';
import sql, { raw } from 'sql-template-tag';
import { LEDGER_TABLES } from '../tables/all.ts';

/** Rows of one COPY, and characters in it, whichever comes first: what is in memory at once. */
const ROWS_PER_SLICE = 5_000;
const CHARS_PER_SLICE = 4_194_304;
/** Indexes of a large hub are made in minutes; the database has no other users meanwhile. */
const INDEX_TIMEOUT_MS = 3_600_000;

export interface CopyProgress {
  /** The table that is being copied. */
  readonly table: string;
  /** Rows copied so far, of all tables. */
  readonly rows: number;
  /** Rows of all tables. */
  readonly total: number;
}

export interface CopyOptions {
  /**
   * A hub that no process writes to meanwhile; rows written after the start would not be copied.
   */
  readonly from: SqliteConnection;
  /** A database that has the schema (`migrateLedger`) and no ledger. */
  readonly to: PostgresConnection;
  readonly onProgress?: (progress: CopyProgress) => void;
}

/** The database that should take the ledger has one already; nothing was changed. */
export class TargetTakenError extends Error {
  readonly code = 'target_taken';
  readonly table: string;

  constructor(table: string) {
    super(
      `copying a ledger: the PostgreSQL database holds one already (there are rows in ${table}); ` +
        'name an empty database',
    );
    this.name = 'TargetTakenError';
    this.table = table;
  }
}

/**
 * Copies in one transaction: a crash, a lost connection or a refusal leaves the target unchanged. The caller
 * verifies the copy afterwards.
 * @throws TargetTakenError when there is a ledger; DatabaseError when either database fails
 */
export async function copyToPostgres({ from, to, onProgress }: CopyOptions): Promise<void> {
  await inSnapshot(from, async () => {
    const total = countRows(from);
    let rows = 0;
    await to.transaction(async (transaction) => {
      await assertEmpty(transaction);
      const indexes = await dropIndexes(transaction);
      for (const table of LEDGER_TABLES) {
        const { name } = table;
        onProgress?.({ table: name, rows, total });
        for (const slice of readSlices(from, table)) {
          await transaction.copyIn({ table: name, columns: table.names }, slice);
          rows += slice.length;
          onProgress?.({ table: name, rows, total });
          // Signals and the drawing of progress get their turn.
          await nextTurn();
        }
        await moveNumbersOn(transaction, table);
      }
      await makeIndexes(transaction, indexes);
      // Without statistics of the tables, the first queries would be planned for empty ones.
      for (const { name } of LEDGER_TABLES) {
        await transaction.execute(`analyze ${name}`, INDEX_TIMEOUT_MS);
      }
    });
  });
}

/** Reads every table in one snapshot, even if another process writes meanwhile. */
async function inSnapshot<Result>(
  connection: SqliteConnection,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    connection.database.exec('begin');
    return await work();
  } catch (error) {
    // Errors of PostgreSQL and of the copy itself already say what was attempted.
    throw isSqliteFailure(error) ? asDatabaseError(error, 'reading the ledger to copy') : error;
  } finally {
    if (connection.database.isTransaction) connection.database.exec('rollback');
  }
}

function isSqliteFailure(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error;
}

/** @throws TargetTakenError */
async function assertEmpty(transaction: PostgresTransaction): Promise<void> {
  // A service that starts on this database at the same moment waits here before it makes a chain.
  await transaction.execute('lock table blocks in exclusive mode');
  for (const { name } of LEDGER_TABLES) {
    const row = await transaction.first(sql`select 1 as found from ${raw(name)} limit 1`);
    if (row !== undefined) throw new TargetTakenError(name);
  }
}

/**
 * Drops the indexes that only serve queries. They are made at the end from sorted rows, which is
 * faster than row by row. Indexes of unique and foreign keys stay.
 * @returns the statements that make them again
 */
async function dropIndexes(transaction: PostgresTransaction): Promise<readonly string[]> {
  const indexes = await transaction.all<{ readonly name: string; readonly definition: string }>(sql`
    select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition
    from pg_index i
    join pg_class t on t.oid = i.indrelid
    where t.relnamespace = current_schema()::regnamespace
      and t.relname = any(${LEDGER_TABLES.map(({ name }) => name)}::text[])
      and not exists (select 1 from pg_constraint c where c.conindid = i.indexrelid)
    order by i.indexrelid`);
  for (const { name } of indexes) await transaction.execute(`drop index ${name}`);
  return indexes.map(({ definition }) => definition);
}

async function makeIndexes(
  transaction: PostgresTransaction,
  definitions: readonly string[],
): Promise<void> {
  await transaction.execute(`set local statement_timeout = ${INDEX_TIMEOUT_MS}`);
  for (const definition of definitions) await transaction.execute(definition, INDEX_TIMEOUT_MS);
}

/** Makes the database continue its numbers after those of the copied rows. */
async function moveNumbersOn(
  transaction: PostgresTransaction,
  { name, numberedName }: StoredTable,
): Promise<void> {
  if (numberedName === undefined) return;
  const row = await transaction.first<{ readonly last: number | null }>(
    sql`select max(${raw(numberedName)}) as last from ${raw(name)}`,
  );
  const next = (row?.last ?? 0) + 1;
  // Unlike setval, this is part of the transaction: a rollback leaves no gap.
  await transaction.execute(
    `alter table ${name} alter column ${numberedName} restart with ${next}`,
  );
}

function countRows(connection: SqliteConnection): number {
  return LEDGER_TABLES.reduce((sum, { name }) => {
    const row = connection.statement(`select count(*) as count from ${name}`).get();
    return sum + Number(row?.['count']);
  }, 0);
}

/**
 * Yields rows in the order of the key, so that PostgreSQL's disk has them in the order in which
 * they are read.
 */
function* readSlices(
  connection: SqliteConnection,
  { name, key, names }: StoredTable,
): Generator<readonly CopyRow[]> {
  const statement = connection.statement(
    `select ${names.join(', ')} from ${name} order by ${key.join(', ')}`,
  );
  let slice: CopyRow[] = [];
  let chars = 0;
  for (const stored of statement.iterate()) {
    const row = names.map((column) => copyValue(stored[column]));
    for (const value of row) chars += measureValue(value);
    slice.push(row);
    if (slice.length < ROWS_PER_SLICE && chars < CHARS_PER_SLICE) continue;
    yield slice;
    slice = [];
    chars = 0;
  }
  if (slice.length > 0) yield slice;
}

/** Characters that a value takes up in memory, near enough. */
function measureValue(value: CopyRow[number]): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}

function copyValue(value: unknown): CopyRow[number] {
  if (value === null || typeof value === 'string' || typeof value === 'number') return value;
  if (value instanceof Uint8Array) return value;
  throw new TypeError(`copying a ledger: it holds a value of type ${typeof value}`);
}
