// The schema files of both engines: the tables as they are described, the same numbers, and what
// PostgreSQL says when it cannot have them.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { readMigrations } from '@lothub/kit/migrations';
import { PostgresConnection } from '@lothub/kit/postgres/connection';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import type { StoredTable } from '@lothub/kit/rows/stored-table';
import { startTestPostgres } from '@lothub/kit/test/postgres/server';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { DERIVED_VERSION } from './rows-of-blocks.ts';
import { migrateLedger } from './postgres/migrate-ledger.ts';
import { SERVICE_NAME, postgresSchemaFolder, sqliteSchemaFolder } from './schema.ts';
import { DERIVED_TABLES, HEIGHT_TABLES, LEDGER_TABLES } from './tables/all.ts';

const server = await openForFile(startTestPostgres());

interface Described {
  readonly key: readonly string[];
  /** Columns in the order of the table, such as `height integer not null`. */
  readonly columns: readonly string[];
}

/** The engines' names of the type of bytes. */
const TYPES_OF_BYTES = new Set(['blob', 'bytea']);

type Tables = Readonly<Record<string, Described>>;

/** Tables that are described nowhere, because no row of them is of the ledger. */
const OF_BOTH_ENGINES = {
  schema_versions: 'which schema files were applied; kept by kit',
};
const OF_SQLITE = {
  lot_search: 'the index of pieces of texts; PostgreSQL has an index of `lot_texts` for it',
  lot_search_config: 'a part of that index',
  lot_search_data: 'a part of that index',
  lot_search_docsize: 'a part of that index',
  lot_search_idx: 'a part of that index',
  lot_search_through: 'how far that index has come; kept by sqlite/lot-search.ts',
  block_hashes: 'for the search by hashes; PostgreSQL has an index of `blocks` for it',
  block_hashes_through: 'how far that table has come; kept by sqlite/hash-search.ts',
};
const OF_POSTGRES = {
  leases: 'whose turn it is, of several processes; kept by kit',
  rate_counts: 'requests counted for several processes; kept by kit',
  verifier_progress: 'how far the verifier of all processes has come; postgres/verifier/turns.ts',
};

interface ColumnRow {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  readonly nullable: 0 | 1;
  /** 1 for a column that an insert may leave out. */
  readonly optional: 0 | 1;
  /** Its place in the primary key; 0 if it has none. */
  readonly place: number;
}

const DESCRIBED: Tables = Object.fromEntries(
  LEDGER_TABLES.map(({ name, key, names, columns }: StoredTable) => [
    name,
    {
      key,
      columns: names.map((column) => {
        const { kind, isNullable } = columns[column]!;
        return `${column} ${kind}${isNullable ? '' : ' not null'}`;
      }),
    },
  ]),
);

function groupTables(rows: readonly ColumnRow[], others: Readonly<Record<string, string>>): Tables {
  const isOther = (table: string): boolean => table in others || table in OF_BOTH_ENGINES;
  const tables = Map.groupBy(
    rows.filter(({ table }) => !isOther(table)),
    ({ table }) => table,
  );
  return Object.fromEntries(
    [...tables].map(([table, columns]) => [
      table,
      {
        key: columns
          .filter(({ place }) => place > 0)
          .sort((a, b) => a.place - b.place)
          .map(({ column }) => column),
        columns: columns.map(
          ({ column, type, nullable }) =>
            `${column} ${TYPES_OF_BYTES.has(type) ? 'bytes' : type}${nullable === 1 ? '' : ' not null'}`,
        ),
      },
    ]),
  );
}

function columnsOfSqlite(connection: SqliteConnection): Promise<readonly ColumnRow[]> {
  return connection.all<ColumnRow>(sql`
    select t.name as "table", c.name as "column", lower(c.type) as type,
      case when c."notnull" = 1 or c.pk > 0 then 0 else 1 end as nullable,
      case
        when c."notnull" = 0 and c.pk = 0 then 1
        when c.dflt_value is not null then 1
        when c.pk = 1 and lower(c.type) = 'integer' and t.wr = 0 then 1
        else 0
      end as optional,
      c.pk as place
    from pragma_table_list t
    join pragma_table_info(t.name) c
    where t.schema = 'main' and t.name not like 'sqlite%'
    order by t.name, c.cid`);
}

function columnsOfPostgres(connection: PostgresConnection): Promise<readonly ColumnRow[]> {
  return connection.all<ColumnRow>(sql`
    select c.table_name as "table", c.column_name as "column",
      replace(c.data_type, 'bigint', 'integer') as type,
      case when c.is_nullable = 'NO' then 0 else 1 end as nullable,
      case
        when c.is_nullable = 'YES' or c.column_default is not null or c.is_identity = 'YES' then 1
        else 0
      end as optional,
      coalesce((
        select array_position(i.indkey::smallint[], a.attnum) + 1
        from pg_index i
        join pg_attribute a on a.attrelid = i.indrelid and a.attname = c.column_name
        where i.indrelid = c.table_name::regclass and i.indisprimary
      ), 0) as place
    from information_schema.columns c
    where c.table_schema = 'public'
    order by c.table_name collate "C", c.ordinal_position`);
}

