// When posts count as a burst.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BURST_POSTS, PostRate } from './post-rate.ts';

const clock = { ms: 0, elapsedMs: (): number => clock.ms };

function count(rate: PostRate, posts: number): void {
  for (let n = 0; n < posts; n += 1) rate.count();
}

test('fewer posts in a tenth of a second are no burst, and as many are one', () => {
  const rate = new PostRate(clock);

  count(rate, BURST_POSTS - 1);
  const before = rate.isBurst();
  count(rate, 1);

  assert.deepEqual([before, rate.isBurst()], [false, true]);
});

test('a burst is over when a tenth of a second has had few posts', () => {
  const rate = new PostRate(clock);
  count(rate, BURST_POSTS);

  const found = [100, 99, 1].map((ms) => {
    clock.ms += ms;
    return rate.isBurst();
  });

  assert.deepEqual(found, [true, true, false]);
});

test('posts that come one by one are no burst, however many they become', () => {
  const rate = new PostRate(clock);

  const bursts = Array.from({ length: 10 * BURST_POSTS }, () => {
    clock.ms += 20;
    rate.count();
    return rate.isBurst();
  });

  assert.ok(!bursts.includes(true));
});
