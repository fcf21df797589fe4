// Long computations on the serving thread: when to let other requests have their turn, and sorting in
// such turns.
import { setImmediate } from 'node:timers/promises';
import { slicesOf } from '@lothub/kit/in-list';

/** Values sorted or merged between two turns of the event loop: about a millisecond. */
const VALUES_PER_TURN = 1_000;

/** Counts steps of work; after `stepsPerTurn` of them it is time to let others go on. */
export class Pace {
  readonly #stepsPerTurn: number;
  #steps = 0;

  constructor(stepsPerTurn: number) {
    this.#stepsPerTurn = stepsPerTurn;
  }

  /** True when a turn is over: await `setImmediate()` then. */
  isOver(steps = 1): boolean {
    this.#steps += steps;
    if (this.#steps < this.#stepsPerTurn) return false;
    this.#steps = 0;
    return true;
  }
}

/** A sorted copy; equal values keep their order. */
export async function sortInTurns<Value>(
  values: readonly Value[],
  compare: (a: Value, b: Value) => number,
): Promise<readonly Value[]> {
  let runs: (readonly Value[])[] = [];
  for (const slice of slicesOf(values, VALUES_PER_TURN)) {
    if (runs.length > 0) await setImmediate();
    runs.push(slice.toSorted(compare));
  }
  while (runs.length > 1) {
    const merged: (readonly Value[])[] = [];
    for (const [first = [], second = []] of slicesOf(runs, 2)) {
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
  const pace = new Pace(VALUES_PER_TURN);
  const merged: Value[] = [];
  let at = 0;
  for (const value of first) {
    for (let other = second[at]; other !== undefined && compare(other, value) < 0;) {
      merged.push(other);
      other = second[(at += 1)];
      if (pace.isOver()) await setImmediate();
    }
    merged.push(value);
    if (pace.isOver()) await setImmediate();
  }
  return merged.concat(second.slice(at));
}
