// That outcomes of tries share transactions, wait for nobody longer than they may, and fail alone.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseError } from '@lothub/kit/database';
import sql, { type Sql } from 'sql-template-tag';
import { GatheredWrites } from './gathered-writes.ts';

interface Tried {
  /** Of each transaction, the statements that it was to write. */
  readonly transactions: (readonly string[])[];
  readonly gathered: GatheredWrites;
  isMoreComing: boolean;
}

function newGathered(write: (texts: readonly string[]) => Promise<void>): Tried {
  const transactions: (readonly string[])[] = [];
  const tried: Tried = {
    transactions,
    isMoreComing: true,
    gathered: new GatheredWrites({
      write: async (statements: readonly Sql[]) => {
        const texts = statements.map((statement) => statement.sql);
        transactions.push(texts);
        await write(texts);
      },
      isMoreComing: () => tried.isMoreComing,
    }),
  };
  return tried;
}

function readResult(result: PromiseSettledResult<void>): unknown {
  return result.status === 'rejected' ? result.reason : result.status;
}

const [ONE, TWO, WRONG] = [sql`one`, sql`two`, sql`wrong`];

test('outcomes are written together once no more are coming, each with all of its statements', async () => {
  const tried = newGathered(() => Promise.resolve());

  const first = tried.gathered.write([ONE, TWO]);
  tried.isMoreComing = false;
  await Promise.all([first, tried.gathered.write([TWO])]);

  assert.deepEqual(tried.transactions, [['one', 'two', 'two']]);
});

test('an outcome is written after a while although more are still to come', async () => {
  const tried = newGathered(() => Promise.resolve());

  await tried.gathered.write([ONE]);
  await tried.gathered.write([TWO]);

  assert.deepEqual(tried.transactions, [['one'], ['two']]);
});

test('an outcome that comes while others are being written goes into the next transaction', async () => {
  const written = Promise.withResolvers<void>();
  const tried = newGathered(() => written.promise);
  tried.isMoreComing = false;

  const both = [tried.gathered.write([ONE]), tried.gathered.write([TWO])];
  written.resolve();
  await Promise.all(both);

  assert.deepEqual(tried.transactions, [['one'], ['two']]);
});

test('many outcomes are written before more come', async () => {
  const tried = newGathered(() => Promise.resolve());

  const all = Array.from({ length: 33 }, () => tried.gathered.write([ONE]));

  assert.deepEqual(
    tried.transactions.map(({ length }) => length),
    [32],
  );
  await Promise.all(all);
});

test('an outcome that cannot be written takes none of its neighbours down', async () => {
  const failure = new DatabaseError('database_failed', 'no such column');
  const tried = newGathered((texts) =>
    texts.includes('wrong') ? Promise.reject(failure) : Promise.resolve(),
  );

  const first = tried.gathered.write([ONE]);
  const second = tried.gathered.write([WRONG]);
  tried.isMoreComing = false;
  const results = await Promise.allSettled([first, second, tried.gathered.write([TWO])]);

  assert.deepEqual(results.map(readResult), ['fulfilled', failure, 'fulfilled']);
  assert.deepEqual(tried.transactions.slice(1), [['one'], ['wrong'], ['two']]);
});

test('a database that is away refuses all of them, and is asked once', async () => {
  const busy = new DatabaseError('database_busy', 'the database is away');
  const tried = newGathered(() => Promise.reject(busy));

  const first = tried.gathered.write([ONE]);
  tried.isMoreComing = false;
  const results = await Promise.allSettled([first, tried.gathered.write([TWO])]);

  assert.deepEqual(results.map(readResult), [busy, busy]);
  assert.equal(tried.transactions.length, 1);
});
