// The bounded memory: what makes room, and what does not.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentlyUsed } from './recently-used.ts';

test('the value that was not used for the longest time makes room', () => {
  const kept = new RecentlyUsed<string, number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  assert.equal(kept.get('a'), 1);

  kept.set('c', 3);

  assert.deepEqual([kept.get('a'), kept.get('b'), kept.get('c')], [1, undefined, 3]);
});

test('a value that is set again is not a further one', () => {
  const kept = new RecentlyUsed<string, number>(2);
  kept.set('a', 1);
  kept.set('b', 2);
  kept.set('b', 3);

  assert.deepEqual([kept.get('a'), kept.get('b')], [1, 3]);
});
