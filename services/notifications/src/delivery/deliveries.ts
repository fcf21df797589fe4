// Deliveries of a webhook: lists them, reads one with its tries, sends one again.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { Static } from 'typebox';
import { Problem } from '../errors.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { NotificationStore } from '../store/store.ts';
import {
  findDelivery,
  readAttempts,
  readDeliveries,
  sendAnew,
  whileEnded,
} from '@lothub/delivery/outbox/delivery-queries';
import type { DeliveryRow } from '@lothub/delivery/outbox/delivery-queries';
import type { DeliveryStatus } from '@lothub/delivery/outbox/status';
import { whyNotSentAgain } from '@lothub/delivery/webhook/changes';
import sql from 'sql-template-tag';
import type {
  DeliveryDetailSchema,
  DeliveryListSchema,
  DeliverySchema,
} from './delivery-schema.ts';
import { OUTBOX, selectKept } from './outbox-queries.ts';
import {
  getWebhookRow,
  insertEntry,
  whileStillOwned,
  type OwnedWebhook,
} from './webhooks/webhooks.ts';

export interface DeliveryDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

export interface OwnedDelivery extends OwnedWebhook {
  readonly deliveryId: string;
}

export type Delivery = Static<typeof DeliverySchema>;
export type DeliveryDetail = Static<typeof DeliveryDetailSchema>;

/** @throws Problem `not_found`, `owner_only` */
export async function listDeliveries(
  { store }: Pick<DeliveryDeps, 'store'>,
  owned: OwnedWebhook,
  page: {
    readonly status: DeliveryStatus | undefined;
    readonly after: number | undefined;
    readonly limit: number;
  },
): Promise<Static<typeof DeliveryListSchema>> {
  await getWebhookRow(store, owned);
  await store.distribute();
  const { webhookId } = owned;
  const { rows, next } = await readDeliveries(OUTBOX, store.reader, {
    ...page,
    receiverId: webhookId,
  });
  return { items: rows.map((row) => deliveryFrom(row, webhookId)), next };
}

/** @throws Problem `not_found`, `owner_only` */
export async function getDelivery(
  { store }: Pick<DeliveryDeps, 'store'>,
  owned: OwnedDelivery,
): Promise<DeliveryDetail> {
  const { webhookId, deliveryId } = owned;
  const row = await getDeliveryRow(store, owned);
  const attempts = await readAttempts(OUTBOX, store.reader, deliveryId);
  return {
    ...deliveryFrom(row, webhookId),
    log: attempts.map(({ attempt, at, tookMs, httpStatus, error }) => ({
      attempt,
      at: instantText(at),
      took_ms: tookMs,
      http_status: httpStatus,
      error,
    })),
  };
}

/**
 * Sends a delivery once more that has ended, under its id and with all its tries.
 * @throws Problem `not_found`, `owner_only`; `conflict` when it is pending, its webhook sends nothing or
 * its notification is gone
 */
export async function replayDelivery(
  { store, clock }: DeliveryDeps,
  owned: OwnedDelivery,
): Promise<DeliveryDetail> {
  const { groupId, webhookId, deliveryId } = owned;
  await changePlanned(store, async () => {
    const webhook = await getWebhookRow(store, owned);
    const { status, seq } = await getDeliveryRow(store, owned);
    const refused = whyNotSentAgain({ status }, webhook);
    if (refused !== undefined) throw new Problem('conflict', refused);
    const kept = selectKept({ groupId, seq });
    if ((await store.reader.first(kept)) === undefined) {
      throw new Problem('conflict', 'The notification is no longer kept');
    }
    const at = clock.nowMs();
    const ended = whileEnded(OUTBOX, { receiverId: webhookId, deliveryId, status });
    return {
      guard: whileStillOwned(owned, sql`${ended} and exists (${kept})`),
      statements: [
        sendAnew(OUTBOX, { deliveryId, at }),
        insertEntry(owned, 'delivery_replayed', at, { delivery: deliveryId, seq }),
      ],
      result: undefined,
    };
  });
  return await getDelivery({ store }, owned);
}

async function getDeliveryRow(
  store: Pick<NotificationStore, 'reader' | 'distribute'>,
  owned: OwnedDelivery,
): Promise<DeliveryRow> {
  await getWebhookRow(store, owned);
  await store.distribute();
  const row = await findDelivery(OUTBOX, store.reader, {
    receiverId: owned.webhookId,
    deliveryId: owned.deliveryId,
  });
  if (row === undefined) throw new Problem('not_found', 'The webhook has no such delivery');
  return row;
}

function deliveryFrom(row: DeliveryRow, webhookId: string): Delivery {
  return {
    id: row.id,
    webhook_id: webhookId,
    seq: row.seq,
    status: row.status,
    attempts: row.attempts,
    next_attempt_at: row.status === 'pending' ? instantText(row.dueAt) : null,
    created_at: instantText(row.createdAt),
    ended_at: row.endedAt === null ? null : instantText(row.endedAt),
  };
}
