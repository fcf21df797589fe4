// Words that pages say of times and counts.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agoWords, counted, dayWords, shortCount, utcWords } from './browser/words.ts';

const NOW_MS = Date.parse('2026-11-21T12:00:00Z');

for (const [seconds, words] of [
  [0, 'now'],
  [44, 'now'],
  // A clock that is a little ahead.
  [-20, 'now'],
  [45, '1 min ago'],
  [3_599, '60 min ago'],
  [3_600, '1 h ago'],
  [86_399, '23 h ago'],
  [86_400, '1 day ago'],
  [6 * 86_400, '6 days ago'],
  [7 * 86_400, undefined],
  [-3_600, undefined],
] as const) {
  test(`${seconds} seconds ago is ${words ?? 'better said by a date'}`, () => {
    assert.equal(agoWords(NOW_MS - seconds * 1_000, NOW_MS), words);
  });
}

test('an instant is written out in UTC, and whatever is none stays as it is', () => {
  assert.equal(utcWords('2026-01-02T03:04:05.678Z'), '2 Jan 2026, 03:04:05 UTC');
  assert.equal(utcWords('soon'), 'soon');
});

test('counts are written with the right form of their word, and shortened where there is no room', () => {
  assert.equal(counted(1, 'notification'), '1 notification');
  assert.equal(counted(1_200, 'notification'), '1,200 notifications');
  assert.deepEqual([0, 999, 1_000].map(shortCount), ['0', '999', '999+']);
});

test('days beside today have words, and others a date, over the end of a year, too', () => {
  const words = ['2026-01-02', '2026-01-01', '2025-12-31'].map((day) =>
    dayWords(day, '2026-01-02'),
  );

  assert.deepEqual(words, ['Today', 'Yesterday', '31 Dec 2025']);
});
