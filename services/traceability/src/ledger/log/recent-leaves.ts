// The leaves of the newest blocks, which no complete tile holds yet. A tile is made of them without
// reading and hashing its blocks again.
import type { Places } from './queries.ts';

/** Leaves that are kept, 32 bytes each; those of older blocks are computed again. */
const LEAVES_MAX = 4_096;

export class RecentLeaves {
  /** Height of the first block whose leaf is kept. */
  #from = 0;
  #leaves: Uint8Array[] = [];

  /** Height behind the last block whose leaf is kept; 0 when none is. */
  get below(): number {
    return this.#leaves.length === 0 ? 0 : this.#from + this.#leaves.length;
  }

  /**
   * Adds the leaves of the blocks from a height on. If they do not continue the kept ones, they
   * replace them.
   */
  add(from: number, leaves: readonly Uint8Array[]): void {
    if (from !== this.below) {
      this.#from = from;
      this.#leaves = [];
    }
    for (const leaf of leaves) this.#leaves.push(leaf);
    if (this.#leaves.length > LEAVES_MAX) this.forget();
  }

  /** The leaves of these blocks; undefined when one of them is not kept. */
  find({ from, below }: Places): readonly Uint8Array[] | undefined {
    if (from < this.#from || below > this.below) return undefined;
    return this.#leaves.slice(from - this.#from, below - this.#from);
  }

  /** Forgets the leaves of the blocks below a height: a tile holds them. */
  dropBelow(height: number): void {
    const count = Math.min(this.#leaves.length, Math.max(0, height - this.#from));
    this.#leaves.splice(0, count);
    this.#from += count;
  }

  forget(): void {
    this.#leaves = [];
  }
}
