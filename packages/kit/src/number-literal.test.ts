// Which numbers survive the way through a double.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isExactLiteral, isExactNumber } from './number-literal.ts';

test('a number is exact up to 15 digits, zeros at both ends not counted', () => {
  const digits = fc.stringMatching(/^[1-9]\d{0,13}[1-9]$/);
  fc.assert(
    fc.property(digits, fc.nat({ max: 20 }), fc.nat({ max: 20 }), (text, left, right) => {
      assert.ok(isExactNumber(`-0.${'0'.repeat(left)}${text}${'0'.repeat(right)}e7`));
      assert.ok(!isExactNumber(`${text.padEnd(15, '1')}1`));
    }),
  );
});

test('a million zeros between two digits are judged as fast as they are read', () => {
  assert.equal(isExactLiteral(`1${'0'.repeat(1_000_000)}1`), false);
  assert.equal(isExactLiteral(`0.${'0'.repeat(1_000_000)}1`), false);
});

for (const text of ['1.2.3', '1e', '--1', '+1', '01', '1e5e5', '.5', '1.', '0x10', '']) {
  test(`${JSON.stringify(text)} is no number of JSON`, () => {
    assert.equal(isExactLiteral(text), undefined);
  });
}
