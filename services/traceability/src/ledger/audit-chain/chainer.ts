// Chains the audit for the thread that serves: once a second all new entries get their places in
// the chain, and blocks seal it. Of several processes one does so at a time. After a crash
// anywhere, and with two at a time, each entry is in the chain once or not yet.
import { nextTurn } from '@lothub/kit/in-turns';
import { rest } from '@lothub/kit/lifecycle';
import type { Logger } from 'pino';
import type { LedgerStore, Turn } from '../store.ts';
import { chainStep } from './chain-step.ts';
import { Coverage, type CoverageOptions } from './coverage.ts';
import { chainedThrough } from './queries.ts';
import { WrittenIds } from './written-ids.ts';

const LOOK_EVERY_MS = 1_000;
/** Between two lines of the log about many entries that get their places, as after an upgrade. */
const LOG_EVERY_MS = 10_000;
/** At most one block a minute. */
export const SEAL_AFTER_MS = 60_000;

export interface AuditChainerOptions extends Omit<CoverageOptions, 'store'> {
  readonly store: LedgerStore;
  readonly log: Pick<Logger, 'warn' | 'info'>;
}

/** The state in memory of a holder of the turn. */
interface Standing {
  readonly ids: WrittenIds;
  readonly coverage: Coverage;
}

export class AuditChainer implements AsyncDisposable {
  readonly #options: AuditChainerOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  #standing: Standing | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(options: AuditChainerOptions) {
    this.#options = options;
    this.#turn = options.store.turn('audit');
  }

  /** Chains until it is closed; errors are logged, and what failed is tried again. */
  static start(options: AuditChainerOptions): AuditChainer {
    const chainer = new AuditChainer(options);
    chainer.#running = chainer.#run();
    return chainer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let hasFailed = false;
    while (!signal.aborted) {
      try {
        if (await this.#turn.take()) await this.#chainAll();
        else this.#standing = undefined;
        hasFailed = false;
      } catch (error) {
        // More entries may have been read than written.
        this.#standing = undefined;
        // Logs the first of several failures in a row, not one a second.
        if (!hasFailed) this.#options.log.warn({ err: error }, 'chaining the audit failed');
        hasFailed = true;
      }
      await rest(LOOK_EVERY_MS, signal);
    }
    await this.#turn.release().catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'giving up the turn to chain the audit failed');
    });
  }

  /** Chains all entries while this process has the turn, then seals a block when one is due. */
  async #chainAll(): Promise<void> {
    const { store, clock, log } = this.#options;
    this.#standing ??= await this.#read();
    const { ids, coverage } = this.#standing;
    let logMs = performance.now() + LOG_EVERY_MS;
    let chained = 0;
    while (!this.#closing.signal.aborted) {
      const { entries, hasMore } = await chainStep(store, { ids, nowMs: clock.nowMs() });
      coverage.take(entries);
      chained += entries.length;
      if (!hasMore) break;
      if (performance.now() >= logMs) {
        log.info({ entries: chained, through: ids.last }, 'chaining the audit');
        logMs = performance.now() + LOG_EVERY_MS;
      }
      await nextTurn();
      if (!(await this.#turn.take())) return;
    }
    if (this.#closing.signal.aborted) return;
    if (!(await coverage.sealWhenDue())) this.#standing = undefined;
  }

  async #read(): Promise<Standing> {
    const { store, clock, sealAfterMs } = this.#options;
    return {
      ids: new WrittenIds(await chainedThrough(store.reader)),
      coverage: await Coverage.read({ store, clock, sealAfterMs }),
    };
  }
}
