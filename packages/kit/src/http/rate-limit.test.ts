// Requests a minute, in fixed windows, by caller.
import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { FixedWindows, memoryRateLimit } from './rate-limit.ts';

const WINDOW_MS = 60_000;

test('0 is no limit at all', () => {
  assert.equal(memoryRateLimit(0), undefined);
});

test('a caller is allowed so many requests in a window and then refused', async () => {
  const limit = memoryRateLimit(2);
  assert.ok(limit !== undefined);

  const verdicts = [await limit.take('a'), await limit.take('a'), await limit.take('a')];

  assert.deepEqual(
    verdicts.map(({ allowed, limit: most, remaining }) => ({ allowed, most, remaining })),
    [
      { allowed: true, most: 2, remaining: 1 },
      { allowed: true, most: 2, remaining: 0 },
      { allowed: false, most: 2, remaining: 0 },
    ],
  );
  for (const { resetSeconds } of verdicts) {
    assert.ok(Number.isInteger(resetSeconds) && resetSeconds >= 1 && resetSeconds <= 60);
  }
});

test('callers are counted apart', async () => {
  const limit = memoryRateLimit(1);
  assert.ok(limit !== undefined);
  await limit.take('a');

  const other = await limit.take('b');

  assert.equal(other.allowed, true);
});

test('a window that is over begins anew', async (t) => {
  mock.timers.enable({ apis: ['Date', 'setTimeout'], now: 1_000_000 });
  t.after(() => mock.timers.reset());
  const limit = memoryRateLimit(1);
  assert.ok(limit !== undefined);
  await limit.take('a');
  mock.timers.tick(WINDOW_MS - 1_000);
  const before = await limit.take('a');

  mock.timers.tick(1_001);
  const afterwards = await limit.take('a');

  assert.deepEqual([before.allowed, before.resetSeconds], [false, 1]);
  assert.equal(afterwards.allowed, true);
});

test('requests over the limit are counted, and hold up no other window', () => {
  const windows = new FixedWindows();

  const counts = [windows.count('a', 3), windows.count('a', 2), windows.count('b', 1)];

  assert.deepEqual(
    counts.map(({ requests }) => requests),
    [3, 5, 1],
  );
});
