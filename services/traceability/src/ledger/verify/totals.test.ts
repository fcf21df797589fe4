// The set of row numbers behaves as a Set does, whatever the numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberSet } from './totals.ts';

const rowNumber = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: -100, max: 100 }),
  fc.maxSafeInteger(),
);

test('a set of row numbers holds what was added and nothing else', () => {
  fc.assert(
    fc.property(fc.array(rowNumber), fc.array(rowNumber), (added, asked) => {
      const numbers = new NumberSet();
      const model = new Set<number>();

      for (const value of added) {
        assert.equal(numbers.add(value), !model.has(value));
        model.add(value);
      }

      for (const value of [...added, ...asked]) assert.equal(numbers.has(value), model.has(value));
    }),
  );
});
