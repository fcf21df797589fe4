// A group of jobs as a writer thread would hand it to its writer, for tests of writers.
import { monotonicClock, type MonotonicClock } from '../src/clock.ts';
import { ANSWER_WITHIN_MS, JobQueue, type WaitingGroup } from '../src/writer/queue.ts';
import type { JobMessage, RefusalMessage } from '../src/writer/messages.ts';

export interface JobGroupOptions<Job> {
  /** What comes in while the group waits. */
  readonly later?: readonly Job[];
  readonly clock?: MonotonicClock;
  /** Takes what is refused before the group has ended. */
  readonly answer?: (refusals: readonly RefusalMessage[]) => void;
}

/** Jobs that came in at this moment. */
export function jobGroup<Job>(
  jobs: readonly Job[],
  { later = [], clock = monotonicClock, answer = () => undefined }: JobGroupOptions<Job> = {},
): WaitingGroup<Job> {
  const dueMs = clock.elapsedMs() + ANSWER_WITHIN_MS;
  const messages = [...jobs, ...later].map((job, id): JobMessage<Job> => ({
    id,
    weight: 1,
    dueMs,
    job,
  }));
  let waiting = messages.slice(jobs.length);
  const queue = new JobQueue<Job>({
    clock,
    answer,
    receive: () => {
      queue.add(waiting);
      waiting = [];
    },
  });
  queue.add(messages.slice(0, jobs.length));
  return queue.takeGroup();
}
