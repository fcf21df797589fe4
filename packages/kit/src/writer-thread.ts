// The one writer of a process: a worker thread with a database connection of its own, so that neither
// sealing nor the disk ever stops requests. It commits jobs in groups. This file has both ends:
// `WriterThread` for the thread that serves requests, `serveWriter` for the worker.
import { Worker, parentPort, receiveMessageOnPort } from 'node:worker_threads';
import { DatabaseError } from './database.ts';
import type { DatabaseErrorCode } from './database.ts';

/** Jobs of one commit, by weight (an event weighs one). Larger groups made others wait over 10 ms. */
export const GROUP_WEIGHT_MAX = 200;
/** Work accepted and not yet on disk, by weight; over it a caller is refused (503), not queued. */
const QUEUE_WEIGHT_MAX = 20_000;

/** Memory for what a commit makes and forgets; by default a thread takes three times as much. */
const YOUNG_GENERATION_MB = 16;

interface JobMessage {
  readonly id: number;
  readonly weight: number;
  readonly job: unknown;
}

interface AnswerMessage {
  readonly id: number;
  readonly answer?: unknown;
  readonly failure?: Failure;
}

interface Waiting<Answer> {
  readonly weight: number;
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: Error) => void;
}

export interface WriterThreadOptions {
  /** The worker's module; it calls `serveWriter`. */
  readonly module: URL;
  /** Given to the worker as `workerData`; plain values only. */
  readonly workerData: unknown;
  /** Called when the worker died: nothing can be written any more, so the process should end. */
  readonly onFatal: (error: Error) => void;
}

export class WriterThread<Job, Answer> {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, Waiting<Answer>>();
  #outbox: JobMessage[] = [];
  #weight = 0;
  #nextId = 1;
  #closed = false;
  #drained: () => void = () => undefined;

