// Arrays in binary: what a real server reads out of them, and what it refuses.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { anyCharacter } from '@lothub/chain/test/any-character';
import fc from 'fast-check';
import sql from 'sql-template-tag';
import { startTestPostgres, type TestPostgres } from '../../test/postgres/server.ts';
import { bigintArray, bytesArray, textArray } from './array-values.ts';
import { PostgresConnection } from './connection.ts';
import { readErrorCode } from './errors.ts';

const TEXTS = [
  '',
  'NULL',
  '{}',
  '"',
  '\\',
  'a,b',
  '\n',
  '\u0001',
  'ß',
  '鮭',
  '🐟',
  'x'.repeat(70_000),
];
const NUMBERS = [0, 1, -1, 2 ** 31, -(2 ** 31), 2 ** 32 - 1, 2 ** 32, -(2 ** 32), -(2 ** 32) - 1];
const EXTREMES = [Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];

let server: TestPostgres;
let connection: PostgresConnection;

before(async () => {
  server = await startTestPostgres();
  connection = await PostgresConnection.open((await server.createDatabase()).url);
});

after(async () => {
  await connection.close();
  await server[Symbol.asyncDispose]();
});

async function textsRead(array: Buffer): Promise<readonly (string | null)[]> {
  const rows = await connection.all<{ value: string | null }>(sql`
    select value
    from unnest(${array}::text[]) with ordinality as given (value, position)
    order by position
  `);
  return rows.map(({ value }) => value);
}

async function numbersRead(array: Buffer): Promise<readonly (number | null)[]> {
  const rows = await connection.all<{ value: number | null }>(sql`
    select value
    from unnest(${array}::bigint[]) with ordinality as given (value, position)
    order by position
  `);
  return rows.map(({ value }) => value);
}

test('texts arrive as they are', async () => {
  assert.deepEqual(await textsRead(textArray(TEXTS)), TEXTS);
  assert.deepEqual(await textsRead(textArray([null, '', null])), [null, '', null]);
  assert.deepEqual(await textsRead(textArray([])), []);
});

test('numbers arrive as they are', async () => {
  const numbers = [...NUMBERS, ...EXTREMES];

  assert.deepEqual(await numbersRead(bigintArray(numbers)), numbers);
  assert.deepEqual(await numbersRead(bigintArray([null, 0, null])), [null, 0, null]);
  assert.deepEqual(await numbersRead(bigintArray([])), []);
});

test('any texts and any whole numbers arrive as they are', async () => {
  // The server cannot hold NUL in a text.
  const text = fc
    .string({ unit: anyCharacter, maxLength: 50 })
    .map((any) => any.replaceAll('\0', ''));

  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.option(text)),
      fc.array(fc.option(fc.maxSafeInteger())),
      async (texts, numbers) => {
        assert.deepEqual(await textsRead(textArray(texts)), texts);
        assert.deepEqual(await numbersRead(bigintArray(numbers)), numbers);
      },
    ),
  );
});

test('half a character becomes the sign for it and harms no neighbour', async () => {
  const read = await textsRead(textArray(['before', '\ud83d', 'a\udc1fb', 'after']));

  assert.deepEqual(read, ['before', '\ufffd', 'a\ufffdb', 'after']);
});

test('a text with NUL is refused by the server', async () => {
  await assert.rejects(textsRead(textArray(['a', 'b\0c'])), (error) => {
    assert.ok(error instanceof Error);
    assert.equal(readErrorCode(error.cause), '22021');
    return true;
  });
});

test('a number that is no whole one is refused', () => {
  for (const number of [0.5, NaN, Infinity, 2 ** 53]) {
    assert.throws(() => bigintArray([1, number]), RangeError);
  }
});

test('bytes arrive as they are, and what is not there as null', async () => {
  const all = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  for (const values of [[], [new Uint8Array()], [all, null, new Uint8Array([0]), all]]) {
    const rows = await connection.all<{ value: Uint8Array | null }>(sql`
      select value
      from unnest(${bytesArray(values)}::bytea[]) with ordinality as given (value, position)
      order by position
    `);
    assert.deepEqual(
      rows.map(({ value }) => value),
      values,
    );
  }
});
