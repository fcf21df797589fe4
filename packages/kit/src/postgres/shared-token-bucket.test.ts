// One bucket for several processes: here, several pools in one. Time passes by moving the rows back.
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, mock, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import sql from 'sql-template-tag';
import { PATIENCE_MS } from '../../test/patience.ts';
import { startTestPostgres } from '../../test/postgres/server.ts';
import type { TestPostgres } from '../../test/postgres/server.ts';
import type { BucketVerdict, TokenBucket } from '../http/token-bucket.ts';
import { PostgresConnection } from './connection.ts';
import { sharedTokenBucket, sweepTokenBuckets } from './shared-token-bucket.ts';

const MINUTE_US = 60_000_000;

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
    create unlogged table rate_buckets (
      key text primary key,
      full_at bigint not null,
      granted bigint not null
    )`);
});

beforeEach(() => {
  errors = [];
});

afterEach(async () => {
  await one.all(sql`delete from rate_buckets`);
});

after(async () => {
  await one.close();
  await other.close();
  await server[Symbol.asyncDispose]();
});

/** One a minute unless said otherwise, so that nothing is given back while a test runs. */
function bucketOf(
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

function takes(bucket: TokenBucket, times: number): Promise<readonly BucketVerdict[]> {
  return Promise.all(Array.from({ length: times }, () => bucket.take('a')));
}

function allowedOf(verdicts: readonly BucketVerdict[]): number {
  return verdicts.filter(({ allowed }) => allowed).length;
}

async function passMinutes(minutes: number): Promise<void> {
  await one.all(sql`update rate_buckets set full_at = full_at - ${minutes * MINUTE_US}`);
}

test('a burst of 0 is no limit at all', () => {
  const rate = { burst: 0, perMinute: 60 };

  assert.equal(sharedTokenBucket(one, { name: 'posts', rate, onError: () => {} }), undefined);
});

test('two processes share one burst exactly', async () => {
  const buckets = [bucketOf(one, 100), bucketOf(other, 100)];

  const verdicts = (await Promise.all(buckets.map((bucket) => takes(bucket, 80)))).flat();

  assert.equal(allowedOf(verdicts), 100);
  const left = verdicts.filter(({ allowed }) => allowed).map(({ remaining }) => remaining);
  assert.deepEqual(
    left.toSorted((a, b) => b - a),
    Array.from({ length: 100 }, (_, index) => 99 - index),
  );
  assert.deepEqual(errors, []);
});

test('many processes that begin with a caller at once give it one burst together', async () => {
  for (let round = 0; round < 20; round += 1) {
    const buckets = Array.from({ length: 8 }, (_, index) =>
      bucketOf(index % 2 === 0 ? one : other, 3, { name: `round ${round}` }),
    );

    const verdicts = (await Promise.all(buckets.map((bucket) => takes(bucket, 2)))).flat();

    assert.equal(allowedOf(verdicts), 3);
  }
});

test('takes that travel together each get their own verdict, in their order', async () => {
  const bucket = bucketOf(one, 2);

  const verdicts = await takes(bucket, 3);

  assert.deepEqual(verdicts, [
    { allowed: true, limit: 2, remaining: 1, retrySeconds: 0, resetSeconds: 60 },
    { allowed: true, limit: 2, remaining: 0, retrySeconds: 60, resetSeconds: 120 },
    { allowed: false, limit: 2, remaining: 0, retrySeconds: 60, resetSeconds: 120 },
  ]);
});

test('takes of all callers that wait cost one statement', async () => {
  const bucket = bucketOf(one, 1_000);
  const all = mock.method(one, 'all');

  const first = bucket.take('a');
  await Promise.resolve();
  await Promise.resolve();
  const rest = Array.from({ length: 400 }, (_, index) => bucket.take(`caller ${index % 200}`));
  const verdicts = await Promise.all([first, ...rest]);

  assert.equal(all.mock.callCount(), 2);
  assert.equal(allowedOf(verdicts), 401);
  all.mock.restore();
});

test('far from the limit a take waits for no statement, and is counted all the same', async () => {
  const bucket = bucketOf(one, 100);
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
  const bucket = bucketOf(one, 20);
  const elsewhere = bucketOf(other, 20);

  const verdicts: BucketVerdict[] = [];
  for (let n = 0; n < 15; n += 1) verdicts.push(await bucket.take('a'), await elsewhere.take('a'));

  assert.equal(allowedOf(verdicts), 20);
});

test('a caller with nothing left is refused without a statement, until something is given back', async () => {
  const bucket = bucketOf(one, 1, { perMinute: 600 });
  await bucket.take('a');
  const all = mock.method(one, 'all');

  const refused = await takes(bucket, 2);
  const asked = all.mock.callCount();
  await sleep(110);
  const later = await bucket.take('a');

  assert.deepEqual([allowedOf(refused), asked], [0, 0]);
  assert.equal(later.allowed, true);
  all.mock.restore();
});

test('what is given back in time is given to all processes', async () => {
  await takes(bucketOf(one, 5), 5);

  await passMinutes(3);
  const verdicts = await takes(bucketOf(other, 5), 5);

  assert.equal(allowedOf(verdicts), 3);
});

test('a caller that stayed away has its burst again, and no more than that', async () => {
  await takes(bucketOf(one, 5), 5);

  await passMinutes(600);
  const verdicts = await takes(bucketOf(other, 5), 7);

  assert.equal(allowedOf(verdicts), 5);
});

test('a look leaves everything as it is, also among takes', async () => {
  const bucket = bucketOf(one, 2);

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

test('callers are counted apart, and so are buckets of different names', async () => {
  await bucketOf(one, 1).take('a');

  const verdicts = [
    await bucketOf(other, 1).take('b'),
    await bucketOf(other, 1, { name: 'logins' }).take('a'),
    await bucketOf(other, 1).take('a'),
  ];

  assert.deepEqual(
    verdicts.map(({ allowed }) => allowed),
    [true, true, false],
  );
});

test('while the database is away each process counts alone, and says so once', async () => {
  const bucket = bucketOf(one, 3);
  await server.stop('fast');

  const alone = await takes(bucket, 4);
  await server.start();

  assert.deepEqual(
    alone.map(({ allowed }) => allowed),
    [true, true, true, false],
  );
  assert.equal(errors.length, 1);
});

test('when the database is back it counts again', async () => {
  const bucket = bucketOf(one, 1_000);
  await server.stop('fast');
  await bucket.take('a');
  await server.start();
  const deadline = performance.now() + PATIENCE_MS;
  let counted: readonly unknown[] = [];

  while (counted.length === 0 && performance.now() < deadline) {
    await bucket.take('b');
    counted = await other.all(sql`select key from rate_buckets`);
    await sleep(50);
  }

  assert.deepEqual(counted, [{ key: 'posts:b' }]);
});

test('buckets that are full again are deleted, others stay', async () => {
  await bucketOf(one, 1).take('old');
  await passMinutes(2);
  await bucketOf(one, 1).take('new');

  await sweepTokenBuckets(one);

  assert.deepEqual(await one.all(sql`select key from rate_buckets`), [{ key: 'posts:new' }]);
});

test('counting does not wait for the disk', async () => {
  const bucket = bucketOf(one, 100_000);
  const written = sql`select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as flushed`;
  const before = await one.first(written);

  for (let taken = 0; taken < 50; taken += 1) await bucket.take('a');

  assert.deepEqual(await one.first(written), before);
});
