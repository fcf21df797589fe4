// The service's own figures for Prometheus: open streams, and deliveries by kind and age.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { databaseGauge } from '@lothub/kit/metrics/database-gauge';
import type { Metrics } from '@lothub/kit/metrics/metrics';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { tryCounter, waitingGauges } from '@lothub/delivery/outbox/figures';
import { OUTBOX } from './delivery/outbox-queries.ts';
import { DEVICE_OUTBOX } from './devices/push-queries.ts';
import { MAIL_OUTBOX } from './mail/outbox-queries.ts';

export const SERVICE_LABEL = 'notifications';

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
  const setWaiting = waitingGauges({
    ...{ metrics, reader, clock, tables: OUTBOX },
    names: {
      waiting: 'lothub_deliveries_waiting',
      oldest: 'lothub_delivery_oldest_seconds',
      what: 'Deliveries to webhooks',
    },
  });
  const setMails = waitingGauges({
    ...{ metrics, reader, clock, tables: MAIL_OUTBOX },
    names: {
      waiting: 'lothub_mails_waiting',
      oldest: 'lothub_mail_oldest_seconds',
      what: 'Notifications that are to be mailed',
    },
  });
  const setPushes = waitingGauges({
    ...{ metrics, reader, clock, tables: DEVICE_OUTBOX },
    names: {
      waiting: 'lothub_pushes_waiting',
      oldest: 'lothub_push_oldest_seconds',
      what: 'Deliveries to devices',
    },
  });
  const setDatabase = databaseGauge({ metrics, service: SERVICE_LABEL });
  metrics.onCollect(async () => {
    streams.set(openStreams());
    await setDatabase(async () => {
      await setWaiting();
      await setMails();
      await setPushes();
    });
  });
}

/** Counts tries by their outcome. */
export function deliveryCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  return tryCounter(metrics, {
    name: 'lothub_delivery_tries_total',
    help: 'Tries to deliver to webhooks, by outcome',
  });
}

/** Counts tries of messages to devices by their outcome. */
export function pushCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  return tryCounter(metrics, {
    name: 'lothub_push_tries_total',
    help: 'Tries to deliver to devices, by outcome',
  });
}

/** Counts tries of mails by their outcome. */
export function mailCounter(metrics: Metrics): (outcome: DeliveryOutcome) => void {
  return tryCounter(metrics, {
    name: 'lothub_mail_tries_total',
    help: 'Mails that were handed to the mail server or tried to be, by outcome',
  });
}

/** Counts escalated notifications. */
export function escalationCounter(metrics: Metrics): () => void {
  const escalated = metrics.counter({
    name: 'lothub_notifications_escalated_total',
    help: 'Critical notifications that went on because nobody acknowledged them in time',
  });
  return () => escalated.inc();
}
