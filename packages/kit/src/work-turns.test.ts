// Turns of long works that go on beside each other.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nextWorkTurn } from './work-turns.ts';

test('of several works each turn of the event loop does one piece, in the order they came', async () => {
  const pieces: string[] = [];
  let turn = 0;
  const count = (): void => {
    turn += 1;
    waiting = setImmediate(count);
  };
  let waiting = setImmediate(count);
  const work = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) {
      await nextWorkTurn();
      pieces.push(`${name} in ${turn}`);
    }
  };

  await Promise.all([work('a'), work('b'), work('c')]);

  clearImmediate(waiting);
  const turns = pieces.map((piece) => piece.split(' ').at(-1));
  assert.equal(new Set(turns).size, pieces.length, pieces.join(', '));
  assert.deepEqual(
    pieces.map((piece) => piece.charAt(0)),
    ['a', 'b', 'c', 'a', 'b', 'c', 'a', 'b', 'c'],
  );
});
