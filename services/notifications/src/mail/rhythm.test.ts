// When mails go, on clocks and in zones given.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { earliestAt, nextMorning } from './rhythm.ts';

for (const [at, zone, expected] of [
  ['2026-11-03T06:59:59.999Z', 'UTC', '2026-11-03T07:00:00.000Z'],
  ['2026-11-03T07:00:00.000Z', 'UTC', '2026-11-04T07:00:00.000Z'],
  ['2026-11-03T12:00:00.000Z', 'Europe/Berlin', '2026-11-04T06:00:00.000Z'],
  ['2026-07-03T12:00:00.000Z', 'Europe/Berlin', '2026-07-04T05:00:00.000Z'],
  // The night in which clocks go forward, and the one in which they go back.
  ['2026-03-28T12:00:00.000Z', 'Europe/Berlin', '2026-03-29T05:00:00.000Z'],
  ['2026-10-24T12:00:00.000Z', 'Europe/Berlin', '2026-10-25T06:00:00.000Z'],
  ['2026-11-03T01:14:59.999Z', 'Asia/Kathmandu', '2026-11-03T01:15:00.000Z'],
  ['2026-11-03T20:00:00.000Z', 'Pacific/Auckland', '2026-11-04T18:00:00.000Z'],
] as const) {
  test(`the morning after ${at} in ${zone} is ${expected}`, () => {
    assert.equal(new Date(nextMorning(Date.parse(at), zone)).toISOString(), expected);
  });
}

test('what was posted goes at once, at the next full hour, or in the morning', () => {
  const postedAt = Date.parse('2026-11-03T12:00:00.000Z');
  const at = (rhythm: 'at_once' | 'hourly' | 'daily') =>
    new Date(earliestAt(rhythm, { postedAt, zone: 'Europe/Berlin' })).toISOString();

  assert.equal(at('at_once'), '2026-11-03T12:00:00.000Z');
  assert.equal(at('hourly'), '2026-11-03T13:00:00.000Z');
  assert.equal(at('daily'), '2026-11-04T06:00:00.000Z');
});
