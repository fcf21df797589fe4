// Looks for notifications that were not acknowledged in time. One of several processes does it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import type { Turn } from '@lothub/kit/turn';
import type { FastifyBaseLogger } from 'fastify';
import { Ingest } from '../ingest/ingest.ts';
import type { NotificationStore } from '../store/store.ts';
import { escalateDue } from './escalate.ts';
import { passOn } from './pass-on.ts';

/** The promise is in minutes, so a second is early enough; it also renews the turn. */
const LOOK_EVERY_MS = 1_000;

export interface EscalationWorkerOptions {
  readonly store: NotificationStore;
  readonly clock: Clock;
  readonly publicUrl: string;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  readonly onEscalated?: (() => void) | undefined;
  readonly lookEveryMs?: number;
}

export class EscalationWorker implements AsyncDisposable {
  readonly #options: EscalationWorkerOptions;
  readonly #turn: Turn;
  readonly #ingest: Ingest;
  readonly #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: EscalationWorkerOptions) {
    this.#options = options;
    this.#turn = options.store.turn('escalation');
    this.#ingest = new Ingest(options.store);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins nothing more; what was begun ends, as its transactions do. */
  async close(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
    // Without the database another process takes the turn when it ends by itself.
    await this.#turn.release().catch((error: unknown) => this.#warn(error));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    const { lookEveryMs = LOOK_EVERY_MS } = this.#options;
    while (!signal.aborted) {
      try {
        await this.#look();
      } catch (error) {
        // Decisions so far are committed; the others are made again.
        this.#warn(error);
      }
      await sleep(lookEveryMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #look(): Promise<void> {
    const { store, clock, publicUrl, onEscalated } = this.#options;
    const mayGoOn = async (): Promise<boolean> =>
      !this.#stopping.signal.aborted && (await this.#turn.take());
    if (!(await mayGoOn())) return;
    const ingest = this.#ingest;
    while (await escalateDue({ store, clock, mayGoOn, onEscalated })) {
      await passOn({ store, clock, ingest, publicUrl, mayGoOn });
      if (!(await mayGoOn())) return;
    }
    await passOn({ store, clock, ingest, publicUrl, mayGoOn });
  }

  #warn(error: unknown): void {
    this.#options.log.warn({ err: error }, 'escalating failed');
  }
}
