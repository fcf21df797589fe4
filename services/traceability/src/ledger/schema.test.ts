// The schema files of both engines: the same tables, columns and numbers, and what PostgreSQL says when
// it cannot have them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import type { TestPostgres } from '@lothub/kit/test/postgres/server';
import sql from 'sql-template-tag';
import { SERVICE_NAME, migrateLedger, postgresSchemaFolder, sqliteSchemaFolder } from './schema.ts';

let server: TestPostgres;

before(async () => {
  server = await startTestPostgres();
});

after(() => server[Symbol.asyncDispose]());

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: 'integer' | 'text';
  readonly nullable: 0 | 1;
}

/** SQLite's index of pieces of texts, which PostgreSQL has as an index of its own. */
const ONLY_SQLITE = /^lot_search/;
/** What only several processes need. */
const ONLY_POSTGRES = new Set(['leases', 'verifier_progress', 'rate_counts']);

async function columnsOfSqlite(connection: SqliteConnection): Promise<readonly Column[]> {
  const rows = await connection.all<Column>(sql`
    select t.name as "table", c.name as "column", lower(c.type) as type,
      case when c."notnull" = 1 or c.pk > 0 then 0 else 1 end as nullable
    from pragma_table_list t
    join pragma_table_info(t.name) c
    where t.schema = 'main' and t.name not like 'sqlite%'
    order by t.name, c.name`);
  return rows.filter(({ table }) => !ONLY_SQLITE.test(table)).map((row) => ({ ...row }));
}

async function columnsOfPostgres(connection: PostgresConnection): Promise<readonly Column[]> {
  const rows = await connection.all<Column>(sql`
    select table_name as "table", column_name as "column",
      replace(data_type, 'bigint', 'integer') as type,
      case when is_nullable = 'NO' then 0 else 1 end as nullable
    from information_schema.columns
    where table_schema = 'public'
    order by table_name collate "C", column_name collate "C"`);
  return rows.filter(({ table }) => !ONLY_POSTGRES.has(table));
}

test('both engines have the same tables with the same columns', async () => {
  const { url } = await server.createDatabase();
  await using postgres = await PostgresConnection.open(url);
  await using sqlite = new SqliteConnection(':memory:', 'write');
  await migrateLedger(postgres);
  migrateSqlite(sqlite, readMigrations(sqliteSchemaFolder), SERVICE_NAME);

  const [ofSqlite, ofPostgres] = [await columnsOfSqlite(sqlite), await columnsOfPostgres(postgres)];

  assert.notEqual(ofSqlite.length, 0);
  assert.deepEqual(ofPostgres, ofSqlite);
});

test('both engines number their schema files alike', () => {
  const names = (folder: string): readonly string[] =>
    readMigrations(folder).map((one) => one.name);

  assert.deepEqual(names(postgresSchemaFolder), names(sqliteSchemaFolder));
});

test('every text of the ledger on PostgreSQL compares by its bytes', async () => {
  const { url } = await server.createDatabase();
  await using postgres = await PostgresConnection.open(url);
  await migrateLedger(postgres);

  const others = await postgres.all(sql`
    select table_name, column_name
    from information_schema.columns
    where table_schema = 'public' and table_name <> 'schema_versions'
      and data_type = 'text' and collation_name is distinct from 'C'`);

  assert.deepEqual(others, []);
});

test('the schema is applied once, however many processes start at a time', async () => {
  const { url } = await server.createDatabase();
  await using pools = new AsyncDisposableStack();
  const connections = [];
  for (let count = 0; count < 4; count += 1) {
    connections.push(pools.use(await PostgresConnection.open(url)));
  }

  await Promise.all(connections.map(migrateLedger));

  const versions = await connections[0]!.all<{ readonly version: number }>(
    sql`select version from schema_versions where service = ${SERVICE_NAME} order by version`,
  );
  assert.deepEqual(
    versions.map((row) => row.version),
    readMigrations(postgresSchemaFolder).map((one) => one.version),
  );
});

test('a user who may not create the extensions hears what to do, and nothing is made', async () => {
  const { name, url } = await server.createDatabase();
  await using owner = await PostgresConnection.open(url);
  await owner.transaction((transaction) =>
    transaction.execute(`
      create role clerk_of_${name} login password 'clerk';
      grant usage, create on schema public to clerk_of_${name};`),
  );
  const clerkUrl = new URL(url);
  clerkUrl.username = `clerk_of_${name}`;
  clerkUrl.password = 'clerk';
  await using clerk = await PostgresConnection.open(clerkUrl.href);

  const refused = migrateLedger(clerk);

  await assert.rejects(refused, {
    code: 'database_unsupported',
    message:
      /lacks pg_trgm and btree_gin .* run `create extension pg_trgm; create extension btree_gin;` once/,
  });
  assert.deepEqual(await owner.all(sql`select to_regclass('blocks') as found`), [{ found: null }]);
});

test('a user who may not create the extensions can use those that are there', async () => {
  const { name, url } = await server.createDatabase();
  await using owner = await PostgresConnection.open(url);
  await owner.transaction((transaction) =>
    transaction.execute(`
      create extension pg_trgm;
      create extension btree_gin;
      create role clerk_of_${name} login password 'clerk';
      grant usage, create on schema public to clerk_of_${name};`),
  );
  const clerkUrl = new URL(url);
  clerkUrl.username = `clerk_of_${name}`;
  clerkUrl.password = 'clerk';
  await using clerk = await PostgresConnection.open(clerkUrl.href);

  await migrateLedger(clerk);

  assert.deepEqual(await clerk.all(sql`select height from blocks`), []);
});

test('the database refuses a block that does not link to the one before it', async () => {
  const { url } = await server.createDatabase();
  await using postgres = await PostgresConnection.open(url);
  await migrateLedger(postgres);
  const insert = (height: number, prevHeight: number | null, prevHash: string) =>
    postgres.transaction((transaction) =>
      transaction.all(sql`
        insert into blocks (height, prev_height, prev_hash, hash, canonical)
        values (${height}, ${prevHeight}, ${prevHash}, ${`hash of ${height}`}, ${'{}'})`),
    );
  await insert(0, null, '0'.repeat(64));
  await insert(1, 0, 'hash of 0');

  const attempts = [
    insert(2, 1, 'another'),
    insert(2, 0, 'hash of 0'),
    insert(2, null, 'hash of 1'),
  ];

  for (const { status } of await Promise.allSettled(attempts)) assert.equal(status, 'rejected');
  await insert(2, 1, 'hash of 1');
});
