// The boundary of a page: one row more than the limit says that another page follows.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutPage } from './cut-page.ts';

test('a page with one row more than the limit shows the limit and names its last row', () => {
  assert.deepEqual(cutPage([5, 6, 7], 2), { rows: [5, 6], last: 6 });
});

test('a page with exactly the limit of rows is the last one', () => {
  assert.deepEqual(cutPage([5, 6], 2), { rows: [5, 6], last: undefined });
});

test('pages without rows, or with fewer than the limit, are the last ones', () => {
  assert.deepEqual(cutPage([], 2), { rows: [], last: undefined });
  assert.deepEqual(cutPage([5], 2), { rows: [5], last: undefined });
});

test('a walk from last row to last row shows each row once', () => {
  const stored = [1, 2, 3, 4, 5];
  const shown: number[] = [];
  for (let after: number | undefined = 0; after !== undefined;) {
    const behind: number = after;
    const found = stored.filter((row) => row > behind).slice(0, 2 + 1);
    const { rows, last } = cutPage(found, 2);
    shown.push(...rows);
    after = last;
  }

  assert.deepEqual(shown, stored);
});
