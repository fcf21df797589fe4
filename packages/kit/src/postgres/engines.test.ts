// The contract of both engines: a query written once gives the same rows on SQLite and on PostgreSQL.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { startTestPostgres, type TestPostgres } from '../../test/postgres/server.ts';
import { inList } from '../in-list.ts';
import { SqliteConnection } from '../sqlite/connection.ts';
import { PostgresConnection } from './connection.ts';

const MADE = sql`
  create table goods (
    no bigint primary key,
    name text,
    amount text,
    seal text
  )
`;

const NAMES = [
  'b',
  'B',
  'a',
  'A',
  'ä',
  'Z',
  'z',
  '10',
  '9',
  '_',
  '-',
  'O\'Neil; "x" \\ -- $1',
  '鮭 🐟',
];

let server: TestPostgres;
let folder: string;

before(async () => {
  server = await startTestPostgres();
  folder = await mkdtemp(join(tmpdir(), 'lothub-engines-'));
});

after(async () => {
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

let files = 0;

/** Runs the queries in order on each engine; answers the rows of the last one as SQLite and PostgreSQL. */
async function onBoth(...queries: readonly Sql[]): Promise<readonly [unknown, unknown]> {
  files += 1;
  const { url } = await server.createDatabase();
  await using sqlite = new SqliteConnection(join(folder, `${files}.sqlite`), 'write');
  await using postgres = await PostgresConnection.open(url);
  const answers = [];
  for (const reader of [sqlite, postgres]) {
    let rows: readonly object[] = [];
    for (const query of queries) rows = await reader.all<object>(query);
    answers.push(rows.map((row) => ({ ...row })));
  }
  return [answers[0], answers[1]];
}

async function assertSame(expected: readonly object[], ...queries: readonly Sql[]): Promise<void> {
  const [fromSqlite, fromPostgres] = await onBoth(...queries);

  assert.deepEqual(fromSqlite, expected);
  assert.deepEqual(fromPostgres, expected);
}

const insertNames = NAMES.map(
  (name, index) => sql`
    insert into goods (no, name)
    values (${index + 1}, ${name})
  `,
);

test('null, text and integers come back as they went in', async () => {
  const insert = sql`
    insert into goods (no, name, amount)
    values (${Number.MAX_SAFE_INTEGER}, ${null}, ${'0012.50'}),
      (${Number.MIN_SAFE_INTEGER}, ${''}, ${'2026-02-30T10:00:00Z'})
  `;
  const read = sql`
    select no, name, amount
    from goods
    order by no
  `;

  await assertSame(
    [
      { no: Number.MIN_SAFE_INTEGER, name: '', amount: '2026-02-30T10:00:00Z' },
      { no: Number.MAX_SAFE_INTEGER, name: null, amount: '0012.50' },
    ],
    MADE,
    insert,
    read,
  );
});

test('quotes, backslashes and letters of every script are text, whatever they look like', async () => {
  const read = sql`
    select name
    from goods
    where name in (${inList(NAMES)})
    order by no
  `;

  await assertSame(
    NAMES.map((name) => ({ name })),
    MADE,
    ...insertNames,
    read,
  );
});

test('text is ordered by its bytes, large letters before small ones', async () => {
  const inOrder = [...NAMES].sort((left, right) => Buffer.from(left).compare(Buffer.from(right)));
  const read = sql`
    select name
    from goods
    order by name
  `;

  await assertSame(
    inOrder.map((name) => ({ name })),
    MADE,
    ...insertNames,
    read,
  );
});

test('counts, sums and comparisons are numbers', async () => {
  const read = sql`
    select count(*) as entries, sum(no) as total, max(no) as greatest, min(no) = 1 as from_one,
      coalesce(sum(case when no > 5 then no else 0 end), 0) as late
    from goods
  `;

  await assertSame(
    [{ entries: 13, total: 91, greatest: 13, from_one: 1, late: 76 }],
    MADE,
    ...insertNames,
    read,
  );
});

test('an insert that meets a row of its key updates it and returns what is there now', async () => {
  const insert = sql`
    insert into goods (no, name)
    values (${1}, ${'first'})
  `;
  const upsert = sql`
    insert into goods (no, name)
    values (${1}, ${'second'})
    on conflict (no) do update set name = excluded.name, amount = goods.name
    returning no, name, amount
  `;

  await assertSame([{ no: 1, name: 'second', amount: 'first' }], MADE, insert, upsert);
});

test('an insert that has to do nothing returns nothing', async () => {
  const insert = sql`
    insert into goods (no, name)
    values (${1}, ${'first'})
    on conflict (no) do nothing
    returning no
  `;

  await assertSame([], MADE, insert, insert);
});

test('a page begins after a pair of values', async () => {
  const read = sql`
    select no
    from goods
    where (name, no) > (${'Z'}, ${6})
    order by name, no
    limit ${2}
  `;

  await assertSame([{ no: 10 }, { no: 3 }], MADE, ...insertNames, read);
});

test('a list of every length finds exactly its members', async () => {
  for (const length of [1, 2, 3, 5, 13]) {
    const wanted = Array.from({ length }, (_, index) => index + 1);
    const read = sql`
      select no
      from goods
      where no in (${inList(wanted)})
      order by no
    `;

    await assertSame(
      wanted.map((no) => ({ no })),
      MADE,
      ...insertNames,
      read,
    );
  }
});

test('an integer that a number cannot hold is refused by both engines, not rounded', async () => {
  const { url } = await server.createDatabase();
  await using sqlite = new SqliteConnection(join(folder, 'large.sqlite'), 'write');
  await using postgres = await PostgresConnection.open(url);
  const read = sql`select 9007199254740993 as no`;

  await assert.rejects(sqlite.all(read), { code: 'database_failed' });
  await assert.rejects(postgres.all(read), { code: 'database_failed' });
});

test('bytes come back as bytes', async () => {
  const { url } = await server.createDatabase();
  await using postgres = await PostgresConnection.open(url);
  await postgres.all(sql`create table seals (seal bytea)`);
  await postgres.all(sql`insert into seals (seal) values (${new Uint8Array([0, 255, 92])})`);

  const row = await postgres.first<{ readonly seal: Uint8Array }>(sql`select seal from seals`);

  assert.deepEqual(row, { seal: new Uint8Array([0, 255, 92]) });
});
