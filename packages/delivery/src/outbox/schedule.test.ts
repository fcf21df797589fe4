// The schedule of tries as it is documented.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RETRY_AFTER_MAX_MS, TRIES_MAX, waitAfter } from './schedule.ts';

const HOUR_MS = 3_600_000;

function waits(random: number): readonly (number | undefined)[] {
  return Array.from({ length: TRIES_MAX }, (_, index) =>
    waitAfter({ number: index + 1, retryAfterMs: null, random }),
  );
}

test('tries are seconds apart at first and half a day at last, for about three days', () => {
  const middle = waits(0.5);

  const seconds = middle.map((ms) => (ms === undefined ? ms : ms / 1_000));
  assert.deepEqual(seconds.slice(0, 7), [5, 30, 120, 600, 3_600, 10_800, 21_600]);
  assert.deepEqual(seconds.slice(7), [...new Array<number>(5).fill(43_200), undefined]);
  const days = middle.reduce<number>((sum, ms) => sum + (ms ?? 0), 0) / (24 * HOUR_MS);
  assert.ok(days > 2.5 && days < 3.5, `${days} days`);
});

test('a wait is up to a tenth shorter or longer', () => {
  assert.equal(waits(0)[4], 54 * 60_000);
  assert.equal(waits(1)[4], 66 * 60_000);
});

test('a receiver that asks for more time gets it, within bounds', () => {
  const wait = (retryAfterMs: number) => waitAfter({ number: 1, retryAfterMs, random: 0.5 });

  assert.equal(wait(1_000), 5_000);
  assert.equal(wait(60_000), 60_000);
  assert.equal(wait(30 * 24 * HOUR_MS), RETRY_AFTER_MAX_MS);
});

test('asking for more time makes no more tries', () => {
  assert.equal(waitAfter({ number: TRIES_MAX, retryAfterMs: 1_000, random: 0.5 }), undefined);
});
