// Turns of long computations, and sorting in them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { compareTexts } from '@lothub/kit/text-order';
import { Pace, sortInTurns } from './pace.ts';

test('a turn is over after its steps, and the next one begins anew', () => {
  const pace = new Pace(3);

  const turns = [1, 1, 1, 1, 2, 5, 1].map((steps) => pace.isOver(steps));

  assert.deepEqual(turns, [false, false, true, false, true, true, false]);
});

test('sorting in turns sorts as sorting at once, and equal values keep their order', async () => {
  const keys = fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 7_000, size: 'max' });
  await fc.assert(
    fc.asyncProperty(keys, async (values) => {
      const numbered = values.map((key, index) => ({ key, index }));
      const byKey = (a: { key: number }, b: { key: number }): number => a.key - b.key;

      const sorted = await sortInTurns(numbered, byKey);

      assert.deepEqual(sorted, numbered.toSorted(byKey));
    }),
    { numRuns: 20 },
  );
});

test('sorting 20,000 values lets others have their turn', async () => {
  const values = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_000);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);

  const sorted = await sortInTurns(values, (a, b) => a - b);

  clearImmediate(waiting);
  assert.deepEqual(sorted.slice(0, 3), [0, 1, 2]);
  assert.ok(turns >= 20, `${turns} turns`);
});

test('texts are ordered by their code units, whatever the language of the machine', () => {
  const texts = ['b', 'ä', 'a', 'B', '', '10', '9', '\u{1F35E}', '\uFF21'];

  const sorted = texts.toSorted(compareTexts);

  assert.deepEqual(sorted, ['', '10', '9', 'B', 'a', 'b', 'ä', '\u{1F35E}', '\uFF21']);
});
