// Turns between slices, between pages and in long computations, and what an early end leaves behind.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  Pace,
  inTurns,
  nextWorkTurn,
  pagesInTurns,
  slicesInTurns,
  sortInTurns,
} from './in-turns.ts';

/** Counts the turns of the event loop. */
class TurnCounter implements Disposable {
  turns = 0;
  #waiting = setImmediate(() => this.#count());

  #count(): void {
    this.turns += 1;
    this.#waiting = setImmediate(() => this.#count());
  }

  [Symbol.dispose](): void {
    clearImmediate(this.#waiting);
  }
}

/** A table of numbered rows, with what was read of it. */
class Table {
  readonly reads: { readonly above: number; readonly limit: number }[] = [];
  readonly #rows: readonly { readonly no: number; readonly text: string }[];

  constructor(rowCount: number) {
    this.#rows = Array.from({ length: rowCount }, (_, n) => ({ no: n + 1, text: `row ${n + 1}` }));
  }

  readonly read = (
    { no: above }: { readonly no: number },
    limit: number,
  ): Promise<readonly { readonly no: number; readonly text: string }[]> => {
    this.reads.push({ above, limit });
    return Promise.resolve(this.#rows.filter(({ no }) => no > above).slice(0, limit));
  };

  /** Numbers of the rows on each page. */
  async pages(limit: number): Promise<readonly (readonly number[])[]> {
    const pages = pagesInTurns({ start: { no: 0 }, limit, read: this.read });
    return (await Array.fromAsync(pages)).map((page) => page.map(({ no }) => no));
  }
}

/** Numbers from 0 on without end; `state` shows what was taken, and whether the source was ended. */
function* numbers(state: { taken: number; isEnded: boolean }): Generator<number> {
  try {
    for (let n = 0; ; n += 1) {
      state.taken += 1;
      yield n;
    }
  } finally {
    state.isEnded = true;
  }
}

async function* numbersAsync(state: { taken: number; isEnded: boolean }): AsyncGenerator<number> {
  yield* numbers(state);
}

test('slices hold every value once and in order, the last short one too', async () => {
  const slices = await Array.fromAsync(slicesInTurns(new Set([1, 2, 3, 4, 5]), 2));

  assert.deepEqual(slices, [[1, 2], [3, 4], [5]]);
});

test('each slice comes in a later turn than the one before', async () => {
  using counter = new TurnCounter();
  const turns: number[] = [];

  for await (const _ of slicesInTurns([1, 2, 3, 4, 5], 2)) turns.push(counter.turns);

  assert.deepEqual(turns, [0, 1, 2]);
});

test('a walk over many lists of one slice gives a turn with each', async () => {
  using counter = new TurnCounter();

  for (let list = 0; list < 5; list += 1) {
    for await (const _ of slicesInTurns([list])) continue;
  }

  assert.equal(counter.turns, 5);
});

test('nothing is taken from a source before its turn has come', async () => {
  const state = { taken: 0, isEnded: false };
  const taken: number[] = [];

  for await (const slice of slicesInTurns(numbers(state), 10)) {
    taken.push(state.taken);
    if (slice.includes(25)) break;
  }

  assert.deepEqual(taken, [10, 20, 30]);
});

for (const [name, source] of [
  ['a generator', numbers],
  ['an asynchronous generator', numbersAsync],
] as const) {
  test(`a walk that ends early ends ${name}`, async () => {
    const state = { taken: 0, isEnded: false };

    for await (const value of inTurns<number>(source(state))) if (value === 2) break;

    assert.deepEqual(state, { taken: 3, isEnded: true });
  });

  test(`a walk that fails ends ${name}`, async () => {
    const state = { taken: 0, isEnded: false };

    const walk = async (): Promise<void> => {
      for await (const _ of inTurns<number>(source(state))) throw new RangeError('out of room');
    };

    await assert.rejects(walk(), new RangeError('out of room'));
    assert.deepEqual(state, { taken: 1, isEnded: true });
  });
}

test('a walk that ends early ends the source of slices', async () => {
  const state = { taken: 0, isEnded: false };

  for await (const _ of slicesInTurns(numbers(state), 4)) break;

  assert.deepEqual(state, { taken: 4, isEnded: true });
});

test('pages go on where the one before ended, and end with the first short one', async () => {
  const table = new Table(7);

  const pages = await table.pages(3);

  assert.deepEqual(pages, [[1, 2, 3], [4, 5, 6], [7]]);
  assert.deepEqual(table.reads, [
    { above: 0, limit: 3 },
    { above: 3, limit: 3 },
    { above: 6, limit: 3 },
  ]);
});

test('rows that fill their pages end with an empty read, which is no page', async () => {
  const table = new Table(6);

  const pages = await table.pages(3);

  assert.deepEqual(pages, [
    [1, 2, 3],
    [4, 5, 6],
  ]);
  assert.equal(table.reads.length, 3);
});

test('of no rows there is no page', async () => {
  const table = new Table(0);

  const pages = await table.pages(3);

  assert.deepEqual(pages, []);
  assert.equal(table.reads.length, 1);
});

test('each page is read in a later turn than the one before', async () => {
  using counter = new TurnCounter();
  const table = new Table(7);
  const turns: number[] = [];
  const read: Table['read'] = (end, limit) => {
    turns.push(counter.turns);
    return table.read(end, limit);
  };

  for await (const _ of pagesInTurns({ start: { no: 0 }, limit: 3, read })) continue;

  assert.deepEqual(turns, [0, 1, 2]);
  assert.equal(counter.turns, 3);
});

test('no page is read behind the one at which a walk ends', async () => {
  const table = new Table(7);

  for await (const page of pagesInTurns({ start: { no: 0 }, limit: 3, read: table.read })) {
    if (page.some(({ no }) => no === 4)) break;
  }

  assert.equal(table.reads.length, 2);
});

test('what fails in reading a page fails the walk', async () => {
  const read: Table['read'] = () => Promise.reject(new Error('the database is away'));

  const walk = Array.fromAsync(pagesInTurns({ start: { no: 0 }, limit: 3, read }));

  await assert.rejects(walk, new Error('the database is away'));
});

test('of several works each turn of the event loop does one piece, in the order they came', async () => {
  using counter = new TurnCounter();
  const pieces: { readonly name: string; readonly turn: number }[] = [];
  const work = async (name: string): Promise<void> => {
    for (let piece = 0; piece < 3; piece += 1) {
      await nextWorkTurn();
      pieces.push({ name, turn: counter.turns });
    }
  };

  await Promise.all([work('a'), work('b'), work('c')]);

  assert.equal(new Set(pieces.map(({ turn }) => turn)).size, pieces.length);
  assert.equal(pieces.map(({ name }) => name).join(''), 'abcabcabc');
});

test('a turn is over after its steps, and the next one begins anew', () => {
  const pace = new Pace(3);

  const turns = [1, 1, 1, 1, 1, 1, 5, 2, 1].map((steps) => pace.isOver(steps));

  assert.deepEqual(turns, [false, false, true, false, false, true, true, false, true]);
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
  using counter = new TurnCounter();
  const values = Array.from({ length: 20_000 }, (_, index) => (index * 7_919) % 20_000);

  const sorted = await sortInTurns(values, (a, b) => a - b);

  assert.deepEqual(sorted.slice(0, 3), [0, 1, 2]);
  assert.ok(counter.turns >= 20, `${counter.turns} turns`);
});

test('a list that is sorted in one go takes no turn', async () => {
  using counter = new TurnCounter();

  for (let list = 0; list < 5; list += 1) await sortInTurns([3, 1, 2], (a, b) => a - b);

  assert.equal(counter.turns, 0);
});
