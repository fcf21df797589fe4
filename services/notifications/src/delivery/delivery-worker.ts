// The worker that sends notifications to webhooks.
import type { Outbox } from '@lothub/delivery/outbox/outbox';
import { OutboxWorker, type OutboxWorkerOptions } from '@lothub/delivery/outbox/worker';
import type { Send } from '@lothub/delivery/sending/send';
import { webhookSending } from '@lothub/delivery/webhook/webhook-send';
import type { Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import { OUTBOX, claimedDeliveries, type ClaimedDelivery } from './outbox-queries.ts';
import { makeRequest } from './formats/request.ts';
import { CREATED_EVENT } from './payload.ts';
import { insertEntry } from './webhooks/webhooks.ts';

const SERVICE: Actor = { accountId: null, name: 'service' };

export interface DeliveryWorkerOptions extends OutboxWorkerOptions<NotificationStore> {
  readonly send: Send;
  /** The address of the pages, for links in messages. */
  readonly publicUrl: string;
}

export class DeliveryWorker extends OutboxWorker<ClaimedDelivery> {
  constructor({ send, publicUrl, ...options }: DeliveryWorkerOptions) {
    super(webhookOutbox({ send, publicUrl }), options);
  }
}

function webhookOutbox({
  send,
  publicUrl,
}: Pick<DeliveryWorkerOptions, 'send' | 'publicUrl'>): Outbox<ClaimedDelivery> {
  return {
    tables: OUTBOX,
    readClaimed: claimedDeliveries,
    ...webhookSending<ClaimedDelivery>({
      send,
      buildRequest: (row, { atMs, signal }) => {
        const { notificationId: id, link: url } = row;
        if (id === null) return undefined;
        const notification = { ...row, id, url };
        return makeRequest(row, notification, { event: CREATED_EVENT, publicUrl, atMs, signal });
      },
    }),
    onDisabled: ({ groupId, receiverId: webhookId }, { at, reason }) => [
      insertEntry({ actor: SERVICE, groupId, webhookId }, 'webhook_disabled', at, { reason }),
    ],
  };
}
