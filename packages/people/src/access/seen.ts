// Notes when credentials were last used, beside the requests that use them.
import type { Sql } from 'sql-template-tag';

export interface SeenNotesOptions {
  readonly write: (statements: readonly Sql[]) => Promise<unknown>;
  /** Hears of notes that could not be written; they are lost. */
  readonly onError: (error: unknown) => void;
}

/** Notes under way at once; one more is left out, and the next use of the same credentials brings it. */
const WRITES_MAX = 64;

/**
 * Writes in the background: a request that reads is answered while the database takes no writes. What a
 * crash loses is a time of last use.
 */
export class SeenNotes implements AsyncDisposable {
  readonly #options: SeenNotesOptions;
  readonly #underWay = new Map<string, Promise<void>>();

  constructor(options: SeenNotesOptions) {
    this.#options = options;
  }

  /** @param credential what was used: one write of it is under way at a time */
  note(credential: string, statement: Sql): void {
    if (this.#underWay.has(credential) || this.#underWay.size >= WRITES_MAX) return;
    const writing = this.#write(statement).finally(() => this.#underWay.delete(credential));
    this.#underWay.set(credential, writing);
  }

  async #write(statement: Sql): Promise<void> {
    try {
      await this.#options.write([statement]);
    } catch (error) {
      this.#options.onError(error);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#underWay.values());
  }
}
