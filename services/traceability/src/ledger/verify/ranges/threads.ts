// The threads of a verification: each with a connection of its own, and one order at a time.
import { Worker } from 'node:worker_threads';
import type { VerifierSource } from '../../verifier-source.ts';
import type { Answer, Message, Order } from './orders.ts';

/**
 * Memory for what a slice makes and forgets. With half of it a thread needs a tenth more of the processor, because
 * the collector copies slices that are not finished; with more it needs no less.
 */
const YOUNG_GENERATION_MB = 32;
/** A thread that has not ended by then, in the middle of an order, is stopped. */
const CLOSE_TIMEOUT_MS = 1_000;

interface Waiting {
  readonly order: Order;
  readonly onProgress: (blocks: number) => void;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** Takes orders, `count` at a time. */
export interface OrderTaker {
  readonly count: number;
  /** @throws Error when the thread that works on it dies */
  ask(order: Order, onProgress?: (blocks: number) => void): Promise<Answer>;
}

export class VerifierThreads implements OrderTaker, AsyncDisposable {
  readonly #source: VerifierSource;
  readonly count: number;
  readonly #idle: Worker[] = [];
  readonly #busy = new Map<Worker, Waiting>();
  readonly #queue: Waiting[] = [];

  /** @param options `count`: threads at most; each is started when it is needed */
  constructor(options: { readonly source: VerifierSource; readonly count: number }) {
    this.#source = options.source;
    this.count = options.count;
  }

  /**
   * Orders are taken in the order of the calls; callers limit the number of open orders.
   * @throws Error when the thread dies
   */
  ask(order: Order, onProgress: (blocks: number) => void = ignore): Promise<Answer> {
    const answer = new Promise<Answer>((resolve, reject) => {
      this.#queue.push({ order, onProgress, resolve, reject });
      this.#handOut();
    });
    // A caller with enough answers does not wait for the rest.
    answer.catch(ignore);
    return answer;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#queue.length = 0;
    await Promise.all([...this.#idle, ...this.#busy.keys()].map(close));
  }

  #handOut(): void {
    while (this.#queue.length > 0) {
      const worker = this.#idle.pop() ?? this.#startWorker();
      const next = worker && this.#queue.shift();
      if (worker === undefined || next === undefined) return;
      this.#busy.set(worker, next);
      worker.postMessage(next.order);
    }
  }

  /** Returns undefined when the maximum number of threads runs. */
  #startWorker(): Worker | undefined {
    if (this.#idle.length + this.#busy.size >= this.count) return undefined;
    const worker = new Worker(this.#source.module, {
      workerData: this.#source.workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    worker.on('message', (message: Message) => this.#take(worker, message));
    worker.on('error', (error: Error) => this.#lose(worker, error));
    worker.on('exit', () => this.#lose(worker, new Error('a thread of the verification ended')));
    return worker;
  }

  #take(worker: Worker, message: Message): void {
    const waiting = this.#busy.get(worker);
    if (message.kind === 'progress') {
      waiting?.onProgress(message.blocks);
      return;
    }
    this.#busy.delete(worker);
    this.#idle.push(worker);
    waiting?.resolve(message.answer);
    this.#handOut();
  }

  #lose(worker: Worker, error: Error): void {
    const waiting = this.#busy.get(worker);
    this.#busy.delete(worker);
    const place = this.#idle.indexOf(worker);
    if (place !== -1) this.#idle.splice(place, 1);
    waiting?.reject(error);
    if (waiting !== undefined) this.#handOut();
  }
}

function ignore(): void {
  return undefined;
}

async function close(worker: Worker): Promise<void> {
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  worker.postMessage('close');
  const timer = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
  await ended;
  clearTimeout(timer);
}
