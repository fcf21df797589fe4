// Figures of an outbox for Prometheus: deliveries that wait by kind, the age of the oldest, and tries by outcome. Each
// outbox has names of its own, since two services of one process share the figures.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import { DELIVERY_OUTCOMES, type DeliveryOutcome } from './record-try.ts';
import type { OutboxTables } from './tables.ts';
import { DELIVERIES_COUNTED_MAX, waitingDeliveries } from './waiting-queries.ts';

const MS_PER_SECOND = 1_000;

/** `first`: it was not tried yet. `retry`: it failed, and is tried again. */
const KINDS = ['first', 'retry'] as const;

/** Registers gauges of what waits. @returns reads the database and sets them */
export function waitingGauges(options: {
  readonly metrics: Metrics;
  /** Names of the figures, and how the help calls the deliveries. */
  readonly names: { readonly waiting: string; readonly oldest: string; readonly what: string };
  readonly tables: OutboxTables;
  readonly reader: DatabaseReader;
  readonly clock: Clock;
}): () => Promise<void> {
  const { metrics, names, tables, reader, clock } = options;
  const waiting = metrics.gauge({
    name: names.waiting,
    help: `${names.what} that are not done; both kinds together are counted to ${DELIVERIES_COUNTED_MAX}`,
    labelNames: ['kind'],
  });
  const oldest = metrics.gauge({
    name: names.oldest,
    help: 'Age of the oldest of them; 0 when there is none',
    labelNames: ['kind'],
  });
  return async () => {
    const rows = await waitingDeliveries(tables, reader);
    for (const kind of KINDS) {
      const row = rows.find((one) => one.kind === kind);
      const ageMs = row === undefined ? 0 : Math.max(0, clock.nowMs() - row.oldestAt);
      waiting.set({ kind }, row?.count ?? 0);
      oldest.set({ kind }, ageMs / MS_PER_SECOND);
    }
  };
}

/** Registers a counter of tries. @returns counts one by what came of it */
export function tryCounter(
  metrics: Metrics,
  { name, help }: { readonly name: string; readonly help: string },
): (outcome: DeliveryOutcome) => void {
  const tries = metrics.counter<'outcome'>({ name, help, labelNames: ['outcome'] });
  for (const outcome of DELIVERY_OUTCOMES) tries.inc({ outcome }, 0);
  return (outcome) => tries.inc({ outcome });
}
