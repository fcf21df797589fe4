// One limit for several processes: here, several pools in one.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { PATIENCE_MS } from '../../test/patience.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import type { TestPostgres } from '../../test/postgres/server.ts';
import type { RateLimit, RateVerdict } from '../http/rate-limit.ts';
import { PostgresConnection } from './connection.ts';
import { sharedRateLimit, sweepRateCounts } from './shared-rate-limit.ts';

const WINDOW_MS = 60_000;

let server: TestPostgres;
let one: PostgresConnection;
let other: PostgresConnection;
let errors: unknown[];

before(async () => {
  // Nothing writes the log to disk meanwhile but those who wait for it.
  server = await startTestPostgres({ settings: { wal_writer_delay: '10s' } });
  const { url } = await server.createDatabase();
  one = await PostgresConnection.open(url);
  other = await PostgresConnection.open(url);
  await one.all(sql`
    create unlogged table rate_counts (
      key text primary key,
      points bigint not null default 0,
      expire bigint
    )
  `);
});

beforeEach(() => {
  errors = [];
});

afterEach(async () => {
  mock.timers.reset();
  await one.all(sql`delete from rate_counts`);
});

after(async () => {
  await one.close();
  await other.close();
  await server[Symbol.asyncDispose]();
});

function limitOf(connection: PostgresConnection, perMinute: number, name = 'requests'): RateLimit {
  const limit = sharedRateLimit(connection, {
    name,
    perMinute,
    onError: (error) => errors.push(error),
  });
  assert.ok(limit !== undefined);
  return limit;
}

function takes(limit: RateLimit, times: number, caller = 'a'): Promise<readonly RateVerdict[]> {
  return Promise.all(Array.from({ length: times }, () => limit.take(caller)));
}

function allowedOf(verdicts: readonly RateVerdict[]): number {
  return verdicts.filter(({ allowed }) => allowed).length;
}

test('0 is no limit at all', () => {
  assert.equal(sharedRateLimit(one, { name: 'r', perMinute: 0, onError: () => {} }), undefined);
});

test('two processes share one limit exactly', async () => {
  const limits = [limitOf(one, 100), limitOf(other, 100)];

  const verdicts = (await Promise.all(limits.map((limit) => takes(limit, 80)))).flat();

  assert.equal(allowedOf(verdicts), 100);
  const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
  assert.deepEqual(
    left.toSorted((a, b) => b - a),
    Array.from({ length: 100 }, (_, index) => 99 - index),
  );
  assert.deepEqual(errors, []);
});

test('takes that travel together each get their own verdict, in their order', async () => {
  const limit = limitOf(one, 4);

  const verdicts = await takes(limit, 6);

  assert.deepEqual(
    verdicts.map(({ allowed, limit: most, remaining }) => [allowed, most, remaining]),
    [
      [true, 4, 3],
      [true, 4, 2],
      [true, 4, 1],
      [true, 4, 0],
      [false, 4, 0],
      [false, 4, 0],
    ],
  );
  for (const { resetSeconds } of verdicts) assert.ok(resetSeconds >= 1 && resetSeconds <= 60);
});

test('takes of one caller that wait cost one statement', async () => {
  const limit = limitOf(one, 1_000);
  const all = mock.method(one, 'all');

  await takes(limit, 500);

  assert.equal(all.mock.callCount(), 2);
  all.mock.restore();
});

test('a caller over its limit is refused without a statement', async () => {
  const limit = limitOf(one, 1);
  await limit.take('a');
  const all = mock.method(one, 'all');

  const refused = await takes(limit, 2);

  assert.equal(allowedOf(refused), 0);
  assert.equal(all.mock.callCount(), 0);
  all.mock.restore();
});

test('callers are counted apart, and so are limits of different names', async () => {
  await limitOf(one, 1).take('a');

  const verdicts = [
    await limitOf(other, 1).take('b'),
    await limitOf(other, 1, 'logins').take('a'),
    await limitOf(other, 1).take('a'),
  ];

  assert.deepEqual(
    verdicts.map(({ allowed }) => allowed),
    [true, true, false],
  );
});

test('a window that is over begins anew in every process', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const limits = [limitOf(one, 2), limitOf(other, 2)] as const;
  await takes(limits[0], 3);
  mock.timers.tick(WINDOW_MS - 1_000);
  const before = await limits[1].take('a');

  mock.timers.tick(1_001);
  const afterwards = [await limits[0].take('a'), await limits[1].take('a')];

  assert.deepEqual([before.allowed, before.resetSeconds], [false, 1]);
  assert.deepEqual(
    afterwards.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 1],
      [true, 0],
    ],
  );
});

test('while the database is away each process counts alone, and says so once', async () => {
  const limit = limitOf(one, 3);
  await limit.take('a');

  await server.stop('fast');
  const alone = await takes(limit, 4);
  await server.start();

  assert.deepEqual(
    alone.map(({ allowed }) => allowed),
    [true, true, true, false],
  );
  assert.equal(errors.length, 1);
});

test('when the database is back it counts again', async () => {
  const limit = limitOf(one, 1_000);
  await server.stop('fast');
  await limit.take('a');
  await server.start();
  const deadline = performance.now() + PATIENCE_MS;
  let counted: readonly unknown[] = [];

  while (counted.length === 0 && performance.now() < deadline) {
    await limit.take('b');
    counted = await other.all(sql`select key from rate_counts`);
    await sleep(50);
  }

  assert.deepEqual(counted, [{ key: 'requests:b' }]);
});

test('rows of windows long over are deleted, others stay', async () => {
  await one.all(sql`
    insert into rate_counts (key, points, expire)
    values ('old', 1, ${Date.now() - 10 * WINDOW_MS}), ('new', 1, ${Date.now()})
  `);

  await sweepRateCounts(one);

  assert.deepEqual(await one.all(sql`select key from rate_counts`), [{ key: 'new' }]);
});

test('counting does not wait for the disk', async () => {
  const limit = limitOf(one, 100_000);
  const written = sql`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as flushed`;
  const before = await one.first(written);

  for (let taken = 0; taken < 50; taken += 1) await limit.take('a');

  assert.deepEqual(await one.first(written), before);
});
