// A burst, then a steady rate, by caller, in memory.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { memoryTokenBucket } from './token-bucket.ts';
import type { BucketVerdict, MemoryBucketOptions, TokenBucket } from './token-bucket.ts';

/** Ten at once, then one a second. */
const RATE = { burst: 10, perMinute: 60 };

/** A bucket whose time stands still until it is moved. */
function stillBucket(
  rate = RATE,
  options: Omit<MemoryBucketOptions, 'rate'> = {},
): { readonly bucket: TokenBucket; readonly clock: { ms: number } } {
  const clock = { ms: 1_000.4 };
  const bucket = memoryTokenBucket({ ...options, rate, nowMs: () => clock.ms });
  assert.ok(bucket !== undefined);
  return { bucket, clock };
}

async function takes(bucket: TokenBucket, times: number): Promise<readonly BucketVerdict[]> {
  return await Promise.all(Array.from({ length: times }, () => bucket.take('a')));
}

for (const off of [
  { burst: 0, perMinute: 60 },
  { burst: 10, perMinute: 0 },
]) {
  test(`a burst of ${off.burst} at ${off.perMinute} a minute is no limit at all`, () => {
    assert.equal(memoryTokenBucket({ rate: off }), undefined);
  });
}

test('a caller may send its burst at once, and is refused then', async () => {
  const { bucket } = stillBucket({ burst: 2, perMinute: 60 });

  const verdicts = await takes(bucket, 3);

  assert.deepEqual(verdicts, [
    { allowed: true, limit: 2, remaining: 1, retrySeconds: 0, resetSeconds: 1 },
    { allowed: true, limit: 2, remaining: 0, retrySeconds: 1, resetSeconds: 2 },
    { allowed: false, limit: 2, remaining: 0, retrySeconds: 1, resetSeconds: 2 },
  ]);
});

test('after a burst one request is allowed in each interval, and no sooner', async () => {
  const { bucket, clock } = stillBucket();
  await takes(bucket, 10);

  clock.ms += 999;
  const early = await bucket.take('a');
  clock.ms += 1;
  const onTime = [await bucket.take('a'), await bucket.take('a')];

  assert.equal(early.allowed, false);
  assert.deepEqual(
    onTime.map(({ allowed }) => allowed),
    [true, false],
  );
});

test('who waits as long as a refusal says is allowed', async () => {
  const { bucket, clock } = stillBucket({ burst: 30, perMinute: 1 });
  await takes(bucket, 30);
  const refused = await bucket.take('a');

  clock.ms += refused.retrySeconds * 1_000;

  assert.equal(refused.retrySeconds, 60);
  assert.equal((await bucket.take('a')).allowed, true);
});

test('a caller that stayed away has its burst again, and no more than that', async () => {
  const { bucket, clock } = stillBucket();
  await takes(bucket, 10);

  clock.ms += 3_600_000;
  const verdicts = await takes(bucket, 12);

  assert.equal(verdicts.filter(({ allowed }) => allowed).length, 10);
});

test('refusals cost nothing', async () => {
  const { bucket, clock } = stillBucket();
  await takes(bucket, 500);

  clock.ms += 1_000;

  assert.equal((await bucket.take('a')).allowed, true);
});

test('a look leaves everything as it is', async () => {
  const { bucket } = stillBucket({ burst: 1, perMinute: 60 });

  const looks = [await bucket.peek('a'), await bucket.peek('a')];
  await bucket.take('a');
  const later = await bucket.peek('a');

  assert.deepEqual(
    looks.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 1],
      [true, 1],
    ],
  );
  assert.deepEqual([later.allowed, later.remaining, later.retrySeconds], [false, 0, 1]);
});

test('callers are counted apart', async () => {
  const { bucket } = stillBucket({ burst: 1, perMinute: 60 });
  await bucket.take('a');

  assert.equal((await bucket.take('b')).allowed, true);
});

test('over its bound it forgets those whose bucket is full, and then those that came first', async () => {
  const { bucket, clock } = stillBucket({ burst: 1, perMinute: 60 }, { callersMax: 10 });
  await bucket.take('long ago');
  clock.ms += 500;
  for (let caller = 0; caller < 9; caller += 1) await bucket.take(`caller ${caller}`);
  clock.ms += 600;

  await bucket.take('one more');

  assert.equal((await bucket.peek('caller 8')).allowed, false);
  assert.equal((await bucket.peek('one more')).allowed, false);
  assert.equal((await bucket.peek('long ago')).allowed, true);
  assert.equal((await bucket.peek('caller 0')).allowed, false);
});

test('in no stretch of time more is allowed than the burst and what the rate gives back', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.array(fc.integer({ min: 0, max: 5_000 }), { maxLength: 60 }),
      async (burst, perMinute, waits) => {
        const { bucket, clock } = stillBucket({ burst, perMinute });
        const allowedAt: number[] = [];
        for (const wait of waits) {
          clock.ms += wait;
          if ((await bucket.take('a')).allowed) allowedAt.push(clock.ms);
        }

        for (const [from, start] of allowedAt.entries()) {
          for (const [to, end] of allowedAt.entries()) {
            if (to < from) continue;
            const most = burst + ((end - start) * perMinute) / 60_000;
            assert.ok(to - from + 1 <= most + 1e-3, `${to - from + 1} in ${end - start} ms`);
          }
        }
      },
    ),
  );
});