  private constructor(worker: Worker, options: WriterThreadOptions) {
    this.#worker = worker;
    worker.on('message', (answers: readonly AnswerMessage[]) => {
      for (const answer of answers) this.#settle(answer);
    });
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

  /** Starts the worker and waits until it has opened and migrated its database. */
  static async start<Job, Answer>(
    options: WriterThreadOptions,
  ): Promise<WriterThread<Job, Answer>> {
    const worker = new Worker(options.module, {
      workerData: options.workerData,
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const message = await firstMessage(worker);
    if (message.failure !== undefined) {
      throw new DatabaseError(message.failure.code, message.failure.message);
    }
    return new WriterThread<Job, Answer>(worker, options);
  }

  /**
   * Answers once the job's transaction is on disk.
   * @throws DatabaseError `database_busy` when the queue is full, `database_full` when the disk is,
   * `database_unsure` as CommitUnknownError
   */
  submit(job: Job, weight: number): Promise<Answer> {
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
    this.#outbox.push({ id, weight, job });
    return new Promise<Answer>((resolve, reject) => {
      this.#waiting.set(id, { weight, resolve, reject });
    });
  }

  /** Work accepted and not yet on disk, by weight. */
  get queued(): number {
    return this.#weight;
  }

  /** Ends the worker after everything submitted has been answered. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#flush();
    if (this.#waiting.size > 0) await new Promise<void>((resolve) => (this.#drained = resolve));
    this.#closed = true;
    const ended = new Promise<void>((resolve) => this.#worker.once('exit', () => resolve()));
    this.#worker.postMessage(CLOSE);
    await ended;
  }

  #flush(): void {
    if (this.#outbox.length === 0) return;
    this.#worker.postMessage(this.#outbox);
    this.#outbox = [];
  }

  #settle(message: AnswerMessage): void {
    const waiting = this.#waiting.get(message.id);
    if (waiting === undefined) return;
    this.#waiting.delete(message.id);
    this.#weight -= waiting.weight;
    if (message.failure === undefined) waiting.resolve(message.answer as Answer);
    else waiting.reject(new DatabaseError(message.failure.code, message.failure.message));
    if (this.#waiting.size === 0) this.#drained();
  }
}

/** The worker's word that it has opened its database, or why it could not. */
async function firstMessage(worker: Worker): Promise<StartMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<StartMessage>();
  const ended = (): void => {
    reject(new DatabaseError('database_failed', 'the database writer did not start'));
  };
  worker.once('message', resolve).once('error', reject).once('exit', ended);
  try {
    return await promise;
  } finally {
    worker.off('error', reject).off('exit', ended);
  }
}

const CLOSE = 'close';

interface StartMessage {
  readonly failure?: Failure;
}

/** Jobs that are committed together. */
export interface JobGroup<Job> {
  readonly jobs: readonly Job[];
  /**
   * Adds what has come in since, as far as it fits: for a writer that had to wait for its turn.
   * @returns what was added, which stands in `jobs` from now on
   */
  takeMore(): readonly Job[];
}

/** The worker's side of one database; everything it refuses is a DatabaseError. */
export interface Writer<Job, Answer> {
  /**
   * Commits a group, all or none; answers each job, in order, once the group is on disk.
   * @throws DatabaseError when nothing of it was committed, `database_unsure` when nobody can say
   */
  readonly commit: (group: JobGroup<Job>) => Promise<readonly Answer[]> | readonly Answer[];
  /** A job that waits while others are on their way to disk: what can be done for it already. */
  readonly foresee?: (job: Job) => void;
  /**
   * Runs while nobody wants to write: a little of what can wait.
   * @returns true when there is more of it
   */
  readonly idle?: () => Promise<boolean> | boolean;
  readonly close: () => Promise<void>;
}

/** How long nobody has wanted to write before the writer does what can wait. */
const IDLE_AFTER_MS = 100;

/**
 * Opens the database, then commits jobs in groups until told to close.
 * @param open refuses with a DatabaseError
 */
export async function serveWriter<Job, Answer>(
  open: () => Promise<Writer<Job, Answer>>,
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('a database writer runs only as a worker thread');
  let writer: Writer<Job, Answer>;
  try {
    writer = await open();
  } catch (error) {
    port.postMessage({ failure: reasonedFailureOf(error) });
    return;
  }
  let queue: JobMessage[] = [];
  let closing = false;
  let isBusy = false;
  const receive = (message: readonly JobMessage[] | typeof CLOSE): void => {
    if (message === CLOSE) closing = true;
    else queue = queue.length === 0 ? [...message] : queue.concat(message);
  };
  const receiveAll = (): void => {
    for (let next = receiveMessageOnPort(port); next !== undefined;) {
      receive(next.message as readonly JobMessage[] | typeof CLOSE);
      next = receiveMessageOnPort(port);
    }
  };
  const takeInto = (group: JobMessage[]): readonly JobMessage[] => {
    if (group.length > 0) receiveAll();
    const taken = takeFitting(queue, group);
    queue = queue.slice(taken.length);
    group.push(...taken);
    return taken;
  };
  let idleTimer: NodeJS.Timeout | undefined;
  const work = async (): Promise<void> => {
    isBusy = true;
    clearTimeout(idleTimer);
    while (queue.length > 0) {
      const group: JobMessage[] = [];
      takeInto(group);
      port.postMessage(await commitGroup(writer, new MessageGroup<Job>(group, takeInto)));
      // Whatever came in during the commit joins the next group.
      receiveAll();
    }
    isBusy = false;
    if (!closing) return rest();
    await writer.close();
    port.close();
  };
  const rest = (): void => {
    idleTimer = setTimeout(() => void doIdleWork(), IDLE_AFTER_MS);
  };
  const doIdleWork = async (): Promise<void> => {
    isBusy = true;
    const hasMore = (await writer.idle?.()) === true;
    // Whoever came meanwhile goes first; afterwards there is rest again.
    if (queue.length > 0 || closing) return work();
    isBusy = false;
    if (hasMore) rest();
  };
  port.on('message', (message: readonly JobMessage[] | typeof CLOSE) => {
    receive(message);
    if (!isBusy) void work();
    else if (message !== CLOSE) for (const { job } of message) writer.foresee?.(job as Job);
  });
  port.postMessage({});
  rest();
}

/** What fits into the group; one job always fits into an empty one. */
function takeFitting(
  queue: readonly JobMessage[],
  group: readonly JobMessage[],
): readonly JobMessage[] {
  let weight = group.reduce((sum, job) => sum + job.weight, 0);
  let count = 0;
  for (const job of queue) {
    if (group.length + count > 0 && weight + job.weight > GROUP_WEIGHT_MAX) break;
    weight += job.weight;
    count += 1;
  }
  return queue.slice(0, count);
}

class MessageGroup<Job> implements JobGroup<Job> {
  readonly messages: readonly JobMessage[];
  readonly #takeInto: (messages: JobMessage[]) => readonly JobMessage[];
  readonly #taken: JobMessage[];

  constructor(
    messages: JobMessage[],
    takeInto: (messages: JobMessage[]) => readonly JobMessage[] = () => [],
  ) {
    this.messages = messages;
    this.#taken = messages;
    this.#takeInto = takeInto;
  }

  get jobs(): readonly Job[] {
    return this.messages.map(({ job }) => job as Job);
  }

  takeMore(): readonly Job[] {
    return this.#takeInto(this.#taken).map(({ job }) => job as Job);
  }
}

/** What may be wrong with one job of a group and not with the others. */
const OF_ONE_JOB: ReadonlySet<DatabaseErrorCode> = new Set(['database_failed', 'clock_untrusted']);

async function commitGroup<Job, Answer>(
  writer: Writer<Job, Answer>,
  group: MessageGroup<Job>,
): Promise<readonly AnswerMessage[]> {
  try {
    const answers = await writer.commit(group);
    return group.messages.map(({ id }, index) => ({ id, answer: answers[index] }));
  } catch (error) {
    const failure = failureOf(error);
    // One job that cannot be written must not take its neighbours down: each is tried alone.
    if (OF_ONE_JOB.has(failure.code) && group.messages.length > 1) {
      const answers: AnswerMessage[] = [];
      for (const message of group.messages) {
        answers.push(...(await commitGroup(writer, new MessageGroup<Job>([message]))));
      }
      return answers;
    }
    return group.messages.map(({ id }) => ({ id, failure }));
  }
}

interface Failure {
  readonly code: DatabaseErrorCode;
  readonly message: string;
}

/** As `failureOf`, with the reason behind it: for whoever starts the process, not for its callers. */
function reasonedFailureOf(error: unknown): Failure {
  const failure = failureOf(error);
  const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : '';
  return failure.message.includes(reason)
    ? failure
    : { ...failure, message: `${failure.message} (${reason})` };
}

/** What of an error crosses the thread. */
function failureOf(error: unknown): Failure {
  if (error instanceof DatabaseError) return { code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'database_failed', message };
}
