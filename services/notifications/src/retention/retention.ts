// Deletes what groups are not to keep any longer, and everything else that has outlived its time, in
// batches that leave posts their turn. Of several processes one does it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import type { Turn } from '@lothub/kit/turn';
import type { FastifyBaseLogger } from 'fastify';
import type { NotificationStore } from '../store/store.ts';
import { dropGoneExceptions, dueGroups, findPruneEnd, pruneChange } from './prune-queries.ts';
import type { DueGroup } from './prune-queries.ts';
import { SWEEPS } from './sweep-queries.ts';

/**
 * Rows that one transaction deletes: while it runs nobody posts. Of ordinary notifications it took 2 ms
 * on either engine, of the longest 6 ms on SQLite, which overwrites what it deletes.
 */
export const BATCH_ROWS = 500;
/** Between two batches: posts have the database nearly all the time, and cannot outrun retention. */
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
/** Groups looked at together. */
const GROUPS_PER_LOOK = 100;

export interface RetentionDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

interface Pace {
  readonly firstAfterMs: number;
  readonly everyMs: number;
}

export interface RetentionOptions extends RetentionDeps {
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly pace?: Pace;
}

export class Retention implements AsyncDisposable {
  readonly #options: RetentionOptions;
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;

  constructor(options: RetentionOptions) {
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
    const { log, store, clock, pace = PACE } = this.#options;
    const { signal } = this.#closing;
    const turn = store.turn('retention');
    let rareAtMs = 0;
    await rest(pace.firstAfterMs, signal);
    while (!signal.aborted) {
      const nowMs = clock.nowMs();
      const isRareDue = nowMs >= rareAtMs;
      try {
        const sweeps = isRareDue ? SWEEPS : SWEEPS.filter(({ isRare }) => !isRare);
        await retainOnce({ ...this.#options, turn, sweeps, signal, pauseMs: PAUSE_MS });
        if (isRareDue) rareAtMs = nowMs + RARE_EVERY_MS;
        await turn.release();
      } catch (error) {
        // Whatever is not deleted now is deleted in a minute.
        log.warn({ err: error }, 'deleting what is too old failed');
      }
      await rest(pace.everyMs, signal);
    }
  }
}

export interface RetentionPass extends RetentionDeps {
  readonly turn: Turn;
  readonly sweeps: typeof SWEEPS;
  readonly signal: AbortSignal;
  readonly pauseMs: number;
}

/**
 * Deletes all that is due now, unless it is another process's turn. Stopped anywhere, it leaves whole
 * batches deleted and the rest for the next time.
 * @throws DatabaseError as the store's `change`
 */
export async function retainOnce(pass: RetentionPass): Promise<void> {
  while (await pruneGroups(pass));
  for (const sweep of pass.sweeps) {
    const { store, clock } = pass;
    while (await mayGoOn(pass)) {
      const statement = await sweep.next(store.reader, { nowMs: clock.nowMs(), rows: BATCH_ROWS });
      if (statement === undefined) break;
      await store.write([statement]);
    }
  }
}

/**
 * One batch of each group that is due, so that a large one keeps none of the others waiting.
 * @returns whether anything was deleted
 */
async function pruneGroups(pass: RetentionPass): Promise<boolean> {
  const { reader } = pass.store;
  let after = '';
  let hasDeleted = false;
  for (;;) {
    const nowMs = pass.clock.nowMs();
    const groups = await dueGroups(reader, { after, nowMs, limit: GROUPS_PER_LOOK });
    for (const group of groups) {
      if (!(await mayGoOn(pass))) return false;
      if (await pruneGroup(pass, group)) hasDeleted = true;
    }
    after = groups.at(-1)?.groupId ?? '';
    if (groups.length < GROUPS_PER_LOOK) return hasDeleted;
  }
}

/** @returns false when nothing can go yet, or somebody has set the group anew */
async function pruneGroup({ store, clock }: RetentionDeps, group: DueGroup): Promise<boolean> {
  const { reader } = store;
  const end = await findPruneEnd(reader, { group, nowMs: clock.nowMs(), rows: BATCH_ROWS });
  if (end === undefined) return false;
  if ((await store.change(pruneChange(group, end))).kind === 'stale') return false;
  const { groupId } = group;
  for (;;) {
    const statement = await dropGoneExceptions(reader, { groupId, rows: BATCH_ROWS });
    if (statement === undefined) return true;
    await store.write([statement]);
  }
}

/** To be asked before each batch. */
async function mayGoOn({ turn, signal, pauseMs }: RetentionPass): Promise<boolean> {
  await rest(pauseMs, signal);
  return !signal.aborted && (await turn.take());
}

/** Ends early, and without a word, when it is stopped. */
async function rest(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}
