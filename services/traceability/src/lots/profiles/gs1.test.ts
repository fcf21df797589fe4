// Check digits of GS1.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkDigitFault } from './gs1.ts';

for (const digits of [
  '96385074',
  '614141000036',
  '4006381333931',
  '10614141000415',
  '4012345000009',
]) {
  test(`${digits} has the check digit of its other digits, and no other has`, () => {
    assert.equal(checkDigitFault(digits), undefined);
    for (let other = 0; other < 10; other += 1) {
      if (digits.endsWith(String(other))) continue;
      assert.match(String(checkDigitFault(digits.slice(0, -1) + String(other))), /check digit/);
    }
  });
}
