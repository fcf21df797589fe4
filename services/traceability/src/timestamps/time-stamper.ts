// Has one checkpoint a day stamped by a time-stamping service (TSA_URL) and keeps the reply. Nobody waits
// for it. Of several processes one asks at a time; two that ask at once keep one time stamp, and a crash
// before it is kept only makes the hub ask again.
import { instantText, type Clock } from '@lothub/kit/clock';
import { rest } from '@lothub/kit/lifecycle';
import type { FastifyBaseLogger } from 'fastify';
import type { LedgerStore, Turn } from '../ledger/store.ts';
import type { PublicLog } from '../log/public-log.ts';
import { insertTimeStamp, newestTimeStamp, type NewestTimeStamp } from './stored.ts';

/** One time stamp a day. */
export const STAMP_EVERY_MS = 86_400_000;
/** How often a process looks whether one is due, and what another process has kept. */
const LOOK_EVERY_MS = 60_000;
/** A hub that has just started has signed something after this time. */
const SETTLE_MS = 1_000;
/** A turn that is not renewed for some seconds goes to another process. */
const RENEW_EVERY_MS = 1_000;
/** Rest after the first failure; each further one doubles it up to the longest. */
const RETRY_MS_MIN = 60_000;
const RETRY_MS_MAX = 3_600_000;

export interface TimeStamperOptions {
  readonly url: string;
  readonly store: Pick<LedgerStore, 'reader' | 'turn' | 'write'>;
  readonly publicLog: PublicLog;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

export class TimeStamper implements AsyncDisposable {
  readonly #options: TimeStamperOptions;
  readonly #turn: Turn;
  readonly #closing = new AbortController();
  #running: Promise<void> = Promise.resolve();
  #newest: NewestTimeStamp | undefined;
  #failures = 0;

  private constructor(options: TimeStamperOptions) {
    this.#options = options;
    this.#turn = options.store.turn('timestamps');
  }

  static start(options: TimeStamperOptions): TimeStamper {
    const stamper = new TimeStamper(options);
    stamper.#running = stamper.#run();
    return stamper;
  }

  /** The newest one that is kept, by whatever process. */
  get newest(): NewestTimeStamp | undefined {
    return this.#newest;
  }

  /** How often this process has asked in vain since the last success. */
  get failures(): number {
    return this.#failures;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    await rest(SETTLE_MS, signal);
    while (!signal.aborted) {
      try {
        await this.#look();
        this.#failures = 0;
      } catch (error) {
        if (signal.aborted) return;
        this.#failures += 1;
        this.#options.log.warn(
          { err: error, tries: this.#failures },
          'asking the time-stamping service failed; it is asked again',
        );
      }
      await rest(computeRestMs(this.#failures), signal);
    }
  }

  async #look(): Promise<void> {
    const { store } = this.#options;
    this.#newest = await newestTimeStamp(store.reader);
    if (!this.#isDue() || !(await this.#turn.take())) return;
    const keeping = new AbortController();
    const kept = this.#keepTurn(keeping.signal);
    try {
      // Another process may have kept one before it gave the turn up.
      this.#newest = await newestTimeStamp(store.reader);
      if (this.#isDue()) await this.#stamp();
    } finally {
      keeping.abort();
      await kept;
      await this.#turn.release();
    }
  }

  #isDue(): boolean {
    const stamped = this.#newest;
    if (stamped === undefined) return true;
    return this.#options.clock.nowMs() - Date.parse(stamped.stamped_at) >= STAMP_EVERY_MS;
  }

  async #stamp(): Promise<void> {
    const { url, store, publicLog, clock, log } = this.#options;
    const { identity, state } = publicLog;
    if (identity === undefined || state !== 'signing') return;
    const { size, note } = (await publicLog.published()) ?? (await publicLog.head());
    const { epoch } = identity;
    if (epoch === this.#newest?.epoch && size === this.#newest.size) return;
    const { signal } = this.#closing;
    const content = Buffer.from(note);
    // Once a day at most: what reads replies is loaded when it is due.
    const { askTimeStamp } = await import('./ask-time-stamp.ts');
    const { reply, stampedMs } = await askTimeStamp({ url, content, nowMs: clock.nowMs(), signal });
    const service = new URL(url).host;
    const stamped = { epoch, size, service, stamped_at: instantText(stampedMs) };
    await store.write([insertTimeStamp({ note, reply, ...stamped })]);
    this.#newest = stamped;
    log.info(stamped, 'a checkpoint was time-stamped');
  }

  async #keepTurn(done: AbortSignal): Promise<void> {
    while (!done.aborted) {
      await rest(RENEW_EVERY_MS, done);
      try {
        if (!done.aborted) await this.#turn.take();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'keeping the turn to time-stamp failed');
      }
    }
  }
}

/** How long a process rests after so many failures in a row. */
export function computeRestMs(failures: number): number {
  if (failures === 0) return LOOK_EVERY_MS;
  return Math.min(RETRY_MS_MAX, RETRY_MS_MIN * 2 ** (failures - 1));
}
