// Counts the groups of lots that lead back to themselves: the strongly connected components of two or
// more lots, by Tarjan's algorithm, over lots and links as two kinds of nodes. Pure but for its pauses.

import { Pace, nextTurn } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
/** Edges followed between two turns of the event loop: about a millisecond. */
const STEPS_PER_TURN = 20_000;

/** One link as a node between lots: each of `ins` leads to each of `outs`. Lots are numbers from 0. */
export interface Junction {
  readonly ins: readonly number[];
  readonly outs: readonly number[];
}

/** A lot that leads to itself alone is no cycle. */
export async function countCycles(
  lotCount: number,
  junctions: readonly Junction[],
): Promise<number> {
  const components = new Components(lotCount, await findExits(lotCount, junctions));
  while (components.advance(STEPS_PER_TURN)) await nextTurn();
  return components.cycles;
}

/** The edges that leave each node: `targets` from `starts[node]` up to `starts[node + 1]`. */
interface Exits {
  readonly starts: Int32Array;
  readonly targets: Int32Array;
}

/** The nodes are first the lots, then the junctions. */
async function findExits(lotCount: number, junctions: readonly Junction[]): Promise<Exits> {
  const pace = new Pace(STEPS_PER_TURN);
  const nodeCount = lotCount + junctions.length;
  const starts = new Int32Array(nodeCount + 1);
  for (const [index, { ins, outs }] of junctions.entries()) {
    for (const lot of ins) increase(starts, lot + 1, 1);
    increase(starts, lotCount + index + 1, outs.length);
    if (pace.isOver(ins.length + 1)) await nextTurn();
  }
  for (let node = 0; node < nodeCount; node += 1) increase(starts, node + 1, at(starts, node));
  const targets = new Int32Array(at(starts, nodeCount));
  const ends = starts.slice();
  for (const [index, { ins, outs }] of junctions.entries()) {
    for (const lot of ins) {
      targets[at(ends, lot)] = lotCount + index;
      increase(ends, lot, 1);
    }
    targets.set(outs, at(ends, lotCount + index));
    if (pace.isOver(ins.length + outs.length + 1)) await nextTurn();
  }
  return { starts, targets };
}

function increase(counts: Int32Array, index: number, by: number): void {
  counts[index] = at(counts, index) + by;
}

/** Tarjan's algorithm with a stack of its own, so that a long chain of lots does not end the process. */
class Components {
  cycles = 0;
  readonly #lotCount: number;
  readonly #exits: Exits;
  /** Order in which nodes were met, from 1; 0 of those that were not. */
  readonly #order: Int32Array;
  /**
   * The earliest node that each leads back to, as far as it is known; 0 once its component is
   * known.
   */
  readonly #lowest: Int32Array;
  /** The next exit of each node. */
  readonly #next: Int32Array;
  /** The way from the first node to the present one. */
  readonly #path: number[] = [];
  /** Visited nodes whose component is unknown yet. */
  readonly #pending: number[] = [];
  #met = 0;
  /** Lots below this number have been met. */
  #lot = 0;

  constructor(lotCount: number, exits: Exits) {
    const nodeCount = exits.starts.length - 1;
    this.#lotCount = lotCount;
    this.#exits = exits;
    this.#order = new Int32Array(nodeCount);
    this.#lowest = new Int32Array(nodeCount);
    this.#next = exits.starts.slice(0, nodeCount);
  }

  /** @returns true when it stopped after this number of steps and has to be called again */
  advance(steps: number): boolean {
    for (let left = steps; left > 0; left -= 1) {
      const node = this.#path.at(-1);
      if (node !== undefined) {
        this.#follow(node);
      } else {
        if (this.#lot >= this.#lotCount) return false;
        if (this.#order[this.#lot] === 0) this.#meet(this.#lot);
        this.#lot += 1;
      }
    }
    return true;
  }

  /** Goes along the next exit of a node, or back when there is none left. */
  #follow(node: number): void {
    const exit = at(this.#next, node);
    if (exit >= at(this.#exits.starts, node + 1)) {
      this.#leave(node);
      return;
    }
    increase(this.#next, node, 1);
    const target = at(this.#exits.targets, exit);
    if (this.#order[target] === 0) this.#meet(target);
    else if (this.#lowest[target] !== 0) this.#lower(node, at(this.#order, target));
  }

  #meet(node: number): void {
    this.#met += 1;
    this.#order[node] = this.#met;
    this.#lowest[node] = this.#met;
    this.#path.push(node);
    this.#pending.push(node);
  }

  #lower(node: number, to: number): void {
    this.#lowest[node] = Math.min(at(this.#lowest, node), to);
  }

  /**
   * Everything after the node is known: it is the first of its component, or leads further back.
   */
  #leave(node: number): void {
    this.#path.pop();
    const lowest = at(this.#lowest, node);
    if (lowest < at(this.#order, node)) {
      const before = this.#path.at(-1);
      if (before !== undefined) this.#lower(before, lowest);
      return;
    }
    let lots = 0;
    for (let member = this.#pending.pop(); member !== undefined; member = this.#pending.pop()) {
      this.#lowest[member] = 0;
      if (member < this.#lotCount) lots += 1;
      if (member === node) break;
    }
    if (lots > 1) this.cycles += 1;
  }
}
