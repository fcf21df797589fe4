// The set of row numbers behaves as a Set does, whatever the numbers.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { NumberSet } from './number-set.ts';

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

test('sets of row numbers are joined as Sets are', () => {
  fc.assert(
    fc.property(fc.array(rowNumber), fc.array(rowNumber), (first, second) => {
      const [joined, other] = [makeSet(first), makeSet(second)];
      const sent = new NumberSet(structuredClone(other.pages));

      assert.equal(joined.hasAll(sent), new Set(second).isSubsetOf(new Set(first)));
      assert.equal(joined.addAll(sent), new Set(first).isDisjointFrom(new Set(second)));
      for (const value of [...first, ...second]) assert.equal(joined.has(value), true);
      assert.ok(joined.hasAll(other));
    }),
  );
});

test('the part of a set around a range has all its numbers of the range', () => {
  fc.assert(
    fc.property(fc.array(rowNumber), rowNumber, fc.nat({ max: 100_000 }), (added, after, count) => {
      const part = makeSet(added).around({ after, through: after + count });

      for (const value of added) {
        if (value > after && value <= after + count) assert.ok(part.has(value));
      }
    }),
  );
});

function makeSet(values: readonly number[]): NumberSet {
  const numbers = new NumberSet();
  for (const value of values) numbers.add(value);
  return numbers;
}
