// Lists in queries: padded to few lengths, cut into slices, never empty.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutSlices, IN_LIST_MAX, inList } from './in-list.ts';

test('a list repeats its last value up to the next power of two', () => {
  const list = inList([7, 8, 9, 10, 11]);

  assert.equal(list.sql, '?,?,?,?,?,?,?,?');
  assert.deepEqual(list.values, [7, 8, 9, 10, 11, 11, 11, 11]);
});

test('lists of all lengths have ten texts at most', () => {
  const lengths = Array.from({ length: IN_LIST_MAX }, (_, index) => index + 1);

  const texts = new Set(lengths.map((length) => inList(new Array<number>(length).fill(1)).sql));

  assert.equal(texts.size, 10);
});

test('an empty list and one that is too long are refused', () => {
  const tooLong = new Array<number>(IN_LIST_MAX + 1).fill(1);

  assert.throws(() => inList([]), RangeError);
  assert.throws(() => inList(tooLong), RangeError);
});

test('slices hold every value once and in order', () => {
  const slices = [...cutSlices([1, 2, 3, 4, 5], 2)];

  assert.deepEqual(slices, [[1, 2], [3, 4], [5]]);
});
