// A SQLite connection: the rows of its queries, which rules of a schema it enforces, writing a table anew, and cutting off the log.
import assert from 'node:assert/strict';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import sql, { raw } from 'sql-template-tag';
import { SqliteConnection, asDatabaseError } from './connection.ts';

let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lothub-test-'));
});
after(() => rm(folder, { recursive: true }));

/** A table with a composite key, a check and an index; its name is a part of that of the index. */
const SCHEMA = `
  create table sales (
    height integer not null check (height > 0),
    line_no integer not null,
    customer text,
    primary key (height, line_no)
  ) strict, without rowid;
  create index sales_by_customer on sales (customer) where customer is not null;
  insert into sales values (2, 0, 'Berta'), (1, 1, null), (1, 0, 'Anna');`;

test('a table that is written anew has the same rows, constraints and indexes, as often as it is', async () => {
  await using connection = new SqliteConnection(join(folder, 'anew.db'), 'write');
  connection.database.exec(SCHEMA);
  const rows = connection.allNow(sql`select height, line_no, customer from sales`);

  connection.transaction(() => connection.writeAnew('sales'));
  connection.transaction(() => connection.writeAnew('sales'));

  assert.deepEqual(connection.allNow(sql`select height, line_no, customer from sales`), rows);
  assert.throws(() => connection.runNow(sql`insert into sales values (0, 0, null)`), /CHECK/);
  assert.throws(() => connection.runNow(sql`insert into sales values (1, 0, null)`), /UNIQUE/);
  const [plan] = connection.allNow<{ readonly detail: string }>(
    sql`explain query plan select height from sales where customer = 'Anna'`,
  );
  assert.match(String(plan?.detail), /sales_by_customer/);
});

test('a limit is no parameter by itself, of whose value SQLite makes a plan at each use', async () => {
  await using connection = new SqliteConnection(join(folder, 'limit.db'), 'write');
  connection.database.exec(SCHEMA);
  const heights = 'select height from (select 1 as height union all select 2 union all select 3)';

  const statement = connection.statement(`${heights} limit ? offset ?`);
  const rows = await connection.all(sql`${raw(heights)} limit ${2}`);

  assert.match(statement.sourceSQL, /limit \(\? \+ 0\) offset \?$/);
  assert.deepEqual(
    statement.all(1, 1).map(({ height }) => height),
    [2],
  );
  assert.deepEqual(rows, [{ height: 1 }, { height: 2 }]);
});

test('a table that is not there is not written anew', async () => {
  await using connection = new SqliteConnection(join(folder, 'none.db'), 'write');

  assert.throws(() => connection.writeAnew('sales'), /there is no such table/);
});

test('rows have the columns of their query, whatever these are called', async () => {
  await using connection = new SqliteConnection(join(folder, 'names.db'), 'write');

  assert.deepEqual(
    connection.allNow(
      sql`select 1 as height, null as "it's", x'00' as "a""b\\c" union all select 2, 'x', 3`,
    ),
    [
      { height: 1, "it's": null, 'a"b\\c': Uint8Array.of(0) },
      { height: 2, "it's": 'x', 'a"b\\c': 3 },
    ],
  );
  assert.throws(() => connection.allNow(sql`select 1 as __proto__`), /no column of a row/);
});

test('a row that refers to one that is not there is refused, and so is what would leave one', async () => {
  await using connection = new SqliteConnection(join(folder, 'keys.db'), 'write');
  connection.database.exec(`
    create table lots (lot_no integer primary key) strict;
    create table holds (lot_no integer not null references lots (lot_no)) strict;
    insert into lots values (1);
    insert into holds values (1)`);

  assert.throws(() => connection.runNow(sql`insert into holds values (2)`), /FOREIGN KEY/);
  assert.throws(() => connection.runNow(sql`delete from lots where lot_no = 1`), /FOREIGN KEY/);
});

test('a commit that may be lost is not flushed, and the one behind it is', async () => {
  await using connection = new SqliteConnection(join(folder, 'flush.db'), 'write');
  const flushes = (): unknown => connection.database.prepare('pragma synchronous').get();
  const full = flushes();

  connection.transaction(() => undefined, { isFlushed: false });
  const between = flushes();
  connection.transaction(() => undefined);

  assert.notDeepEqual(between, full);
  assert.deepEqual(flushes(), full);
});

test('the log is cut off, and not while somebody reads what was', async () => {
  const file = join(folder, 'log.db');
  await using connection = new SqliteConnection(file, 'write');
  connection.database.exec(SCHEMA);
  await using reader = new SqliteConnection(file, 'read');
  reader.database.exec('begin');
  reader.allNow(sql`select height from sales`);
  connection.runNow(sql`delete from sales where height = 2`);

  const whileRead = connection.emptyLog();
  reader.database.exec('commit');
  const afterwards = connection.emptyLog();

  assert.deepEqual([whileRead, afterwards], [false, true]);
  assert.equal((await stat(`${file}-wal`)).size, 0);
});

test('a database that cannot open a file or has no memory is busy, and says nothing of its rows', () => {
  for (const errcode of [7, 14, 1_550]) {
    const error = Object.assign(new Error('unable to open database file'), { errcode });

    assert.equal(asDatabaseError(error, 'reading').code, 'database_busy');
  }
});
