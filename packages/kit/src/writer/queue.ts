// The jobs that wait in a writer thread, and the groups that are made of them. Each caller is answered in
// time, whatever becomes of the group that its job would be part of.
import type { MonotonicClock } from '../clock.ts';
import { DatabaseError } from '../database.ts';
import { toFailure, type JobMessage, type RefusalMessage } from './messages.ts';

/** Jobs of one commit, by weight (an event weighs one). Larger groups made others wait over 10 ms. */
export const GROUP_WEIGHT_MAX = 200;
/**
 * From the arrival of a request until it is answered, also when its job was not done. Ten seconds are
 * promised; the rest is for a machine that has much else to do.
 */
export const ANSWER_WITHIN_MS = 9_500;
/**
 * No attempt to write is begun with a job whose caller has to be answered sooner: a server that is slow
 * and not away would have its attempts cut off one after the other, each for the oldest of its jobs.
 */
const ATTEMPT_MS_MIN = 1_000;

/** Jobs that are committed together. */
export interface JobGroup<Job> {
  readonly jobs: readonly Job[];
  /**
   * Adds the jobs that have arrived since, as many as fit, for a writer that had to wait for its turn.
   * @returns the added jobs, which are in `jobs` from now on
   */
  takeMore(): readonly Job[];
  /** Time until the first caller has to get its answer; Infinity when none waits any more. */
  readonly msLeft: number;
  /**
   * Answers the callers that have no time for another attempt. Their jobs leave the group, but for
   * those that are `database_unsure`: an attempt that may be committed has them, so `jobs` does not change.
   */
  refuseLate(why: DatabaseError): void;
}

export interface JobQueueOptions {
  readonly clock: MonotonicClock;
  readonly answer: (refusals: readonly RefusalMessage[]) => void;
  /** Adds what has arrived and was not added yet. */
  readonly receive: () => void;
}

export class JobQueue<Job> {
  readonly #options: JobQueueOptions;
  readonly #patience = { isOver: false };
  /** In the order of their arrival, and so of the moments at which they are late. */
  #waiting: readonly JobMessage<Job>[] = [];

  constructor(options: JobQueueOptions) {
    this.#options = options;
  }

  add(messages: readonly JobMessage<Job>[]): void {
    this.#waiting = this.#waiting.length === 0 ? messages : this.#waiting.concat(messages);
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Until a job is to be refused because no group has taken it; undefined when none waits. */
  get msUntilLate(): number | undefined {
    const [oldest] = this.#waiting;
    if (oldest === undefined) return undefined;
    return Math.max(0, oldest.dueMs - ATTEMPT_MS_MIN - this.#options.clock.elapsedMs());
  }

  /** From now on every job is late, also those of groups. */
  abandon(): void {
    this.#patience.isOver = true;
  }

  /** Nothing of these jobs was ever handed to the database. */
  refuseLate(): void {
    const inTime = this.#waiting.findIndex((message) => !this.#isLate(message));
    const late = inTime === -1 ? this.#waiting : this.#waiting.slice(0, inTime);
    if (late.length === 0) return;
    this.#waiting = this.#waiting.slice(late.length);
    const failure = toFailure(cameTooLate());
    this.#options.answer(late.map(({ id }) => ({ id, failure })));
  }

  /** The next jobs that fit together; none when all that waited were late. */
  takeGroup(): WaitingGroup<Job> {
    this.refuseLate();
    return this.#takeGroup(this.#takeFitting([]), (group) => {
      this.#options.receive();
      return this.#takeFitting(group);
    });
  }

  /** Each job of a group that was taken by itself; without those that are late by now. */
  *oneByOne({ messages }: WaitingGroup<Job>): Generator<WaitingGroup<Job>> {
    for (const message of messages) {
      const alone = this.#takeGroup([message], () => []);
      alone.refuseLate(cameTooLate());
      if (alone.messages.length > 0) yield alone;
    }
  }

  #takeGroup(
    messages: readonly JobMessage<Job>[],
    takeFitting: TakeFitting<Job>,
  ): WaitingGroup<Job> {
    const { clock, answer } = this.#options;
    return new WaitingGroup(messages, { takeFitting, clock, answer, isLate: this.#isLate });
  }

  /** What fits beside a group; one job always fits into an empty one. */
  #takeFitting(group: readonly JobMessage<Job>[]): readonly JobMessage<Job>[] {
    let weight = group.reduce((sum, job) => sum + job.weight, 0);
    let count = 0;
    for (const job of this.#waiting) {
      if (group.length + count > 0 && weight + job.weight > GROUP_WEIGHT_MAX) break;
      weight += job.weight;
      count += 1;
    }
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return taken;
  }

  readonly #isLate = ({ dueMs }: JobMessage<Job>): boolean =>
    this.#patience.isOver || dueMs - this.#options.clock.elapsedMs() < ATTEMPT_MS_MIN;
}

function cameTooLate(): DatabaseError {
  return new DatabaseError('database_busy', 'the database did not take the request in time');
}

type TakeFitting<Job> = (group: readonly JobMessage<Job>[]) => readonly JobMessage<Job>[];

interface GroupParts<Job> extends Pick<JobQueueOptions, 'clock' | 'answer'> {
  readonly takeFitting: TakeFitting<Job>;
  readonly isLate: (message: JobMessage<Job>) => boolean;
}

export class WaitingGroup<Job> implements JobGroup<Job> {
  readonly #parts: GroupParts<Job>;
  /** Callers that already got the answer "unknown"; their jobs are still part of the group. */
  readonly #answered = new Set<number>();
  #messages: readonly JobMessage<Job>[];

  constructor(messages: readonly JobMessage<Job>[], parts: GroupParts<Job>) {
    this.#messages = messages;
    this.#parts = parts;
  }

  get messages(): readonly JobMessage<Job>[] {
    return this.#messages;
  }

  get jobs(): readonly Job[] {
    return this.#messages.map(({ job }) => job);
  }

  takeMore(): readonly Job[] {
    const taken = this.#parts.takeFitting(this.#messages);
    this.#messages = [...this.#messages, ...taken];
    return taken.map(({ job }) => job);
  }

  get msLeft(): number {
    const dues = this.#messages
      .filter(({ id }) => !this.#answered.has(id))
      .map(({ dueMs }) => dueMs);
    return Math.max(0, Math.min(...dues) - this.#parts.clock.elapsedMs());
  }

  refuseLate(why: DatabaseError): void {
    const late = this.#messages.filter(
      (message) => !this.#answered.has(message.id) && this.#parts.isLate(message),
    );
    if (late.length === 0) return;
    const failure = toFailure(why);
    this.#parts.answer(late.map(({ id }) => ({ id, failure })));
    const ids = new Set(late.map(({ id }) => id));
    if (why.code === 'database_unsure') for (const id of ids) this.#answered.add(id);
    else this.#messages = this.#messages.filter(({ id }) => !ids.has(id));
  }
}
