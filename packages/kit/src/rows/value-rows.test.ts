// Rows of values in an insert.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutRowSlices, ROWS_MAX, valueRows } from './value-rows.ts';

test('slices hold every row once, in order, and have lengths that are powers of two', () => {
  const rows = Array.from({ length: ROWS_MAX * 2 + 37 }, (_, index) => index);

  const slices = [...cutRowSlices(rows)];

  assert.deepEqual(slices.flat(), rows);
  assert.deepEqual(
    slices.map((slice) => slice.length),
    [512, 512, 32, 4, 1],
  );
});

test('no row makes no slice', () => {
  assert.deepEqual([...cutRowSlices([])], []);
});

test('the values are in the order of the rows', () => {
  const { sql, values } = valueRows([
    [1, 'a'],
    [2, null],
  ]);

  assert.equal(sql, 'values (?,?),(?,?)');
  assert.deepEqual(values, [1, 'a', 2, null]);
});

test('an insert of no row or of too many is refused', () => {
  assert.throws(() => valueRows([]), RangeError);
  assert.throws(() => valueRows(new Array<readonly number[]>(ROWS_MAX + 1).fill([1])), RangeError);
});
