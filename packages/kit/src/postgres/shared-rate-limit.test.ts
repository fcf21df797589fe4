// One limit for several processes: here, several pools in one.
import assert from 'node:assert/strict';
import { afterEach, mock, test } from 'node:test';
import sql from 'sql-template-tag';
import {
  countAllowed,
  openSharedCounts,
  takes,
  testSharedLimit,
} from '../../test/postgres/shared-limit.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { PostgresConnection } from './connection.ts';
import { sharedRateLimit, sweepRateCounts } from './shared-rate-limit.ts';

const WINDOW_MS = 60_000;

const errors: unknown[] = [];
const counts = await openSharedCounts({
  create: sql`
    create unlogged table rate_counts (
      key text primary key,
      points bigint not null default 0,
      expire bigint
    )`,
  empty: sql`delete from rate_counts`,
});
const { one, other } = counts;

afterEach(() => mock.timers.reset());

function openLimit(
  connection: PostgresConnection,
  perMinute: number,
  name = 'requests',
): RateLimit {
  const limit = sharedRateLimit(connection, {
    name,
    perMinute,
    onError: (error) => errors.push(error),
  });
  assert.ok(limit !== undefined);
  return limit;
}

testSharedLimit(counts, {
  newLimit: openLimit,
  name: 'requests',
  errors,
  readKeys: sql`select key from rate_counts`,
});

test('0 is no limit at all', () => {
  assert.equal(sharedRateLimit(one, { name: 'r', perMinute: 0, onError: () => {} }), undefined);
});

test('takes that travel together each get their own verdict, in their order', async () => {
  const limit = openLimit(one, 4);

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
  const limit = openLimit(one, 1_000);
  const all = mock.method(one, 'all');

  await takes(limit, 500);

  assert.equal(all.mock.callCount(), 2);
  all.mock.restore();
});

test('a caller over its limit is refused without a statement', async () => {
  const limit = openLimit(one, 1);
  await limit.take('a');
  const all = mock.method(one, 'all');

  const refused = await takes(limit, 2);

  assert.equal(countAllowed(refused), 0);
  assert.equal(all.mock.callCount(), 0);
  all.mock.restore();
});

test('a window that is over begins anew in every process', async () => {
  mock.timers.enable({ apis: ['Date'], now: Date.now() });
  const limits = [openLimit(one, 2), openLimit(other, 2)] as const;
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

test('rows of windows long over are deleted, others stay', async () => {
  await one.all(sql`
    insert into rate_counts (key, points, expire)
    values ('old', 1, ${Date.now() - 10 * WINDOW_MS}), ('new', 1, ${Date.now()})
  `);

  await sweepRateCounts(one);

  assert.deepEqual(await one.all(sql`select key from rate_counts`), [{ key: 'new' }]);
});
