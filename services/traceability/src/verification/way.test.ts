// Which events of ancestors are on a way to a lot. Lots are numbered: 1 is the lot that is looked at.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findWay, type EventsOfAncestors, type LotEvent, type Transformation } from './way.ts';

const [BREAD, DOUGH, FLOUR, SALT] = [1, 2, 3, 4];

/** An event at this height; it occurs in the order of heights unless a day is given. */
function at(height: number, lotNo: number, day = height): LotEvent {
  return { lotNo, height, instant: `2026-03-${String(day).padStart(2, '0')}T06:00:00` };
}

function made(
  height: number,
  ins: readonly number[],
  outs: readonly number[],
  day?: number,
): Transformation {
  return {
    ins: ins.map((lotNo) => at(height, lotNo, day)),
    outs: outs.map((lotNo) => at(height, lotNo, day)),
  };
}

function wayTo(
  lotNo: number,
  events: Partial<EventsOfAncestors>,
): Readonly<Record<number, number[]>> {
  const way = findWay(lotNo, { transformations: [], origins: [], moves: [], ...events });
  return Object.fromEntries(
    [...way].map(([ancestor, heights]) => [ancestor, heights.toSorted((a, b) => a - b)]),
  );
}

test('an ancestor is on the way with its origin, its moves before its use, and its use', () => {
  const way = wayTo(BREAD, {
    origins: [at(1, FLOUR)],
    moves: [at(2, FLOUR), at(4, FLOUR)],
    transformations: [made(3, [FLOUR], [BREAD])],
  });

  assert.deepEqual(way, { [FLOUR]: [1, 2, 3] });
});

test('the way goes on through what the ancestors were made of', () => {
  const way = wayTo(BREAD, {
    origins: [at(1, FLOUR), at(2, SALT)],
    transformations: [made(3, [FLOUR], [DOUGH]), made(4, [DOUGH, SALT], [BREAD])],
  });

  assert.deepEqual(way, { [DOUGH]: [3, 4], [FLOUR]: [1, 3], [SALT]: [2, 4] });
});

test('a lot that is made again after its use brings no further ancestors onto the way', () => {
  const way = wayTo(BREAD, {
    origins: [at(1, FLOUR), at(4, SALT)],
    transformations: [
      made(2, [FLOUR], [DOUGH]),
      made(3, [DOUGH], [BREAD]),
      made(5, [SALT], [DOUGH]),
    ],
  });

  assert.deepEqual(way, { [DOUGH]: [2, 3], [FLOUR]: [1, 2] });
});

test('a lot that is used twice on the way counts as it was at the later use', () => {
  const way = wayTo(BREAD, {
    transformations: [
      made(1, [FLOUR], [DOUGH]),
      made(2, [DOUGH], [BREAD]),
      made(3, [SALT], [DOUGH]),
      made(4, [DOUGH], [BREAD]),
    ],
  });

  assert.deepEqual(way, { [DOUGH]: [1, 2, 3, 4], [FLOUR]: [1], [SALT]: [3] });
});

test('the event in which an ancestor came to be first counts, even when its use is said to be earlier', () => {
  const way = wayTo(BREAD, {
    origins: [at(1, FLOUR, 20), at(2, FLOUR, 21)],
    transformations: [made(3, [FLOUR], [BREAD], 10)],
  });

  assert.deepEqual(way, { [FLOUR]: [1, 3] });
});

test('no lot is on the way to itself, and an event that swaps two lots leads to each from the other', () => {
  const swap = made(2, [BREAD, DOUGH], [BREAD, DOUGH]);
  const events = {
    origins: [at(1, DOUGH)],
    transformations: [made(3, [DOUGH, FLOUR], [DOUGH, BREAD]), swap],
  };

  assert.deepEqual(wayTo(BREAD, events), { [DOUGH]: [1, 2, 3], [FLOUR]: [3] });
});

test('by a reference every event of what went in counts, also one that is booked later', () => {
  const order: Transformation = {
    ins: [at(1, FLOUR), at(4, FLOUR), at(2, SALT)],
    outs: [at(3, BREAD)],
  };

  assert.deepEqual(wayTo(BREAD, { transformations: [order] }), { [FLOUR]: [1, 4], [SALT]: [2] });
});

test('a cycle ends', () => {
  const way = wayTo(BREAD, {
    transformations: [
      made(1, [FLOUR], [DOUGH]),
      made(2, [DOUGH], [FLOUR]),
      made(3, [FLOUR], [DOUGH]),
      made(4, [DOUGH], [BREAD]),
    ],
  });

  assert.deepEqual(way, { [DOUGH]: [1, 2, 3, 4], [FLOUR]: [1, 2, 3] });
});
