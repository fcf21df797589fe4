// Ids that are given before transactions end: which entries may still come.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WrittenIds } from './written-ids.ts';

const TEN_MINUTES_MS = 600_000;

test('without a gap everything up to the last id was seen', () => {
  const ids = new WrittenIds(4);

  ids.see([5, 6, 7], 0);

  assert.deepEqual([ids.last, ids.through, ids.missing], [7, 7, []]);
});

test('an id that is missing is looked for until it comes', () => {
  const ids = new WrittenIds(0);

  ids.see([1, 4], 0);
  const before = [ids.through, ids.missing];
  ids.see([2], 1);
  const between = [ids.through, ids.missing];
  ids.see([3, 5], 2);

  assert.deepEqual(before, [1, [2, 3]]);
  assert.deepEqual(between, [2, [3]]);
  assert.deepEqual([ids.last, ids.through], [5, 5]);
});

test('an id that never comes is given up after ten minutes', () => {
  const ids = new WrittenIds(0);
  ids.see([1, 3], 0);

  ids.see([4], TEN_MINUTES_MS - 1);
  const before = ids.through;
  ids.see([], TEN_MINUTES_MS);

  assert.deepEqual([before, ids.through, ids.missing], [1, 4, []]);
});

test('of more missing ids than are looked for the oldest are given up', () => {
  const ids = new WrittenIds(0);

  ids.see([2, 30_000], 0);

  assert.equal(ids.missing.length, 10_000);
  assert.equal(ids.through, 19_999);
});