/** Lists columns that inserts leave out although the schema has no value for them. */
function listNeeded(rows: readonly ColumnRow[]): readonly string[] {
  const tables: readonly StoredTable[] = LEDGER_TABLES;
  return tables.flatMap(({ name, columns }) =>
    rows
      .filter(({ table, column, optional }) => {
        const described = table === name ? columns[column] : undefined;
        return optional === 0 && described !== undefined && described.atInsert !== 'given';
      })
      .map(({ column }) => `${name}.${column}`),
  );
}

test('the tables of SQLite are those that are described, column for column', async () => {
  await using sqlite = new SqliteConnection(':memory:', 'write');
  migrateSqlite(sqlite, readMigrations(sqliteSchemaFolder), SERVICE_NAME);

  const rows = await columnsOfSqlite(sqlite);

  assert.deepEqual(groupTables(rows, OF_SQLITE), DESCRIBED);
  assert.deepEqual(listNeeded(rows), []);
});

test('the tables of PostgreSQL are those that are described, column for column', async () => {
  const { url } = await server.createDatabase();
  await using postgres = await PostgresConnection.open(url);
  await migrateLedger(postgres);

  const rows = await columnsOfPostgres(postgres);

  assert.deepEqual(groupTables(rows, OF_POSTGRES), DESCRIBED);
  assert.deepEqual(listNeeded(rows), []);
});

test('tables whose rows belong to the block of their height are named as such', () => {
  const tables: readonly StoredTable[] = LEDGER_TABLES;

  const byHeight = tables.filter(({ key }) => key[0] === 'height');

  assert.deepEqual(
    byHeight.map(({ name }) => name).toSorted(),
    HEIGHT_TABLES.map(({ name }) => name).toSorted(),
  );
});

test('with the columns that are derived changes the version of the derived rows', () => {
  // The tree of the log is made while the hub serves (LogTiles), not when it is opened.
  const columns = DERIVED_TABLES.filter(({ name }) => name !== 'log_tiles')
    .flatMap(({ names }): readonly string[] => names)
    .filter((name) => name !== 'frontier');

  // A change of the second number requires an increase of the first one, so that rows of older
  // ledgers are rebuilt. The exception are columns whose defaults are right for every block that
  // can be there already. Those of 0016 are: no block before version 2 of the format has a consignee.
  assert.deepEqual(
    [DERIVED_VERSION, columns.length],
    [5, 88],
    'the version and the derived columns: see docs/how-to.md#add-a-column-to-a-table-of-the-ledger',
  );
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

  await Promise.all(connections.map((one) => migrateLedger(one)));

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
  const write = (statement: Sql) =>
    postgres.transaction((transaction) => transaction.all(statement));
  await assertLinked(write);
  // Several blocks of one statement link to each other.
  await write(sql`insert into blocks (height, hash, canonical) values
    (3, ${makeHash(3)}, ${linkTo(2)}), (4, ${makeHash(4)}, ${linkTo(3)})`);
  const gap = sql`insert into blocks (height, hash, canonical) values
    (5, ${makeHash(5)}, ${linkTo(4)}), (6, ${makeHash(6)}, ${linkTo(4)})`;
  await assert.rejects(write(gap), /must carry the hash/);
});

test('SQLite refuses a block that does not link to the one before it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'lothub-links-'));
  await using connection = new SqliteConnection(join(dir, 'test.db'), 'write');
  migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);

  await assertLinked(async (statement) => connection.runNow(statement));

  await rm(dir, { recursive: true });
});

const makeHash = (height: number): string => String(height).padStart(64, '0');
const linkTo = (height: number): string => `{"payload":{},"prev_hash":"${makeHash(height)}"}`;

/** Blocks 0 to 2 are written; what would break the chain is refused. */
async function assertLinked(write: (statement: Sql) => Promise<unknown>): Promise<void> {
  const insert = (height: number, canonical: string) =>
    write(sql`
      insert into blocks (height, hash, canonical)
      values (${height}, ${makeHash(height)}, ${canonical})`);
  const refuses = async (attempt: () => Promise<unknown>, why: RegExp): Promise<void> => {
    await assert.rejects(async () => await attempt(), why);
  };
  await insert(0, '{}');
  await insert(1, linkTo(0));

  await refuses(() => insert(2, linkTo(7)), /must carry the hash/);
  await refuses(() => insert(2, linkTo(0)), /must carry the hash/);
  await refuses(() => insert(2, '{}'), /must carry the hash/);
  await refuses(() => insert(3, linkTo(1)), /must carry the hash/);
  await refuses(() => insert(-1, linkTo(1)), /check/i);
  await insert(2, linkTo(1));
  await refuses(() => write(sql`update blocks set hash = 'x' where height = 1`), /never changes/);
  await refuses(
    () => write(sql`update blocks set canonical = '' where height = 2`),
    /never changes/,
  );
  await refuses(() => write(sql`update blocks set height = 9 where height = 2`), /never changes/);
  await refuses(() => write(sql`delete from blocks where height = 1`), /never deleted/);
}
