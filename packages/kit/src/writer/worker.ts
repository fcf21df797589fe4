// The worker's end of a writer thread: opens the database, then commits the waiting jobs in groups, one after
// the other, until it gets the message to close.
import { parentPort, receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { monotonicClock } from '../clock.ts';
import type { DatabaseErrorCode } from '../database.ts';
import { at } from '../present.ts';
import { crossUnchanged, receiveJobs, sendAnswers, type Crossing } from './crossing.ts';
import { toFailure, toReasonedFailure } from './messages.ts';
import type { AnswerMessage, Order, StartMessage } from './messages.ts';
import type { UpgradeProgress } from '../upgrade.ts';
import { JobQueue, type JobGroup, type WaitingGroup } from './queue.ts';

/** What may be wrong with one job of a group and not with the others. */
const OF_ONE_JOB: ReadonlySet<DatabaseErrorCode> = new Set(['database_failed', 'clock_untrusted']);

/** The writer does work that can wait after this time without a job. */
const IDLE_AFTER_MS = 100;

/** The worker's side of one database; everything it refuses is a DatabaseError. */
export interface Writer<Job, Answer> {
  /**
   * Commits a group, all or none; answers each of its jobs, in order, once the group is on disk.
   * @throws DatabaseError when nothing of it was committed, `database_unsure` when that is unknown
   */
  readonly commit: (group: JobGroup<Job>) => Promise<readonly Answer[]> | readonly Answer[];
  /** Prepares a job that waits while others are being written. */
  readonly foresee?: (job: Job) => void;
  /**
   * Runs while no job waits, and does a small part of the work that can wait.
   * @returns true when there is more to do
   */
  readonly idle?: () => Promise<boolean> | boolean;
  /** Ends what waits for the database, and waits for it no more. */
  readonly abandon?: () => void;
  readonly close: () => Promise<void>;
}

/** Reports the progress of an upgrade to the thread that serves requests. */
export type OnUpgrade = (progress: UpgradeProgress) => void;

/**
 * Opens the database, then commits jobs in groups until the message to close.
 * @param open refuses with a DatabaseError
 * @param crossing that of the thread's other end (`WriterThreadOptions`)
 */
export async function serveWriter<Job, Answer>(
  open: (onUpgrade: OnUpgrade) => Promise<Writer<Job, Answer>>,
  crossing: Crossing<Job, Answer> = crossUnchanged(),
): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('a database writer runs only as a worker thread');
  let writer: Writer<Job, Answer>;
  try {
    writer = await open((progress) => postStart(port, { kind: 'upgrading', progress }));
  } catch (error) {
    postStart(port, { kind: 'failed', failure: toReasonedFailure(error) });
    return;
  }
  new WriterLoop(port, writer, crossing).start();
}

function postStart(port: MessagePort, message: StartMessage): void {
  port.postMessage(message);
}

class WriterLoop<Job, Answer> {
  readonly #port: MessagePort;
  readonly #writer: Writer<Job, Answer>;
  readonly #crossing: Crossing<Job, Answer>;
  readonly #queue: JobQueue<Job>;
  #isBusy = false;
  #isClosing = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #lateTimer: NodeJS.Timeout | undefined;

  constructor(port: MessagePort, writer: Writer<Job, Answer>, crossing: Crossing<Job, Answer>) {
    this.#port = port;
    this.#writer = writer;
    this.#crossing = crossing;
    this.#queue = new JobQueue({
      clock: monotonicClock,
      answer: (refusals) => this.#answer(refusals),
      receive: () => this.#receiveAll(),
    });
  }

  start(): void {
    this.#port.on('message', (order: Order) => {
      const jobs = this.#obey(order);
      if (!this.#isBusy) void this.#work();
      else for (const job of jobs) this.#writer.foresee?.(job);
    });
    postStart(this.#port, { kind: 'opened' });
    this.#rest();
  }

  /** @returns the jobs that it brought */
  #obey(order: Order): readonly Job[] {
    switch (order) {
      case 'close':
        this.#isClosing = true;
        return [];
      case 'abandon':
        this.#queue.abandon();
        this.#queue.refuseLate();
        this.#writer.abandon?.();
        return [];
      default: {
        const messages = receiveJobs(order, this.#crossing);
        this.#queue.add(messages);
        this.#watchLate();
        return messages.map(({ job }) => job);
      }
    }
  }

  #answer(answers: readonly AnswerMessage<Answer>[]): void {
    this.#port.postMessage(sendAnswers(answers, this.#crossing));
  }

  /** A writer that waits for its server answers those behind the group in time all the same. */
  #watchLate(): void {
    if (this.#lateTimer !== undefined) return;
    const ms = this.#queue.msUntilLate;
    if (ms === undefined) return;
    this.#lateTimer = setTimeout(() => {
      this.#lateTimer = undefined;
      this.#queue.refuseLate();
      this.#watchLate();
    }, ms);
  }

  /** Whatever came in during a commit joins the next group. */
  #receiveAll(): void {
    for (
      let next = receiveMessageOnPort(this.#port);
      next !== undefined;
      next = receiveMessageOnPort(this.#port)
    ) {
      this.#obey(next.message as Order);
    }
  }

  async #work(): Promise<void> {
    this.#isBusy = true;
    clearTimeout(this.#idleTimer);
    while (!this.#queue.isEmpty) {
      const group = this.#queue.takeGroup();
      if (group.messages.length > 0) this.#answer(await this.#commit(group));
      this.#receiveAll();
    }
    this.#isBusy = false;
    if (!this.#isClosing) return this.#rest();
    clearTimeout(this.#lateTimer);
    await this.#writer.close();
    this.#port.close();
  }

  async #commit(group: WaitingGroup<Job>): Promise<readonly AnswerMessage<Answer>[]> {
    let answers: readonly Answer[];
    try {
      answers = await this.#writer.commit(group);
    } catch (error) {
      const failure = toFailure(error);
      const { messages } = group;
      if (!OF_ONE_JOB.has(failure.code) || messages.length === 1) {
        return messages.map(({ id }) => ({ id, failure }));
      }
      // One job that cannot be written must not take its neighbours down: each is tried alone.
      const separately: AnswerMessage<Answer>[] = [];
      for (const alone of this.#queue.oneByOne(group))
        separately.push(...(await this.#commit(alone)));
      return separately;
    }
    return group.messages.map(({ id }, index) => ({ id, answer: at(answers, index) }));
  }

  #rest(): void {
    this.#idleTimer = setTimeout(() => void this.#doIdleWork(), IDLE_AFTER_MS);
  }

  async #doIdleWork(): Promise<void> {
    this.#isBusy = true;
    const hasMore = (await this.#writer.idle?.()) === true;
    // Whoever came meanwhile goes first; afterwards there is rest again.
    if (!this.#queue.isEmpty || this.#isClosing) return this.#work();
    this.#isBusy = false;
    if (hasMore) this.#rest();
  }
}
