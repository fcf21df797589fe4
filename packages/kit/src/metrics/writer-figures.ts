// What the writer of a service does: groups, how large they are, how long a job waits to be on disk, and how
// much waits now.
import type { WriterWatch } from '../writer/thread.ts';
import type { Metrics } from './metrics.ts';

/** Jobs of one group; an event is one, and a group holds 200 at most. */
const GROUP_BUCKETS = [1, 5, 20, 50, 100, 200];
/** Seconds; a group takes milliseconds, and ten seconds are promised for the slowest. */
const WAIT_BUCKETS = [0.002, 0.005, 0.01, 0.02, 0.05, 0.2, 1, 10];
const MS_PER_SECOND = 1_000;

export function watchWriter({
  metrics,
  service,
}: {
  readonly metrics: Metrics;
  readonly service: string;
}): WriterWatch {
  const groups = metrics.histogram({
    name: 'lothub_append_group_jobs',
    help: 'Jobs of each group that was committed; its count is the number of groups',
    labelNames: ['service'],
    buckets: GROUP_BUCKETS,
  });
  const waits = metrics.histogram({
    name: 'lothub_append_wait_seconds',
    help: 'Time from when a job was queued until it was on disk',
    labelNames: ['service'],
    buckets: WAIT_BUCKETS,
  });
  const refused = metrics.counter({
    name: 'lothub_append_refused_total',
    help: 'Jobs that were not stored, or of which nobody can say it',
    labelNames: ['service'],
  });
  const queued = metrics.gauge({
    name: 'lothub_append_queue',
    help: 'Work that was accepted and is not on disk yet, by weight: an event weighs one; 20000 is full',
    labelNames: ['service'],
  });
  refused.inc({ service }, 0);
  return {
    begin: (queuedNow) => metrics.onCollect(() => queued.set({ service }, queuedNow())),
    answered: ({ waitsMs, refused: count }) => {
      if (waitsMs.length > 0) groups.observe({ service }, waitsMs.length);
      for (const waitMs of waitsMs) waits.observe({ service }, waitMs / MS_PER_SECOND);
      if (count > 0) refused.inc({ service }, count);
    },
  };
}
