// The one writer of a process: a worker thread with a database connection of its own, so that neither
// sealing nor the disk ever stops requests. It commits jobs in groups. This file is the end of the thread
// that serves requests; writer/worker.ts is the worker's.
import { Worker, type MessagePort } from 'node:worker_threads';
import { monotonicClock } from '../clock.ts';
import { DatabaseError } from '../database.ts';
import { crossUnchanged, receiveAnswers, sendJobs, type Crossing } from './crossing.ts';
import { toDatabaseError } from './messages.ts';
import type {
  AnswerMessage,
  JobMessage,
  Order,
  SentAnswers,
  SentJobs,
  StartMessage,
} from './messages.ts';
import type { UpgradeOptions } from '../upgrade.ts';
import { ANSWER_WITHIN_MS } from './queue.ts';
import { COUNT_WAIT_MS } from '../http/rate-limit.ts';

/** Work accepted and not yet on disk, by weight; over it a caller is refused (503), not queued. */
const QUEUE_WEIGHT_MAX = 20_000;

/** Whoever counts what a writer does. */
export interface WriterWatch {
  /** @param queued answers the work that was accepted and is not on disk, by weight */
  begin(queued: () => number): void;
  /** Jobs that were answered together: how long each that is on disk took, and how many were refused. */
  answered(jobs: { readonly waitsMs: readonly number[]; readonly refused: number }): void;
}

interface Waiting<Answer> {
  readonly weight: number;
  /** On the clock that all threads share. */
  readonly queuedMs: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

/** What of its time a request has spent before. */
export interface Waited {
  readonly waitedMs: number;
}

/** As long as a request waits to be counted; nothing else that posts do before takes time. */
const NOT_MEASURED: Waited = { waitedMs: COUNT_WAIT_MS };

export interface WriterThreadOptions<Job, Answer> extends UpgradeOptions {
  /** The worker's module; it calls `serveWriter` of writer/worker.ts. */
  readonly module: URL;
  /** Given to the worker as `workerData`; plain values, and the ports of `transferList`. */
  readonly workerData: unknown;
  readonly transferList?: readonly MessagePort[] | undefined;
  readonly watch?: WriterWatch | undefined;
  /** That of the worker (`serveWriter`); without one jobs and answers cross as they are. */
  readonly crossing?: Crossing<Job, Answer>;
  /** Called when the worker died: nothing can be written any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

export class WriterThread<Job, Answer> {
  readonly #worker: Worker;
  readonly #crossing: Crossing<Job, Answer>;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #outbox: JobMessage<Job>[] = [];
  #weight = 0;
  #nextId = 1;
  #closed = false;
  #drained: () => void = () => undefined;

  private constructor(worker: Worker, options: WriterThreadOptions<Job, Answer>) {
    this.#worker = worker;
    this.#crossing = options.crossing ?? crossUnchanged();
    worker.on('message', (sent: SentAnswers) => {
      const answers = receiveAnswers(sent, this.#crossing);
      if (options.watch !== undefined) this.#report(options.watch, answers);
      for (const answer of answers) this.#settle(answer);
    });
    options.watch?.begin(() => this.#weight);
    const fail = (error: Error): void => {
      if (this.#closed) return;
      this.#closed = true;
      for (const waiting of this.#waiting.values()) waiting.reject(error);
      this.#waiting.clear();
      options.onFatal(error);
    };
    worker.on('error', (error) => {
      fail(new DatabaseError('database_failed', 'the database writer stopped', { cause: error }));
    });
    worker.on('exit', () => {
      fail(new DatabaseError('database_failed', 'the database writer ended'));
    });
  }

  /**
   * Starts the worker and waits until it has opened and upgraded its database.
   * @throws the reason of `signal`, once the worker has ended
   */
  static async start<Job, Answer>(
    options: WriterThreadOptions<Job, Answer>,
  ): Promise<WriterThread<Job, Answer>> {
    const worker = new Worker(options.module, {
      workerData: options.workerData,
      transferList: [...(options.transferList ?? [])],
    });
    await whenOpened(worker, options);
    return new WriterThread<Job, Answer>(worker, options);
  }

