// What runs beside the hub for its webhooks: the worker that sends, the looks for changes that are reported after their
// transaction, and what deletes deliveries that were kept for their time.
import type { Clock } from '@lothub/kit/clock';
import { RetentionLoop, sweep } from '@lothub/kit/retention/retention-loop';
import {
  WEBHOOK_DELIVERIES_KEPT_MS,
  sweepDeliveries,
} from '@lothub/delivery/outbox/clearing-queries';
import type { DeliveryOutcome } from '@lothub/delivery/outbox/record-try';
import { OutboxWorker } from '@lothub/delivery/outbox/worker';
import type { TryResult } from '@lothub/delivery/sending/answer';
import type { Send, WebhookRequest } from '@lothub/delivery/sending/send';
import type { FastifyBaseLogger } from 'fastify';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { readNotification } from './inbox-text.ts';
import { keyOfInboxUrl, type Inbox } from './inbox.ts';
import { WebhookLooks } from './looks.ts';
import { hubOutbox } from './outbox.ts';

/** What the inbox did, as the answers of receivers say it. */
const STATUS_OF = { posted: 201, gone: 410, paused: 503 } as const;

/** The store does not say when it commits: a message leaves within this time. */
const LOOK_EVERY_MS = 500;

export interface WebhooksOptions {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
  readonly log: Pick<FastifyBaseLogger, 'warn'>;
  /** The address of the hub, without a slash at the end. */
  readonly publicUrl: string;
  /** Sends to receivers over HTTP. */
  readonly send: Send;
  readonly inbox: Inbox | undefined;
  readonly looksEveryMs?: number | undefined;
  readonly onTried?: ((outcome: DeliveryOutcome) => void) | undefined;
}

/** Runs until it is disposed of. */
export function openWebhooks(options: WebhooksOptions): AsyncDisposable {
  const {
    store,
    reader,
    clock,
    log,
    publicUrl,
    send: http,
    inbox,
    looksEveryMs,
    onTried,
  } = options;
  const opened = new AsyncDisposableStack();
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
      sweeps: [sweepDeliveries('webhook_deliveries', WEBHOOK_DELIVERIES_KEPT_MS)],
      retain: (pass) => sweep(pass, { store, clock }),
      onError: (error) => log.warn({ err: error }, 'deleting old deliveries of webhooks failed'),
    }),
  );
  return opened;
}

/** @param inbox undefined: this process serves none; what goes there is tried again, perhaps by another one */
function newHubSender(ways: { readonly http: Send; readonly inbox: Inbox | undefined }): Send {
  return async (request) => {
    const keyId = keyOfInboxUrl(request.url.href);
    return keyId === undefined ? await ways.http(request) : await post(ways.inbox, keyId, request);
  };
}

async function post(
  inbox: Inbox | undefined,
  keyId: string,
  { headers, body }: WebhookRequest,
): Promise<TryResult> {
  if (inbox === undefined) return { kind: 'unanswered', error: 'unreachable' };
  const id = String(headers['webhook-id']);
  try {
    const outcome = await inbox.post({
      keyId,
      id,
      notification: readNotification(body.toString()),
    });
    return { kind: 'answered', status: STATUS_OF[outcome], retryAfter: undefined };
  } catch {
    // Its database is away: whether it was stored shows at the next try, by the id.
    return { kind: 'unanswered', error: 'connection_lost' };
  }
}
