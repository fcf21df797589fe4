// Queries that are asked together: the order of their answers, and how many are under way at once.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { askForEach, askInOrder } from './database.ts';
import type { DatabaseReader } from './database.ts';

/** As many as one request may have under way. */
const AT_ONCE = 4;
const ITEMS = Array.from({ length: 10 }, (_, index) => index);

const reader: DatabaseReader = {
  all: () => Promise.resolve([]),
  first: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

test('answers stand in the order of what was asked, whichever comes first', async () => {
  const answers = await askForEach(reader, ITEMS, async (_, item) => {
    if (item % 2 === 0) await setImmediate();
    return item;
  });

  assert.deepEqual(answers, ITEMS);
});

test('one request has a bounded number of queries under way', async () => {
  let underWay = 0;
  let most = 0;

  await askForEach(reader, ITEMS, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await setImmediate();
    underWay -= 1;
  });

  assert.equal(most, AT_ONCE);
});

test('whoever takes no more answers ends the asking', async () => {
  const asked: number[] = [];

  for await (const answer of askInOrder(reader, ITEMS, (_, item) => {
    asked.push(item);
    return Promise.resolve(item);
  })) {
    if (answer === 1) break;
  }

  assert.deepEqual(asked, ITEMS.slice(0, AT_ONCE));
});
