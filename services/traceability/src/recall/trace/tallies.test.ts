// Sums over many lines: as exact as adding decimals up one by one.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import Big from 'big.js';
import fc from 'fast-check';
import { DecimalSum, LotCount } from './tallies.ts';

const amount = fc.oneof(
  fc.constantFrom('0', '0.25', '0.000001', '0.0000001', '0.000000000000001', '562949953.421312'),
  fc.constantFrom('999999999999999', '99999999.9999999', '562949953421312', '0.1', '2.675'),
  fc
    .tuple(fc.integer({ min: 0, max: 999_999_999 }), fc.integer({ min: 0, max: 999_999 }))
    .map(([whole, fraction]) => `${whole}.${String(fraction).padStart(6, '0')}`),
);

/** What is taken back is below zero. */
const quantity = fc
  .tuple(amount, fc.boolean())
  .map(([text, isTakenBack]) => (isTakenBack ? new Big(text).neg().toFixed() : text));

test('a sum of quantities is the decimal sum, whatever their sizes', () => {
  fc.assert(
    fc.property(fc.array(quantity, { maxLength: 40 }), (texts) => {
      const sum = new DecimalSum();

      for (const text of texts) sum.add(text);

      const expected = texts.reduce((total, text) => total.plus(text), new Big(0));
      assert.equal(sum.text(), expected.toFixed());
    }),
  );
});

test('sums beyond what a number holds exactly stay exact', () => {
  const sum = new DecimalSum();

  for (let n = 0; n < 100; n += 1) sum.add('500000000.000001');

  assert.equal(sum.text(), '50000000000.0001');
});

test('a lot is counted once, in whatever order lots come', () => {
  const lots = new LotCount();
  const before = lots.count;

  for (const lotNo of [7, 7, 3, 7, 3, 9]) lots.add(lotNo);

  assert.equal(before, 0);
  assert.equal(lots.count, 3);
});

test('lots that are added again and again are counted once, and the first of them stay the first', () => {
  const lots = new LotCount();

  for (let n = 0; n < 1_000; n += 1) lots.add(500 - (n % 300));

  assert.deepEqual(lots.first(3), [500, 499, 498]);
  assert.equal(lots.count, 300);
});
