// Runs the changes of one case one after another. If all were planned on the same counts, all but
// one would have to be planned again.
import { DatabaseError } from '@lothub/kit/database';

/** Changes that wait, of all cases; further ones are refused and may be retried. */
const WAITING_MAX = 1_000;

export class OneAfterAnother {
  readonly #last = new Map<number, Promise<unknown>>();
  #waiting = 0;

  /** @throws DatabaseError `database_busy` when too many wait; what `work` throws */
  async run<Result>(key: number, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting >= WAITING_MAX) {
      throw new DatabaseError('database_busy', 'too many changes of recall cases are waiting');
    }
    this.#waiting += 1;
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    this.#last.set(key, mine);
    try {
      return await mine;
    } finally {
      this.#waiting -= 1;
      if (this.#last.get(key) === mine) this.#last.delete(key);
    }
  }
}
