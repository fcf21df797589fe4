// Queries that are asked together: the order of their answers, and how many are under way at once.
import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { test } from 'node:test';
import { askForEach, askInOrder, type DatabaseReader } from './database.ts';

/** As many as one request may have under way. */
const AT_ONCE = 4;
const ITEMS = Array.from({ length: 10 }, (_, index) => index);

/** Answers on the spot. */
const local: DatabaseReader = {
  all: () => Promise.resolve([]),
  first: () => Promise.resolve(undefined),
  close: () => Promise.resolve(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** To this one each query is a journey. */
const remote: DatabaseReader = { ...local, together: (ask) => ask(remote) };

test('answers are in the order of the queries, whichever comes first', async () => {
  const answers = await askForEach(remote, ITEMS, async (_, item) => {
    if (item % 2 === 0) await setImmediate();
    return item;
  });

  assert.deepEqual(answers, ITEMS);
});

async function mostUnderWay(reader: DatabaseReader): Promise<number> {
  let underWay = 0;
  let most = 0;
  await askForEach(reader, ITEMS, async () => {
    underWay += 1;
    most = Math.max(most, underWay);
    await setImmediate();
    underWay -= 1;
  });
  return most;
}

test('one request has a bounded number of journeys under way', async () => {
  const most = await mostUnderWay(remote);

  assert.equal(most, AT_ONCE);
});

test('where a query is no journey others have a turn after each', async () => {
  const most = await mostUnderWay(local);

  assert.equal(most, 1);
});

test('others have a turn between two answers, also when these came together', async () => {
  let turns = 0;
  const turnsBefore: number[] = [];

  for await (const _answer of askInOrder(remote, ITEMS.slice(0, AT_ONCE), (_, item) =>
    Promise.resolve(item),
  )) {
    turnsBefore.push(turns);
    globalThis.setImmediate(() => (turns += 1));
  }

  assert.deepEqual(turnsBefore, [0, 1, 2, 3]);
});

test('while the first answers are worked on, the next ones are under way', async () => {
  const asked: number[] = [];
  const answers = askInOrder(remote, ITEMS, (_, item) => {
    asked.push(item);
    return Promise.resolve(item);
  });

  const first = await answers.next();

  assert.equal(first.value, 0);
  assert.deepEqual(asked, ITEMS.slice(0, 2 * AT_ONCE));
});

test('whoever takes no more answers ends the asking', async () => {
  const asked: number[] = [];

  for await (const answer of askInOrder(remote, ITEMS, (_, item) => {
    asked.push(item);
    return Promise.resolve(item);
  })) {
    if (answer === 1) break;
  }
  await setImmediate();

  assert.deepEqual(asked, ITEMS.slice(0, 2 * AT_ONCE));
});

test('a failure among what was asked ahead is thrown where its answer would come', async () => {
  const taken: number[] = [];
  const answers = askInOrder(remote, ITEMS, (_, item) =>
    item === AT_ONCE ? Promise.reject(new Error('gone')) : Promise.resolve(item),
  );

  const taking = (async () => {
    for await (const answer of answers) {
      taken.push(answer);
      await setImmediate();
    }
  })();

  await assert.rejects(taking, /gone/);
  assert.deepEqual(taken, ITEMS.slice(0, AT_ONCE));
});
