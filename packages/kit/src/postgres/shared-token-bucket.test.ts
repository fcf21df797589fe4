// One bucket for several processes: here, several pools in one. Time passes by moving the rows back.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import {
  countAllowed,
  openSharedCounts,
  takes,
  testSharedLimit,
} from '../../test/postgres/shared-limit.ts';
import type { BucketVerdict, TokenBucket } from '../http/token-bucket.ts';
import type { PostgresConnection } from './connection.ts';
import { sharedTokenBucket, sweepTokenBuckets } from './shared-token-bucket.ts';

const MINUTE_US = 60_000_000;

const errors: unknown[] = [];
const counts = await openSharedCounts({
  create: sql`
    create unlogged table rate_buckets (
      key text primary key,
      full_at bigint not null,
      granted bigint not null
    )`,
  empty: sql`delete from rate_buckets`,
});
const { one, other } = counts;

/** One a minute unless said otherwise, so that nothing is given back while a test runs. */
function openBucket(
  connection: PostgresConnection,
  burst: number,
  { name = 'posts', perMinute = 1 } = {},
): TokenBucket {
  const bucket = sharedTokenBucket(connection, {
    name,
    rate: { burst, perMinute },
    onError: (error) => errors.push(error),
  });
  assert.ok(bucket !== undefined);
  return bucket;
}

async function passMinutes(minutes: number): Promise<void> {
  await one.all(sql`update rate_buckets set full_at = full_at - ${minutes * MINUTE_US}`);
}

testSharedLimit(counts, {
  newLimit: (connection, burst, name) =>
    openBucket(connection, burst, name === undefined ? {} : { name }),
  name: 'posts',
  errors,
  readKeys: sql`select key from rate_buckets`,
});

test('a burst of 0 is no limit at all', () => {
  const rate = { burst: 0, perMinute: 60 };

  assert.equal(sharedTokenBucket(one, { name: 'posts', rate, onError: () => {} }), undefined);
});

test('many processes that begin with a caller at once give it one burst together', async () => {
  for (let round = 0; round < 20; round += 1) {
    const buckets = Array.from({ length: 8 }, (_, index) =>
      openBucket(index % 2 === 0 ? one : other, 3, { name: `round ${round}` }),
    );

    const verdicts = (await Promise.all(buckets.map((bucket) => takes(bucket, 2)))).flat();

    assert.equal(countAllowed(verdicts), 3);
  }
});

test('takes that travel together each get their own verdict, in their order', async () => {
  const bucket = openBucket(one, 2);

  const verdicts = await takes(bucket, 3);

  assert.deepEqual(verdicts, [
    { allowed: true, limit: 2, remaining: 1, retrySeconds: 0, resetSeconds: 60 },
    { allowed: true, limit: 2, remaining: 0, retrySeconds: 60, resetSeconds: 120 },
    { allowed: false, limit: 2, remaining: 0, retrySeconds: 60, resetSeconds: 120 },
  ]);
});

test('takes of all callers that wait cost one statement', async () => {
  const bucket = openBucket(one, 1_000);
  const all = mock.method(one, 'all');

  const first = bucket.take('a');
  await Promise.resolve();
  await Promise.resolve();
  const rest = Array.from({ length: 400 }, (_, index) => bucket.take(`caller ${index % 200}`));
  const verdicts = await Promise.all([first, ...rest]);

  assert.equal(all.mock.callCount(), 2);
  assert.equal(countAllowed(verdicts), 401);
  all.mock.restore();
});

test('far from the limit a take waits for no statement, and is counted all the same', async () => {
  const bucket = openBucket(one, 100);
  await bucket.take('a');
  const all = mock.method(one, 'all');

  const verdicts: BucketVerdict[] = [];
  for (let n = 0; n < 10; n += 1) verdicts.push(await bucket.take('a'));
  const statementsBefore = all.mock.callCount();
  const { remaining } = await bucket.peek('a');

  assert.equal(statementsBefore, 0);
  assert.deepEqual(
    verdicts.map((verdict) => verdict.remaining),
    [98, 97, 96, 95, 94, 93, 92, 91, 90, 89],
  );
  assert.equal(remaining, 89);
  all.mock.restore();
});

test('near the limit each take waits, so none too many is granted', async () => {
  const bucket = openBucket(one, 20);
  const elsewhere = openBucket(other, 20);

  const verdicts: BucketVerdict[] = [];
  for (let n = 0; n < 15; n += 1) verdicts.push(await bucket.take('a'), await elsewhere.take('a'));

  assert.equal(countAllowed(verdicts), 20);
});

test('a caller with nothing left is refused without a statement, until something is given back', async () => {
  const bucket = openBucket(one, 1, { perMinute: 600 });
  await bucket.take('a');
  const all = mock.method(one, 'all');

  const refused = await takes(bucket, 2);
  const asked = all.mock.callCount();
  await sleep(110);
  const later = await bucket.take('a');

  assert.deepEqual([countAllowed(refused), asked], [0, 0]);
  assert.equal(later.allowed, true);
  all.mock.restore();
});

test('what is given back in time is given to all processes', async () => {
  await takes(openBucket(one, 5), 5);

  await passMinutes(3);
  const verdicts = await takes(openBucket(other, 5), 5);

  assert.equal(countAllowed(verdicts), 3);
});

test('a caller that stayed away has its burst again, and no more than that', async () => {
  await takes(openBucket(one, 5), 5);

  await passMinutes(600);
  const verdicts = await takes(openBucket(other, 5), 7);

  assert.equal(countAllowed(verdicts), 5);
});

test('a look leaves everything as it is, also among takes', async () => {
  const bucket = openBucket(one, 2);

  const verdicts = await Promise.all([
    bucket.peek('a'),
    bucket.take('a'),
    bucket.peek('a'),
    bucket.take('a'),
    bucket.peek('a'),
  ]);

  assert.deepEqual(
    verdicts.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 2],
      [true, 1],
      [true, 1],
      [true, 0],
      [false, 0],
    ],
  );
});

test('buckets that are full again are deleted, others stay', async () => {
  await openBucket(one, 1).take('old');
  await passMinutes(2);
  await openBucket(one, 1).take('new');

  await sweepTokenBuckets(one);

  assert.deepEqual(await one.all(sql`select key from rate_buckets`), [{ key: 'posts:new' }]);
});
