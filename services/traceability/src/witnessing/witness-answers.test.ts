// When a witness is asked again.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { restAfterMs } from './witness-answers.ts';

test('a witness that fails is asked after 10 s, then after twice as long, up to 10 minutes', () => {
  const rests = [1, 2, 3, 7, 8, 50].map((failures) => restAfterMs('failing', failures) / 1_000);

  assert.deepEqual(rests, [10, 20, 40, 600, 600, 600]);
});

test('a witness that does not know the log yet is asked soon, and then once an hour', () => {
  const rests = [1, 2, 9, 10, 5_000].map(
    (failures) => restAfterMs('unknown_log', failures) / 1_000,
  );

  assert.deepEqual(rests, [10, 20, 2_560, 3_600, 3_600]);
});

test('what somebody has to set up is asked for once an hour, and what is back at once', () => {
  assert.equal(restAfterMs('unknown_key', 1), 3_600_000);
  assert.equal(restAfterMs('refuses', 1), 3_600_000);
  assert.equal(restAfterMs('unreachable', 9), 0);
  assert.equal(restAfterMs('cosigned', 0), 0);
});
