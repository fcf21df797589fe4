// What is made at the first call: not before, and once.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { atFirstCall } from './at-first-call.ts';

test('a function is made at its first call, once for all calls', () => {
  let made = 0;
  const double = atFirstCall(() => {
    made += 1;
    return (n: number) => 2 * n;
  });

  const before = made;
  const answers = [double(1), double(2)];

  assert.deepEqual({ before, answers, made }, { before: 0, answers: [2, 4], made: 1 });
});
