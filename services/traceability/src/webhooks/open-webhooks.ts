// What runs beside the hub for its webhooks: the worker that sends, the looks for what is told behind its
// transaction, and what deletes deliveries that were kept for their time.
import type { Clock } from '@lothub/kit/clock';
import { RetentionLoop, sweep } from '@lothub/kit/retention/retention-loop';
import { MS_PER_DAY, sweepByTime } from '@lothub/kit/retention/sweeps';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { OutboxWorker } from '@lothub/delivery/outbox/worker';
import type { AddressRules } from '@lothub/delivery/sending/address-rules';
import { newSender } from '@lothub/delivery/sending/send';
import type { FastifyBaseLogger } from 'fastify';
import sql from 'sql-template-tag';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import type { Inbox } from './inbox.ts';
import { WebhookLooks } from './looks.ts';
import { hubOutbox } from './outbox.ts';
import { newHubSender } from './sender.ts';

/** The store does not say when it commits: a message leaves within this time. */
const LOOK_EVERY_MS = 500;
/** Deliveries can be looked up with their tries for so long after they have ended. */
const DELIVERIES_KEPT_MS = 30 * MS_PER_DAY;

export interface WebhooksOptions {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** Of the hub, without a slash at the end. */
  readonly publicUrl: string;
  readonly addresses: AddressRules;
  readonly inbox: Inbox | undefined;
  readonly looksEveryMs?: number | undefined;
  readonly onTried?: ((outcome: DeliveryOutcome) => void) | undefined;
}

/** Runs until it is disposed of. */
export function openWebhooks(options: WebhooksOptions): AsyncDisposable {
  const { store, reader, clock, log, publicUrl, addresses, inbox, looksEveryMs, onTried } = options;
  const opened = new AsyncDisposableStack();
  const http = newSender({ rules: addresses });
  const worker = opened.use(
    new OutboxWorker(hubOutbox({ publicUrl, send: newHubSender({ http, inbox }) }), {
      ...{ store, clock, log },
      lookEveryMs: looksEveryMs ?? LOOK_EVERY_MS,
      onTried,
    }),
  );
  worker.start();
  opened.use(
    WebhookLooks.start({
      ...{ store, reader, clock, log },
      everyMs: looksEveryMs,
      inboundEveryMs: looksEveryMs,
    }),
  );
  opened.use(
    new RetentionLoop({
      clock,
      turn: store.turn('webhook-retention'),
      sweeps: [
        sweepByTime({
          name: 'webhook_deliveries',
          isRare: true,
          table: sql`webhook_deliveries`,
          time: sql`ended_at`,
          keptMs: DELIVERIES_KEPT_MS,
        }),
      ],
      retain: (pass) => sweep(pass, { store, clock }),
      onError: (error) => log.warn({ err: error }, 'deleting old deliveries of webhooks failed'),
    }),
  );
  return opened;
}
