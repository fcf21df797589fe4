// What percentage an upgrade is said to have come to.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toPercent, type UpgradeProgress } from './upgrade.ts';

function rows(done: number, total: number): UpgradeProgress {
  return { step: 'rows', place: { done, total } };
}

for (const [what, progress, percent] of [
  ['tables that are changed', { step: 'schema' }, 0],
  ['rows that another process may be making', { step: 'rows', place: undefined }, null],
  ['no row of any', rows(0, 200), 0],
  [
    'decisions of which a quarter is sealed',
    { step: 'decisions', place: { done: 1, total: 4 } },
    25,
  ],
  ['a part that is not a whole percent', rows(3, 200), 1],
  ['all rows, which are not committed yet', rows(200, 200), 99],
  ['nothing to make', rows(0, 0), 0],
] as const) {
  test(`the percentage of ${what} is ${percent}`, () => {
    assert.equal(toPercent(progress), percent);
  });
}
