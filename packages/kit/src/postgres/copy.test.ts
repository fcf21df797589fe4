// Rows in bulk: whatever a value is, it comes out of the database as it went in.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { startTestPostgres, type TestPostgres } from '../../test/postgres/server.ts';
import { PostgresConnection } from './connection.ts';
import { copyLine, type CopyRow } from './copy.ts';

const GOODS = { table: 'goods', columns: ['no', 'name', 'amount', 'note'] } as const;

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  const { url } = await server.createDatabase();
  connection = await PostgresConnection.open(url);
  await connection.transaction((transaction) =>
    transaction.execute(
      'create table goods (no bigint primary key, name text, amount bigint, note text)',
    ),
  );
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

async function copied(rows: readonly CopyRow[]): Promise<readonly CopyRow[]> {
  await connection.transaction(async (transaction) => {
    await transaction.execute('truncate goods');
    await transaction.copyIn(GOODS, rows);
  });
  const found = await connection.all<Readonly<Record<string, CopyRow[number]>>>(
    sql`select no, name, amount, note from goods order by no`,
  );
  return found.map((row) => GOODS.columns.map((column) => row[column] ?? null));
}

/** Letters of every script, and those that COPY gives a meaning. */
const text = fc.oneof(
  fc.string({ unit: anyCharacter }).map((value) => value.replaceAll('\0', '')),
  fc
    .array(
      fc.constantFrom('\\', '\t', '\n', '\r', '\b', '\v', 'N', '.', 'n', 'x41', '101', "'", '"'),
    )
    .map((parts) => parts.join('')),
  fc.constantFrom(
    '',
    '\\N',
    '\\.',
    '\\\\N',
    'null',
    '\\',
    '\\\n',
    '\r\n',
    '\u{feff}',
    '\u{10ffff}',
  ),
);

test('every text, number and null comes back as it went in', async () => {
  const row = fc.tuple(fc.option(text), fc.option(fc.maxSafeInteger()), fc.option(text));
  const rows = fc
    .array(row, { maxLength: 20 })
    .map((values) => values.map((value, index): CopyRow => [index, ...value]));

  await fc.assert(
    fc.asyncProperty(rows, async (sent) => {
      assert.deepEqual(await copied(sent), sent);
    }),
    { numRuns: 300 },
  );
});

test('a row is one line, its values parted by tabs', () => {
  const line = copyLine([1, null, '', 'a\tb\\c\nd\re']);

  assert.equal(line, '1\t\\N\t\ta\\tb\\\\c\\nd\\re\n');
});

test('megabytes of one value are copied', async () => {
  const rows: readonly CopyRow[] = [[1, 'é\\'.repeat(2_000_000), null, '']];

  assert.deepEqual(await copied(rows), rows);
});

test('rows that the table refuses undo the transaction, and the connection goes on', async () => {
  await copied([[1, 'kept', null, null]]);

  const refused = connection.transaction(async (transaction) => {
    await transaction.copyIn(GOODS, [[2, 'gone', null, null]]);
    await transaction.copyIn(GOODS, [
      [3, 'twice', null, null],
      [3, 'twice', null, null],
    ]);
  });

  await assert.rejects(refused, { code: 'database_failed', message: /duplicate key/ });
  assert.deepEqual(await connection.all(sql`select name from goods`), [{ name: 'kept' }]);
});

test('a text with NUL is refused, and nothing of it is kept', async () => {
  await copied([]);

  const refused = connection.transaction((transaction) =>
    transaction.copyIn(GOODS, [[1, 'a\0b', null, null]]),
  );

  await assert.rejects(refused, { code: 'database_failed' });
  assert.deepEqual(await connection.all(sql`select name from goods`), []);
});

test('a connection that dies while rows are copied is replaced by the next one', async () => {
  await copied([]);

  const lost = connection.transaction(async (transaction) => {
    const [session] = await transaction.all<{ readonly pid: number }>(
      sql`select pg_backend_pid() as pid`,
    );
    await connection.all(sql`select pg_terminate_backend(${session!.pid})`);
    await transaction.copyIn(GOODS, [[1, 'lost', null, null]]);
  });

  await assert.rejects(lost, { code: 'database_busy' });
  assert.deepEqual(await copied([[2, 'next', null, null]]), [[2, 'next', null, null]]);
});
