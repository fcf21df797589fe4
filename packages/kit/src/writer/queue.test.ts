// Who waits in a writer thread, and until when.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CommitUnknownError, DatabaseError } from '../database.ts';
import { ANSWER_WITHIN_MS, GROUP_WEIGHT_MAX, JobQueue } from './queue.ts';
import type { RefusalMessage } from './messages.ts';

/** Nothing is begun for a caller that has less time. */
const ATTEMPT_MS = 1_000;
const AWAY = new DatabaseError('database_busy', 'the server is away');

class Waiting {
  readonly clock = { elapsedMs: () => this.nowMs };
  readonly answers: RefusalMessage[] = [];
  readonly queue: JobQueue<string>;
  nowMs = 0;
  #arrived: readonly string[] = [];

  constructor() {
    this.queue = new JobQueue<string>({
      clock: this.clock,
      answer: (answers) => this.answers.push(...answers),
      receive: () => {
        this.add(...this.#arrived);
        this.#arrived = [];
      },
    });
  }

  /** Each weighs as much as it says in front, or one. */
  add(...jobs: readonly string[]): void {
    const dueMs = this.nowMs + ANSWER_WITHIN_MS;
    this.queue.add(
      jobs.map((job) => ({ id: readId(job), weight: Number.parseInt(job, 10) || 1, dueMs, job })),
    );
  }

  arrive(...jobs: readonly string[]): void {
    this.#arrived = jobs;
  }

  /** Such as `a: database_busy`. */
  get refused(): readonly string[] {
    return this.answers.map(({ id, failure }) => `${String.fromCodePoint(id)}: ${failure.code}`);
  }
}

/** The code point of its last letter. */
function readId(job: string): number {
  return job.codePointAt(job.length - 1)!;
}

test('a group holds what fits, in the order of arrival, and one job always fits', () => {
  const waiting = new Waiting();
  waiting.add('100a', '100b', '1c', `${GROUP_WEIGHT_MAX + 1}d`, 'e');

  const groups = Array.from({ length: 4 }, () => waiting.queue.takeGroup().jobs);

  assert.deepEqual(groups, [['100a', '100b'], ['1c'], [`${GROUP_WEIGHT_MAX + 1}d`], ['e']]);
  assert.equal(waiting.queue.isEmpty, true);
});

test('what has arrived since joins a group that waits for its turn', () => {
  const waiting = new Waiting();
  waiting.add('a');
  const group = waiting.queue.takeGroup();
  waiting.arrive('b', `${GROUP_WEIGHT_MAX}c`);

  const more = group.takeMore();

  assert.deepEqual(more, ['b']);
  assert.deepEqual(group.jobs, ['a', 'b']);
});

test('a job that no group has taken in time is refused, and those behind it go on', () => {
  const waiting = new Waiting();
  waiting.add('a', 'b');
  waiting.nowMs = 500;
  waiting.add('c');
  const untilLate = waiting.queue.msUntilLate;

  waiting.nowMs = ANSWER_WITHIN_MS - ATTEMPT_MS + 1;
  const group = waiting.queue.takeGroup();

  assert.equal(untilLate, ANSWER_WITHIN_MS - ATTEMPT_MS - 500);
  assert.deepEqual(waiting.refused, ['a: database_busy', 'b: database_busy']);
  assert.deepEqual(group.jobs, ['c']);
});

test('a group has as much time as its oldest job', () => {
  const waiting = new Waiting();
  waiting.add('a');
  waiting.nowMs = 2_000;
  waiting.add('b');

  const group = waiting.queue.takeGroup();

  assert.equal(group.msLeft, ANSWER_WITHIN_MS - 2_000);
});

test('callers without time for another attempt leave a group of which nothing is stored', () => {
  const waiting = new Waiting();
  waiting.add('a');
  waiting.nowMs = 3_000;
  waiting.add('b');
  const group = waiting.queue.takeGroup();

  waiting.nowMs = ANSWER_WITHIN_MS - 1;
  group.refuseLate(AWAY);

  assert.deepEqual(waiting.refused, ['a: database_busy']);
  assert.deepEqual(group.jobs, ['b']);
  assert.equal(group.msLeft, 3_000 + 1);
});

test('callers whose outcome is unknown are answered once, and their jobs stay in the group', () => {
  const waiting = new Waiting();
  waiting.add('a', 'b');
  const group = waiting.queue.takeGroup();
  const unknown = new CommitUnknownError('the connection was lost', {});

  waiting.nowMs = ANSWER_WITHIN_MS;
  group.refuseLate(unknown);
  group.refuseLate(unknown);

  assert.deepEqual(waiting.refused, ['a: database_unsure', 'b: database_unsure']);
  assert.deepEqual(group.jobs, ['a', 'b']);
  assert.equal(group.msLeft, Infinity);
});

test('jobs of a group are tried alone, but for those that are late by then', () => {
  const waiting = new Waiting();
  waiting.add('a');
  waiting.nowMs = 3_000;
  waiting.add('b', 'c');
  const group = waiting.queue.takeGroup();

  waiting.nowMs = ANSWER_WITHIN_MS;
  const alone = [...waiting.queue.oneByOne(group)];

  assert.deepEqual(
    alone.map(({ jobs }) => jobs),
    [['b'], ['c']],
  );
  assert.deepEqual(waiting.refused, ['a: database_busy']);
});

test('once the database is not waited for any more, every job is late', () => {
  const waiting = new Waiting();
  waiting.add('a');
  const group = waiting.queue.takeGroup();
  waiting.add('b');

  waiting.queue.abandon();
  waiting.queue.refuseLate();
  group.refuseLate(AWAY);

  assert.deepEqual(waiting.refused, ['b: database_busy', 'a: database_busy']);
  assert.equal(group.msLeft, Infinity);
});
