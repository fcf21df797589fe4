// A SQLite ledger copied to PostgreSQL: every row of every table, all or nothing, and never over a
// ledger that is there.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { startTestPostgres, type TestPostgres } from '@lothub/kit/test/postgres/server';
import type { StoredTable } from '@lothub/kit/rows/stored-table';
import sql, { raw } from 'sql-template-tag';
import { copyToPostgres, type CopyProgress } from '../../src/ledger/operate/copy-to-postgres.ts';
import { migrateLedger } from '../../src/ledger/postgres/migrate-ledger.ts';
import { LEDGER_TABLES } from '../../src/ledger/tables/all.ts';
import { buildRichLedger, openRich, type RichLedger } from '../rich-ledger.ts';

let server: TestPostgres;
let ledger: RichLedger;
let sqlite: SqliteConnection;

before(async () => {
  server = await startTestPostgres();
  ledger = await buildRichLedger();
  sqlite = openRich(ledger);
});

after(async () => {
  await sqlite.close();
  await ledger[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function openEmpty(): Promise<PostgresConnection> {
  const { url } = await server.createDatabase();
  const connection = await PostgresConnection.open(url);
  await migrateLedger(connection);
  return connection;
}

type Rows = readonly Readonly<Record<string, unknown>>[];

async function readRows(
  connection: SqliteConnection | PostgresConnection,
  { name, key }: StoredTable,
): Promise<Rows> {
  const rows = await connection.all<Record<string, unknown>>(
    sql`select ${raw('*')} from ${raw(name)} order by ${raw(key.join(', '))}`,
  );
  return rows.map((row) => ({ ...row }));
}

test('every row of every table arrives as it was', async () => {
  await using postgres = await openEmpty();

  await copyToPostgres({ from: sqlite, to: postgres });

  for (const table of LEDGER_TABLES) {
    const expected = await readRows(sqlite, table);
    // A tile is of 256 blocks.
    if (table.name !== 'log_tiles') {
      assert.notEqual(expected.length, 0, `nothing was copied of ${table.name}`);
    }
    assert.deepEqual(await readRows(postgres, table), expected, table.name);
  }
});

test('no table of the ledger is forgotten', async () => {
  const tables = await sqlite.all<{ readonly name: string }>(sql`
    select name
    from sqlite_schema
    where type = 'table' and name not like 'sqlite%' and name not like 'lot^_search%' escape '^'
      and name not like 'block^_hashes%' escape '^' and name <> 'schema_versions'
    order by name`);

  assert.deepEqual(
    LEDGER_TABLES.map(({ name }) => name).toSorted(),
    tables.map(({ name }) => name),
  );
});

test('afterwards the database has the indexes that its schema names', async () => {
  await using bare = await openEmpty();
  await using postgres = await openEmpty();
  const indexes = sql`
    select indexname, indexdef
    from pg_indexes
    where schemaname = 'public'
    order by indexname`;

  await copyToPostgres({ from: sqlite, to: postgres });

  assert.deepEqual(await postgres.all(indexes), await bare.all(indexes));
});

test('what the database numbers goes on behind the rows that were copied', async () => {
  await using postgres = await openEmpty();
  await copyToPostgres({ from: sqlite, to: postgres });
  const last = await postgres.first<{ readonly no: number }>(
    sql`select max(hold_no) as no from lot_holds`,
  );

  const [added] = await postgres.all<{ readonly no: number }>(sql`
    insert into lot_holds (lot_no, source, reason, held_by, held_since)
    values (1, 'another', '', '', '')
    returning hold_no as no`);

  assert.equal(added?.no, last!.no + 1);
});

test('progress goes up table by table until every row is counted', async () => {
  await using postgres = await openEmpty();
  const steps: CopyProgress[] = [];

  await copyToPostgres({ from: sqlite, to: postgres, onProgress: (step) => steps.push(step) });

  assert.deepEqual(
    [...new Set(steps.map(({ table }) => table))],
    LEDGER_TABLES.map(({ name }) => name),
  );
  assert.deepEqual(
    steps.map(({ rows }) => rows),
    steps.map(({ rows }) => rows).toSorted((a, b) => a - b),
  );
  assert.equal(steps.at(-1)!.rows, steps.at(-1)!.total);
});

for (const [table, insert] of [
  ['blocks', sql`insert into blocks (height, hash, canonical) values (0, '', '')`],
  ['brands', sql`insert into brands (tenant_id, updated_at) values ('acme', '')`],
] as const) {
  test(`a database with a row in ${table} is refused and stays as it was`, async () => {
    await using postgres = await openEmpty();
    await postgres.all(insert);

    const refused = copyToPostgres({ from: sqlite, to: postgres });

    await assert.rejects(refused, {
      code: 'target_taken',
      message: new RegExp(`holds one already .* rows in ${table}`),
    });
    assert.deepEqual(await postgres.all(sql`select height from events`), []);
  });
}

test('a copy that fails in the middle leaves nothing', async () => {
  await using postgres = await openEmpty();
  const stop = new Error('stopped by the test');

  const failed = copyToPostgres({
    from: sqlite,
    to: postgres,
    onProgress: ({ table }) => {
      if (table === 'api_keys') throw stop;
    },
  });

  await assert.rejects(failed, stop);
  for (const table of LEDGER_TABLES) assert.deepEqual(await readRows(postgres, table), []);
  await copyToPostgres({ from: sqlite, to: postgres });
});

test('a server that crashes in the middle has nothing of it afterwards', async () => {
  await using postgres = await openEmpty();
  let stopped: Promise<void> | undefined;

  const failed = copyToPostgres({
    from: sqlite,
    to: postgres,
    onProgress: ({ table }) => {
      if (table === 'lines') stopped ??= server.stop('immediate');
    },
  });

  await assert.rejects(failed, { code: 'database_busy' });
  await stopped;
  await server.start();
  for (const table of LEDGER_TABLES) assert.deepEqual(await readRows(postgres, table), []);
});