  /**
   * Answers once the job's transaction is on disk, or within ANSWER_WITHIN_MS that it could not be done.
   * @throws DatabaseError `database_busy` when the queue is full or the database away, `database_full` when the disk is,
   * `database_unsure` as CommitUnknownError
   */
  submit(job: Job, weight: number, { waitedMs }: Waited = NOT_MEASURED): Promise<Answer> {
    if (this.#closed) {
      return Promise.reject(new DatabaseError('database_busy', 'the service is shutting down'));
    }
    if (this.#weight > 0 && this.#weight + weight > QUEUE_WEIGHT_MAX) {
      return Promise.reject(
        new DatabaseError('database_busy', `the write queue is full (weight ${QUEUE_WEIGHT_MAX})`),
      );
    }
    const id = this.#nextId++;
    this.#weight += weight;
    // All jobs of one turn of the event loop travel in one message: a message costs ten
    // microseconds and more, whatever it holds.
    if (this.#outbox.length === 0) setImmediate(() => this.#flush());
    const queuedMs = monotonicClock.elapsedMs();
    const dueMs = queuedMs + ANSWER_WITHIN_MS - waitedMs;
    this.#outbox.push({ id, weight, dueMs, job });
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { weight, queuedMs, resolve, reject });
    });
  }

  /** Work accepted and not yet on disk, by weight. */
  get queued(): number {
    return this.#weight;
  }

  /** Refuses whatever waits for the database, which is not waited for any more. */
  abandon(): void {
    this.#order('abandon');
  }

  /** Ends the worker after everything submitted has been answered. */
  async close(): Promise<void> {
    if (this.#closed) return;
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#closed = true;
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#order('close');
    await ended;
  }

  /** Behind the jobs that were submitted before. */
  #order(order: Exclude<Order, SentJobs>): void {
    this.#flush();
    this.#worker.postMessage(order);
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#worker.postMessage(sendJobs(this.#outbox, this.#crossing));
    this.#outbox = [];
  }

  #report(watch: WriterWatch, answers: readonly AnswerMessage<Answer>[]): void {
    const nowMs = monotonicClock.elapsedMs();
    const waitsMs: number[] = [];
    for (const message of answers) {
      const waiting = this.#waiting.get(message.id);
      if (waiting !== undefined && 'answer' in message) waitsMs.push(nowMs - waiting.queuedMs);
    }
    watch.answered({ waitsMs, refused: answers.length - waitsMs.length });
  }

  #settle(message: AnswerMessage<Answer>): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    this.#weight -= waiting.weight;
    if ('answer' in message) waiting.resolve(message.answer);
    else waiting.reject(toDatabaseError(message.failure));
    if (this.#waiting.size === 0) this.#drained();
  }
}

/** Waits for the worker's word that it has opened its database, or why it could not. */
async function whenOpened(worker: Worker, { onUpgrade, signal }: UpgradeOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const receive = (message: StartMessage): void => {
    if (message.kind === 'upgrading') onUpgrade?.(message.progress);
    else if (message.kind === 'opened') resolve();
    else reject(toDatabaseError(message.failure));
  };
  const ended = (): void => {
    reject(new DatabaseError('database_failed', 'the database writer did not start'));
  };
  // What the thread had begun is undone: a transaction that was not committed leaves nothing.
  const stop = (): void => void worker.terminate().then(() => reject(signal?.reason), reject);
  worker.on('message', receive).once('error', reject).once('exit', ended);
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  try {
    await promise;
  } finally {
    worker.off('message', receive).off('error', reject).off('exit', ended);
    signal?.removeEventListener('abort', stop);
  }
}
