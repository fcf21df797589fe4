// The service's own figures for Prometheus: open streams, and deliveries by kind and age.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { databaseGauge } from '@lothub/kit/metrics/database-gauge';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { Counter } from 'prom-client';
import type { DeliveryOutcome } from '@lothub/webhooks/outbox/record-try';
import { DELIVERY_OUTCOMES } from '@lothub/webhooks/outbox/record-try';
import { DELIVERIES_COUNTED_MAX, waitingDeliveries } from './delivery/waiting-queries.ts';

export const SERVICE_LABEL = 'notifications';

const MS_PER_SECOND = 1_000;

/** `first`: it was not tried yet. `retry`: it failed, and is tried again. */
const KINDS = ['first', 'retry'] as const;

export function registerFigures({
  metrics,
  reader,
  clock,
  openStreams,
}: {
  readonly metrics: Metrics;
  readonly reader: DatabaseReader;
  readonly clock: Clock;
  readonly openStreams: () => number;
}): void {
  const streams = metrics.gauge({
    name: 'lothub_streams_open',
    help: 'Streams of the inbox that this process serves',
  });
  const waiting = metrics.gauge({
    name: 'lothub_deliveries_waiting',
    help: `Deliveries to webhooks that are not done; both kinds together are counted to ${DELIVERIES_COUNTED_MAX}`,
    labelNames: ['kind'],
  });
  const oldest = metrics.gauge({
    name: 'lothub_delivery_oldest_seconds',
    help: 'Age of the oldest of them; 0 when there is none',
    labelNames: ['kind'],
  });
  const setDatabase = databaseGauge({ metrics, service: SERVICE_LABEL });
  metrics.onCollect(async () => {
    streams.set(openStreams());
    await setDatabase(async () => {
      const rows = await waitingDeliveries(reader);
      for (const kind of KINDS) {
        const row = rows.find((one) => one.kind === kind);
        const ageMs = row === undefined ? 0 : Math.max(0, clock.nowMs() - row.oldestAt);
        waiting.set({ kind }, row?.count ?? 0);
        oldest.set({ kind }, ageMs / MS_PER_SECOND);
      }
    });
  });
}

/** Tries that were made, by what came of them. */
export function deliveryCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  const tries: Counter<'outcome'> = metrics.counter({
    name: 'lothub_delivery_tries_total',
    help: 'Tries to deliver to webhooks, by outcome',
    labelNames: ['outcome'],
  });
  for (const outcome of DELIVERY_OUTCOMES) tries.inc({ outcome }, 0);
  return (outcome) => tries.inc({ outcome });
}
