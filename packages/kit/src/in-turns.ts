// Long work on the thread that serves requests, done in turns: between two pieces of it the event loop
// serves others. Walks a large result in slices or pages, paces a computation, sorts.
import { setImmediate } from 'node:timers/promises';
import { cutSlices, IN_LIST_MAX } from './in-list.ts';

/** Resolves in the next turn of the event loop, when others were served. */
export function nextTurn(): Promise<void> {
  return setImmediate();
}

let lastWork: Promise<void> = Promise.resolve();

/**
 * Resolves in a later turn of the event loop, in which no other caller's piece of work is done: however
 * many long works there are, a request waits for one piece of one of them.
 */
export function nextWorkTurn(): Promise<void> {
  lastWork = lastWork.then(nextTurn);
  return lastWork;
}

/**
 * Yields each value, and gives a turn after it. The last one is no exception, so that a caller that walks
 * many short lists gives turns as well. A caller that ends the walk early ends the source with it.
 */
export async function* inTurns<Value>(
  values: Iterable<Value> | AsyncIterable<Value>,
): AsyncGenerator<Value> {
  for await (const value of values) {
    yield value;
    await nextTurn();
  }
}

/** Slices of values, with a turn after each; without `sizeMax` each fits the list of one query. */
export function slicesInTurns<Value>(
  values: Iterable<Value>,
  sizeMax: number = IN_LIST_MAX,
): AsyncGenerator<readonly Value[]> {
  return inTurns(cutSlices(values, sizeMax));
}

/** How a result is read page by page, each from the place at which the one before it ended. */
export interface Pages<Place, Row extends Place> {
  /** The place before the first row. */
  readonly start: Place;
  /** Rows of a page; a page that has fewer is the last one. */
  readonly limit: number;
  /** @param end the last row of the page before, or `start` */
  readonly read: (end: Place, limit: number) => Promise<readonly Row[]>;
}

/** Pages of rows, none of them empty, with a turn after each. */
export function pagesInTurns<Place, Row extends Place>(
  pages: Pages<Place, Row>,
): AsyncGenerator<readonly Row[]> {
  return inTurns(readPages(pages));
}

async function* readPages<Place, Row extends Place>({
  start,
  limit,
  read,
}: Pages<Place, Row>): AsyncGenerator<readonly Row[]> {
  let end: Place | undefined = start;
  while (end !== undefined) {
    const page: readonly Row[] = await read(end, limit);
    if (page.length > 0) yield page;
    end = page.length < limit ? undefined : page.at(-1);
  }
}

/**
 * Counts the steps of a computation: `if (pace.isOver()) await nextTurn()`. A step takes nanoseconds, and
 * an await takes twenty times as long as this check, so only the steps that end a turn await.
 */
export class Pace {
  readonly #stepsPerTurn: number;
  #steps = 0;

  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** True when the steps of a turn are done. */
  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < this.#stepsPerTurn) return false;
    this.#steps = 0;
    return true;
  }
}

/** Values sorted or merged between two turns: about a millisecond. */
const SORTED_PER_TURN = 1_000;

/** A sorted copy; equal values keep their order. */
export async function sortInTurns<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Promise<readonly Value[]> {
  let runs: (readonly Value[])[] = [];
  for (const slice of cutSlices(values, SORTED_PER_TURN)) {
    // Before a slice and not after it: thousands of short lists are sorted one after the other.
    if (runs.length > 0) await nextTurn();
    runs.push(slice.toSorted(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly Value[])[] = [];
    for (const [first = [], second = []] of cutSlices(runs, 2)) {
      merged.push(await merge(first, second, compare));
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<Value>(
  first: readonly Value[],
  second: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Promise<readonly Value[]> {
  if (second.length === 0) return first;
  const pace = new Pace(SORTED_PER_TURN);
  const merged: Value[] = [];
  let at = 0;
  for (const value of first) {
    for (let other = second[at]; other !== undefined && compare(other, value) < 0;) {
      merged.push(other);
      other = second[(at += 1)];
      if (pace.isOver()) await nextTurn();
    }
    merged.push(value);
    if (pace.isOver()) await nextTurn();
  }
  return merged.concat(second.slice(at));
}
