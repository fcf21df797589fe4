// A ledger as version 0.5 left it: its tables, its rows, and what was decided with nothing on the chain.
import { copyFile } from 'node:fs/promises';
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { migratePostgres } from '@lothub/kit/postgres/migrate';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import sql, { Sql } from 'sql-template-tag';
import type { SqlValue } from '@lothub/kit/database';
import { SERVICE_NAME, postgresSchemaFolder, sqliteSchemaFolder } from '../src/ledger/schema.ts';
import { databaseFile } from '../src/ledger/sqlite/store.ts';
import { DERIVED_TABLES, PRIVATE_TABLES } from '../src/ledger/tables/all.ts';
import { BLOCKS, IMPORT_KEYS } from '../src/ledger/tables/chain.ts';
import { tipRecordFile } from '../src/ledger/tip-record.ts';
import { newBarePostgres, newTestDatabase, testEngine, type TestDatabase } from './engine.ts';
import { openTestLedger, type TestLedger } from './ledger.ts';

/** Schema files of 0.5, and the version of the rows that it derived. */
const SCHEMA_FILES = 17;
const DERIVED_VERSION = 2;

export interface OlderHold {
  readonly tenantId: string;
  readonly lotCode: string;
  /** `manual`, or the number of a case. */
  readonly source: string;
  readonly reason: string;
  readonly by: string;
  readonly since: string;
  readonly released?: { readonly at: string; readonly by: string };
}

/** @param record appends what the ledger is to hold */
export async function makeOlderLedger(
  record: (ledger: TestLedger) => Promise<void>,
  holds: readonly OlderHold[],
): Promise<TestDatabase> {
  const older = testEngine === 'sqlite' ? await newTestDatabase() : await newBarePostgres();
  await using newer = await openTestLedger();
  await record(newer);
  await newer.store.close();
  await using connection = await openWithOlderSchema(older);
  for (const { name } of [BLOCKS, ...DERIVED_TABLES, ...PRIVATE_TABLES, IMPORT_KEYS]) {
    await copyTable(newer.database, connection, name);
  }
  await connection.all(sql`update head set derived_version = ${DERIVED_VERSION}`);
  for (const hold of holds) await insertHold(connection, hold);
  await copyFile(tipRecordFile(newer.dataDir), tipRecordFile(older.dataDir));
  return older;
}

type Connection = SqliteConnection | PostgresConnection;

async function openWithOlderSchema({ dataDir, databaseUrl }: TestDatabase): Promise<Connection> {
  if (databaseUrl === undefined) {
    const connection = new SqliteConnection(databaseFile(dataDir), 'write');
    const files = readMigrations(sqliteSchemaFolder).slice(0, SCHEMA_FILES);
    migrateSqlite(connection, files, SERVICE_NAME);
    return connection;
  }
  const connection = await PostgresConnection.open(databaseUrl, { connectionsMax: 1 });
  const files = readMigrations(postgresSchemaFolder).slice(0, SCHEMA_FILES);
  await migratePostgres(connection, files, SERVICE_NAME);
  return connection;
}

/** Columns that tables have no more, made of those that they have. */
const FORMER_COLUMNS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  blocks: {
    prev_height: 'nullif(height - 1, -1)',
    prev_hash: 'substr(canonical, length(canonical) - 65, 64)',
  },
};

/** The columns that the table had then; none where there was no such table. */
async function copyTable(from: TestDatabase, to: Connection, table: string): Promise<void> {
  const columns = await readColumns(to, table);
  if (columns.length === 0) return;
  const list = columns.join(', ');
  const former = FORMER_COLUMNS[table] ?? {};
  const read = columns.map((name) => (name in former ? `${former[name]!} as ${name}` : name));
  const rows = await from.rows(`select ${read.join(', ')} from ${table} order by ${columns[0]!}`);
  for (const row of rows) {
    const values = columns.map((column) => row[column] as SqlValue);
    const between = new Array<string>(values.length - 1).fill(', ');
    await to.all(new Sql([`insert into ${table} (${list}) values (`, ...between, ')'], values));
  }
}

async function readColumns(connection: Connection, table: string): Promise<readonly string[]> {
  const rows =
    connection instanceof SqliteConnection
      ? await connection.all<{ readonly name: string }>(
          sql`select name from pragma_table_info(${table})`,
        )
      : await connection.all<{ readonly name: string }>(sql`
          select column_name as name
          from information_schema.columns
          where table_schema = 'public' and table_name = ${table}
          order by ordinal_position`);
  return rows.map(({ name }) => name);
}

async function insertHold(connection: Connection, hold: OlderHold): Promise<void> {
  const { tenantId, lotCode, source, reason, by, since, released } = hold;
  const isHeld = sql`
    where tenant_no = (select tenant_no from tenants where tenant_id = ${tenantId})
      and lot_code = ${lotCode}`;
  await connection.all(sql`
    insert into lot_holds (
      lot_no, tenant_no, source, reason, held_by, held_since, released_at, released_by
    )
    select lot_no, tenant_no, cast(${source} as text), cast(${reason} as text),
      cast(${by} as text), cast(${since} as text), cast(${released?.at ?? null} as text),
      cast(${released?.by ?? null} as text)
    from lots
    ${isHeld}`);
  if (released === undefined) await connection.all(sql`update lots set on_hold = 1 ${isHeld}`);
}
