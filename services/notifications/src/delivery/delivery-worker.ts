// The worker that sends notifications to webhooks.
import type { Outbox } from '@lothub/webhooks/outbox/outbox';
import { OutboxWorker } from '@lothub/webhooks/outbox/worker';
import type { OutboxWorkerOptions } from '@lothub/webhooks/outbox/worker';
import { insertAuditEntry } from '../store/audit.ts';
import type { Actor } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import { VERSION } from '../version.ts';
import { OUTBOX, claimedDeliveries } from './outbox-queries.ts';
import type { ClaimedDelivery } from './outbox-queries.ts';
import { webhookPayload } from './payload.ts';

const SERVICE: Actor = { accountId: null, name: 'service' };

const NOTIFICATIONS: Outbox<ClaimedDelivery> = {
  tables: OUTBOX,
  userAgent: `lothub-notifications/${VERSION}`,
  readClaimed: claimedDeliveries,
  bodyOf: (row) => {
    const { notificationId } = row;
    return notificationId === null ? undefined : webhookPayload({ ...row, id: notificationId });
  },
  onDisabled: (row, { at, reason }) => [
    insertAuditEntry({
      at,
      actor: SERVICE,
      action: 'webhook_disabled',
      groupId: row.groupId,
      subject: row.webhookId,
      details: { reason },
    }),
  ],
};

export class DeliveryWorker extends OutboxWorker<ClaimedDelivery> {
  constructor(options: OutboxWorkerOptions<NotificationStore>) {
    super(NOTIFICATIONS, options);
  }
}
