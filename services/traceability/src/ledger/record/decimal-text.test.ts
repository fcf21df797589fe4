// Quantities as decimal text: exact or refused, never rounded.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QUANTITY_MAX } from './fields.ts';
import { decimalText } from './decimal-text.ts';

/** Decimal literals of at most 15 significant digits and 15 places. */
const literals = fc
  .tuple(fc.stringMatching(/^\d{1,15}$/), fc.nat({ max: 15 }))
  .map(([digits, places]) => {
    const padded = digits.padStart(places + 1, '0');
    const point = padded.length - places;
    return places === 0 ? padded : `${padded.slice(0, point)}.${padded.slice(point)}`;
  });

/** Removes leading and trailing zeros, as the chain format does. */
function plain(literal: string): string {
  const trimmed = literal.includes('.') ? literal.replace(/\.?0+$/, '') : literal;
  return trimmed.replace(/^0+(?=\d)/, '');
}

test('every literal of at most 15 digits is kept digit by digit', () => {
  fc.assert(
    fc.property(literals, (literal) => {
      assert.equal(decimalText(Number(literal)), plain(literal));
    }),
    { numRuns: 1_000 },
  );
});

test('any number is either refused or written so that it reads as the same number', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: QUANTITY_MAX, noNaN: true }), (quantity) => {
      const text = decimalText(quantity);
      if (text === undefined) return;
      assert.match(text, /^(0|[1-9]\d*)(\.\d*[1-9])?$/);
      assert.equal(Number(text), quantity);
      assert.ok(text.replace('.', '').replace(/^0+/, '').length <= 15);
    }),
    { numRuns: 1_000 },
  );
});

for (const [quantity, expected] of [
  [0, '0'],
  [-0, '0'],
  [QUANTITY_MAX, '999999999999999'],
  [1e-15, '0.000000000000001'],
  [0.1, '0.1'],
  [1e14, '100000000000000'],
  [0.1 + 0.2, undefined],
  [1 / 3, undefined],
  [1e-16, undefined],
  [Number.MIN_VALUE, undefined],
] as const) {
  test(`${quantity} is ${expected ?? 'refused'}`, () => {
    assert.equal(decimalText(quantity), expected);
  });
}
