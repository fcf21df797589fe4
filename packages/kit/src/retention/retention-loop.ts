// Deletes in the background what has outlived its time, in batches that leave others their turn. Of several
// processes one does it.
import type { Sql } from 'sql-template-tag';
import type { Clock } from '../clock.ts';
import type { DatabaseReader } from '../database.ts';
import { rest } from '../lifecycle.ts';
import type { Turn } from '../turn.ts';
import type { Sweep } from './sweeps.ts';

/**
 * Maximum number of rows that one transaction deletes. Posts wait while it runs: 2 ms for ordinary notifications
 * on either engine, 6 ms for the longest on SQLite, which overwrites what it deletes.
 */
export const BATCH_ROWS = 500;
/** Pause between two batches. The database is free for others nearly all the time, and retention still keeps up. */
const PAUSE_MS = 25;
/** When it looks for what is due. */
const PACE: Pace = {
  // A start has enough to do.
  firstAfterMs: 5_000,
  // A minute late is nothing after a day.
  everyMs: 60_000,
};
/** How often what is looked for without an index is swept. */
const RARE_EVERY_MS = 60 * 60 * 1_000;

export interface Pace {
  readonly firstAfterMs: number;
  readonly everyMs: number;
}

/** One time that it looks. */
export interface RetentionPass {
  readonly turn: Turn;
  /** Those that are due. */
  readonly sweeps: readonly Sweep[];
  readonly signal: AbortSignal;
  readonly pauseMs: number;
}

export interface RetentionLoopOptions {
  readonly clock: Clock;
  readonly turn: Turn;
  readonly sweeps: readonly Sweep[];
  /** Deletes all that is due now; what it throws is reported, and tried again later. */
  readonly retain: (pass: RetentionPass) => Promise<void>;
  readonly onError: (error: unknown) => void;
  readonly pace?: Pace | undefined;
}

export class RetentionLoop implements AsyncDisposable {
  readonly #options: RetentionLoopOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: RetentionLoopOptions) {
    this.#options = options;
    this.#running = this.#run();
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    const { clock, turn, sweeps, retain, onError, pace = PACE } = this.#options;
    const { signal } = this.#closing;
    let rareAtMs = 0;
    await rest(pace.firstAfterMs, signal);
    while (!signal.aborted) {
      const nowMs = clock.nowMs();
      const isRareDue = nowMs >= rareAtMs;
      try {
        const due = isRareDue ? sweeps : sweeps.filter(({ isRare }) => !isRare);
        await retain({ turn, sweeps: due, signal, pauseMs: PAUSE_MS });
        if (isRareDue) rareAtMs = nowMs + RARE_EVERY_MS;
        await turn.release();
      } catch (error) {
        // Whatever is not deleted now is deleted in a minute.
        onError(error);
      }
      await rest(pace.everyMs, signal);
    }
  }
}

/** What is swept: a store of one service. */
export interface SweptStore {
  readonly reader: DatabaseReader;
  write(statements: readonly Sql[]): Promise<unknown>;
}

/**
 * Deletes what the sweeps of a pass find. Stopped anywhere, it leaves whole batches deleted and the rest for the
 * next time.
 * @throws DatabaseError as the store's `write`
 */
export async function sweep(
  pass: RetentionPass,
  { store, clock }: { readonly store: SweptStore; readonly clock: Clock },
): Promise<void> {
  for (const { next } of pass.sweeps) {
    while (await mayGoOn(pass)) {
      const statement = await next(store.reader, { nowMs: clock.nowMs(), rows: BATCH_ROWS });
      if (statement === undefined) break;
      await store.write([statement]);
    }
  }
}

/** To be asked before each batch. */
export async function mayGoOn({
  turn,
  signal,
  pauseMs,
}: Omit<RetentionPass, 'sweeps'>): Promise<boolean> {
  await rest(pauseMs, signal);
  return !signal.aborted && (await turn.take());
}
