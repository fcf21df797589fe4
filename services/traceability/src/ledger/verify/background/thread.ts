// The background verifier as the service sees it: a worker thread that reads on a connection of its own,
// whose findings go to the chain's state. No request waits for it.
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import type { ChainState } from '../chain-state.ts';
import type { VerifierNews, VerifierOrder } from './loop.ts';
import type { VerifierSource } from '../../verifier-source.ts';

/**
 * Interval of reads of the alarms: within a second a process has the findings of another one, and
 * those of an operator's `lothub verify`.
 */
const REFRESH_MS = 500;
/**
 * Rest before the first round: the loading of the thread must not delay the hub's first answers.
 */
const START_MS = 1_000;
/** Rest before a verifier that died is started again. */
const RESTART_MS = 5_000;
/** A slice takes milliseconds; a worker that has not ended by then is stopped. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Memory for what a slice makes and forgets; by default a thread takes six times as much. */
const YOUNG_GENERATION_MB = 8;

export interface VerifierThreadOptions {
  readonly source: VerifierSource;
  readonly state: ChainState;
  readonly log: Logger;
  /** `paused` for benchmarks; `resume` starts it. */
  readonly begin: 'running' | 'paused';
}

interface Waiting {
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class VerifierThread implements AsyncDisposable {
  readonly #options: VerifierThreadOptions;
  readonly #waiting = new Map<number, Waiting>();
  readonly #refreshTimer: NodeJS.Timeout;
  #startTimer: NodeJS.Timeout | undefined;
  /** Undefined before it is started, and after it died. */
  #worker: Worker | undefined;
  #begin: VerifierThreadOptions['begin'];
  #nextMark = 1;
  #closed = false;
  #closing: Promise<void> | undefined;
  #isFailing = false;

  private constructor(options: VerifierThreadOptions) {
    this.#options = options;
    this.#begin = options.begin;
    this.#startLater(START_MS);
    this.#refreshTimer = setInterval(() => this.#refresh(), REFRESH_MS);
    this.#refreshTimer.unref();
  }

  /**
   * Starts the verification from genesis, a moment after the start or with the first order; the
   * database must have been opened and migrated before.
   */
  static start(options: VerifierThreadOptions): VerifierThread {
    return new VerifierThread(options);
  }

  pause(): void {
    this.#begin = 'paused';
    this.#order({ kind: 'pause' });
  }

  resume(): void {
    this.#begin = 'running';
    this.#order({ kind: 'resume' });
  }

  /**
   * Resolves at the end of the first whole round that begins from now on; by then the chain's state
   * has its findings. While the verifier is paused it waits.
   * @throws Error when the verifier is closed or dies first
   */
  nextRound(): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the verifier is closed'));
    const mark = this.#nextMark++;
    this.#order({ kind: 'round', mark });
    return new Promise<void>((resolve, reject) => this.#waiting.set(mark, { resolve, reject }));
  }

  /** Ends the worker after the slice it is in, or with it when that takes long. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#refreshTimer);
    clearTimeout(this.#startTimer);
    this.#abandon(new Error('the verifier is closed'));
    const worker = this.#worker;
    if (worker === undefined) return;
    const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
    worker.postMessage({ kind: 'close' } satisfies VerifierOrder);
    const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  #startLater(ms: number): void {
    this.#startTimer = setTimeout(() => void this.#started(), ms);
    this.#startTimer.unref();
  }

  #started(): Worker {
    this.#worker ??= this.#startWorker();
    return this.#worker;
  }

  #startWorker(): Worker {
    const { source, log } = this.#options;
    clearTimeout(this.#startTimer);
    const workerData = { ...source.workerData, begin: this.#begin };
    const worker = new Worker(source.module, {
      workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (news: VerifierNews) => this.#take(news));
    worker.on('error', (error) => log.error({ err: error }, 'the background verifier failed'));
    worker.on('exit', () => {
      this.#worker = undefined;
      if (this.#closed) return;
      log.error(`the background verifier ended; it starts again in ${RESTART_MS} ms`);
      this.#abandon(new Error('the verifier ended'));
      this.#startLater(RESTART_MS);
    });
    return worker;
  }

  #take(news: VerifierNews): void {
    if (this.#closed) return;
    const { state, log } = this.#options;
    switch (news.kind) {
      case 'found':
        for (const mismatch of news.mismatches) state.report(mismatch);
        break;
      case 'progress':
        state.verified(news);
        break;
      case 'round_ended':
        state.roundEnded(news);
        for (const mark of news.marks) {
          this.#waiting.get(mark)?.resolve();
          this.#waiting.delete(mark);
        }
        break;
      case 'failed':
        log.warn({ reason: news.message }, 'verifying the chain has to wait: reading failed');
        break;
    }
  }

  #abandon(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }

  #order(order: VerifierOrder): void {
    this.#started().postMessage(order);
  }

  #refresh(): void {
    const { state, log } = this.#options;
    state.refresh().then(
      () => {
        this.#isFailing = false;
      },
      (error: unknown) => {
        if (!this.#isFailing)
          log.warn({ err: error }, 'reading the alarms failed; it is tried again');
        this.#isFailing = true;
      },
    );
  }
}
