// When the server is asked to count its tables anew.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDueAt } from './table-figures.ts';

test('figures are made anew each time the chain has doubled, by one group of all', () => {
  const due: number[] = [];
  for (let height = 0; height < 3_000; height += 10) {
    if (isDueAt(height, height + 10)) due.push(height + 10);
  }

  assert.deepEqual(due, [70, 130, 260, 520, 1_030, 2_050]);
});

test('a first group that is large counts, and a chain that has grown up is left to the server', () => {
  assert.equal(isDueAt(0, 200), true);
  assert.equal(isDueAt(5, 5), false);
  assert.equal(isDueAt(2 ** 20 - 1, 2 ** 20), true);
  assert.equal(isDueAt(2 ** 21 - 1, 2 ** 21), false);
});
