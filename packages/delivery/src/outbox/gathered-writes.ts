// Writes what became of several tries in one transaction. Each transaction costs two messages between threads and the
// pages that it changes, and tries of one look change the same pages.
import { DatabaseError } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';

/** How long an outcome waits at most for those of the tries that are still under way. */
const GATHER_MS = 5;
/** Outcomes of one transaction: posts are written in between. */
const OUTCOMES_MAX = 32;

export interface GatheredWritesOptions {
  /** All statements in one transaction, or none. */
  readonly write: (statements: readonly Sql[]) => Promise<unknown>;
  /** Whether more outcomes are soon to come; if not, what was gathered is written at once. */
  readonly isMoreComing: () => boolean;
}

interface Gathered {
  readonly outcomes: (readonly Sql[])[];
  readonly written: Promise<readonly Written[]>;
  readonly begin: () => void;
}

type Written = PromiseSettledResult<unknown>;

export class GatheredWrites {
  readonly #options: GatheredWritesOptions;
  #gathered: Gathered | undefined;

  constructor(options: GatheredWritesOptions) {
    this.#options = options;
  }

  /**
   * A crash before it returns may leave nothing of the outcome.
   * @returns once all statements of the outcome are written
   * @throws DatabaseError as `write`, when none of them is
   */
  async write(outcome: readonly Sql[]): Promise<void> {
    this.#gathered ??= this.#gather();
    const { outcomes, written, begin } = this.#gathered;
    const place = outcomes.push(outcome) - 1;
    if (outcomes.length >= OUTCOMES_MAX || !this.#options.isMoreComing()) begin();
    const result = (await written)[place];
    if (result?.status === 'rejected') throw result.reason;
  }

  #gather(): Gathered {
    const outcomes: (readonly Sql[])[] = [];
    const { promise, resolve } = Promise.withResolvers<readonly Written[]>();
    const begin = (): void => {
      clearTimeout(timer);
      // Outcomes that come from now on are for the next transaction.
      if (this.#gathered?.outcomes === outcomes) this.#gathered = undefined;
      resolve(this.#writeTogether(outcomes));
    };
    const timer = setTimeout(begin, GATHER_MS);
    return { outcomes, written: promise, begin };
  }

  async #writeTogether(outcomes: readonly (readonly Sql[])[]): Promise<readonly Written[]> {
    const { write } = this.#options;
    const [together] = await Promise.allSettled([write(outcomes.flat())]);
    if (together.status === 'fulfilled' || outcomes.length === 1 || !isOfOne(together.reason)) {
      return outcomes.map(() => together);
    }
    // One outcome that cannot be written must not take its neighbours down.
    return await Promise.allSettled(outcomes.map((outcome) => write(outcome)));
  }
}

function isOfOne(reason: unknown): boolean {
  return reason instanceof DatabaseError && reason.code === 'database_failed';
}
