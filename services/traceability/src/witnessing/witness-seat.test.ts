// When a witness is asked again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WitnessSeat } from './witness-seat.ts';

test('the times at which a witness was not there do not count when it fails once', () => {
  const asked = { url: 'http://witness.example.org', witnesses: [] };
  const seat = new WitnessSeat(asked, { epoch: 1, rows: [] });

  for (let second = 0; second < 9; second += 1) {
    seat.note('unreachable', { nowMs: 0, elapsedMs: second * 1_000 });
  }
  seat.note('failing', { nowMs: 0, elapsedMs: 10_000 });

  assert.deepEqual(
    [19_999, 20_000].map((ms) => seat.isDue(ms)),
    [false, true],
  );
});
