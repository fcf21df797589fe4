// Finds the ids of entries that may still appear. PostgreSQL gives ids before transactions end, so
// an entry can appear after one with a greater id. Pure.

/**
 * Time for which a missing id is looked for. It is much longer than any transaction; most missing
 * ids belong to transactions that were undone.
 */
const PATIENCE_MS = 600_000;
/** Missing ids that are looked for; of more the oldest are given up. */
const MISSING_MAX = 10_000;

export class WrittenIds {
  /** The greatest id that was seen. */
  #last: number;
  /** The missing ids, each with the time at which it was noticed, in the order of these times. */
  readonly #missing = new Map<number, number>();

  /** @param through every entry up to this id was seen before */
  constructor(through: number) {
    this.#last = through;
  }

  get last(): number {
    return this.#last;
  }

  get missing(): readonly number[] {
    return [...this.#missing.keys()];
  }

  /** Every entry up to this id was seen, or will never come. */
  get through(): number {
    return this.#missing.size === 0 ? this.#last : Math.min(...this.#missing.keys()) - 1;
  }

  /** @param ids that were seen now */
  see(ids: readonly number[], nowMs: number): void {
    for (const id of ids) {
      if (id <= this.#last) {
        this.#missing.delete(id);
        continue;
      }
      for (let gone = Math.max(this.#last + 1, id - MISSING_MAX); gone < id; gone += 1) {
        this.#missing.set(gone, nowMs);
      }
      this.#last = id;
    }
    this.#giveUp(nowMs);
  }

  #giveUp(nowMs: number): void {
    for (const [id, sinceMs] of this.#missing) {
      const isNear = nowMs - sinceMs < PATIENCE_MS && nowMs >= sinceMs;
      if (isNear && this.#missing.size <= MISSING_MAX) return;
      this.#missing.delete(id);
    }
  }
}
