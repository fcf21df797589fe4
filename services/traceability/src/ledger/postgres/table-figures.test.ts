// The times at which the server updates the statistics of its tables.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDueAt } from './table-figures.ts';

test('figures are made anew each time the lines have doubled, by one group of all', () => {
  const due: number[] = [];
  for (let lines = 0; lines < 3_000; lines += 10) {
    if (isDueAt({ before: lines, after: lines + 10 })) due.push(lines + 10);
  }

  assert.deepEqual(due, [70, 130, 260, 520, 1_030, 2_050]);
});

test('a first group that is large counts, and a chain that has grown up is left to the server', () => {
  assert.equal(isDueAt({ before: 0, after: 200 }), true);
  assert.equal(isDueAt({ before: 5, after: 5 }), false);
  assert.equal(isDueAt({ before: 2 ** 20 - 1, after: 2 ** 20 }), true);
  assert.equal(isDueAt({ before: 2 ** 22 - 1, after: 2 ** 22 }), false);
});
