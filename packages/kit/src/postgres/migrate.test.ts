// Schema files on PostgreSQL: once, in order, all or none, however many processes start at a time.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import sql from 'sql-template-tag';
import { openForFile } from '../../test/open-for-file.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import type { Migration } from '../database.ts';
import { SqliteConnection, migrateSqlite } from '../sqlite/connection.ts';
import { PostgresConnection } from './connection.ts';
import { migratePostgres } from './migrate.ts';

const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: '0001-goods.sql', text: 'create table goods (no bigint primary key);' },
  {
    version: 2,
    name: '0002-names.sql',
    text: 'alter table goods add column name text; insert into goods (no, name) values (1, null);',
  },
];

const server = await openForFile(startTestPostgres());

const versions = sql`
  select service, version, name
  from schema_versions
  order by service, version
`;

test('schema files are applied once, in order, by whichever of many processes comes first', async () => {
  const { url } = await server.createDatabase();
  await using pools = new AsyncDisposableStack();
  const connections = [];
  for (let count = 0; count < 8; count += 1) {
    connections.push(pools.use(await PostgresConnection.open(url)));
  }

  await Promise.all(connections.map((one) => migratePostgres(one, MIGRATIONS, 'goods')));

  assert.deepEqual(await connections[0]!.all(versions), [
    { service: 'goods', version: 1, name: '0001-goods.sql' },
    { service: 'goods', version: 2, name: '0002-names.sql' },
  ]);
  assert.deepEqual(await connections[0]!.all(sql`select no, name from goods`), [
    { no: 1, name: null },
  ]);
});

test('an older database gets only what it lacks', async () => {
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  await migratePostgres(connection, MIGRATIONS.slice(0, 1), 'goods');
  await connection.all(sql`insert into goods (no) values (${7})`);

  await migratePostgres(connection, MIGRATIONS, 'goods');

  assert.deepEqual(await connection.all(sql`select no from goods order by no`), [
    { no: 1 },
    { no: 7 },
  ]);
});

test('a schema file that fails leaves no part of any', async () => {
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  const broken = [...MIGRATIONS, { version: 3, name: '0003-broken.sql', text: 'create tabel x;' }];

  await assert.rejects(migratePostgres(connection, broken, 'goods'), { code: 'database_failed' });

  assert.deepEqual(await connection.all(versions), []);
  assert.deepEqual(await connection.all(sql`select to_regclass('goods') as found`), [
    { found: null },
  ]);
});

test('a newer database is refused in the same words as by SQLite', async () => {
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  await using sqlite = new SqliteConnection(':memory:', 'write');
  await migratePostgres(connection, MIGRATIONS, 'goods');
  migrateSqlite(sqlite, MIGRATIONS, 'goods');
  let words: unknown;
  try {
    migrateSqlite(sqlite, [], 'goods');
  } catch (error) {
    words = error;
  }

  const refused = migratePostgres(connection, [], 'goods');

  assert.ok(words instanceof Error);
  await assert.rejects(refused, { code: 'database_too_new', message: words.message });
});

test('services keep their versions apart in one database', async () => {
  const { url } = await server.createDatabase();
  await using connection = await PostgresConnection.open(url);
  await migratePostgres(connection, MIGRATIONS, 'goods');

  await migratePostgres(
    connection,
    [{ version: 1, name: '0001-x.sql', text: 'select 1' }],
    'other',
  );

  assert.equal((await connection.all(versions)).length, 3);
});
