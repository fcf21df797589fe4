// The score of checks, when a drill is due, and that the checks are those that docs/compliance.md
// defines.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import {
  CHECK_CODES,
  DRILL_EVERY_DAYS,
  ONE_SIDED_MAX,
  YIELD_PERCENT_MAX,
  YIELD_PERCENT_MIN,
  computeScore,
  judgeDrill,
  judgeWindow,
} from './compliance.ts';
import { EVENTS_MAX, LINES_MAX, LOTS_MAX } from './window.ts';

const NOW_MS = Date.parse('2026-03-02T06:15:00.000Z');
const DAY_MS = 24 * 3_600_000;
const DOCUMENT = readFileSync(new URL('../../../../docs/compliance.md', import.meta.url), 'utf8');

function scoreOfParts(...parts: readonly (readonly [count: number, total: number])[]): number {
  return computeScore(
    parts.map(([count, total]) => ({ code: 'units_agree', count, of: total, found: [] })),
  );
}

test('the score is 100 only when nothing is wrong', () => {
  assert.equal(scoreOfParts(), 100);
  assert.equal(scoreOfParts([0, 0], [0, 0]), 100);
  assert.equal(scoreOfParts([0, 7], [0, 2_000]), 100);
  assert.equal(scoreOfParts([0, 7], [1, 2_000]), 99);
  assert.equal(scoreOfParts([7, 7], [2, 2]), 0);
});

test('a check that looked at nothing does not count', () => {
  assert.equal(scoreOfParts([0, 0], [1, 2]), 50);
});

test('a drill is due when the last one is a year ago, and only where there are lots', () => {
  const due = (daysAgo: number | undefined, lots = 1): number =>
    judgeDrill({
      lastDrilledAt:
        daysAgo === undefined ? undefined : new Date(NOW_MS - daysAgo * DAY_MS).toISOString(),
      lots,
      nowMs: NOW_MS,
    }).count;

  assert.deepEqual(
    [due(undefined), due(0), due(DRILL_EVERY_DAYS - 1), due(DRILL_EVERY_DAYS), due(undefined, 0)],
    [1, 0, 0, 1, 0],
  );
});

test('docs/compliance.md defines exactly the checks that are made, in their order', () => {
  const judged = judgeWindow({
    events: [],
    linesOf: new Map(),
    lots: [],
    accountsOf: new Map(),
    oneSidedOf: new Map(),
    late: new Set(),
    hasCustomer: () => true,
  });
  const made = [...judged].map(({ code }) => code);

  const defined = [...DOCUMENT.matchAll(/^\| `(\w+)`/gm)].map(([, code]) => code);
  assert.deepEqual(defined, [...CHECK_CODES]);
  assert.deepEqual([...made, 'drilled_in_time'], [...CHECK_CODES]);
});

test('docs/compliance.md gives the limits that the code has', () => {
  const grouped = (value: number): string => value.toLocaleString('en');

  for (const limit of [
    `newest ${grouped(EVENTS_MAX)} events`,
    `at most ${grouped(LINES_MAX)} lines`,
    `newest ${grouped(LOTS_MAX)} lots`,
    `more than ${ONE_SIDED_MAX} one-sided events`,
    `less than ${YIELD_PERCENT_MIN} % or more than ${YIELD_PERCENT_MAX} %`,
    `last ${DRILL_EVERY_DAYS} days`,
  ]) {
    assert.ok(DOCUMENT.includes(limit), limit);
  }
});
