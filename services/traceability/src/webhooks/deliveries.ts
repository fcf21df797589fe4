// Deliveries of a webhook with all their tries, and sending one again.
import type { Clock } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import {
  findDelivery,
  readAttempts,
  readDeliveries,
  sendAnew,
  whileEnded,
} from '@lothub/delivery/outbox/delivery-queries';
import type { AttemptRow, DeliveryRow } from '@lothub/delivery/outbox/delivery-queries';
import type { DeliveryStatus } from '@lothub/delivery/outbox/status';
import { whyNotSentAgain } from '@lothub/delivery/webhook/changes';
import { Refusal } from '../errors.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { OUTBOX, insertEntry } from './outbox.ts';
import { deliveryFacts, type DeliveryFacts } from './queries.ts';
import { getWebhookRow, type OwnedWebhook, type WebhookKey } from './webhooks.ts';

export type Delivery = DeliveryRow & Omit<DeliveryFacts, 'id'>;

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  /** Send it as `after` for the next page; null at the end. */
  readonly next: number | null;
}

interface Deps {
  readonly store: Pick<LedgerStore, 'change' | 'reader'>;
  readonly clock: Clock;
}

/** The newest first. @throws Refusal `not_found` */
export async function listDeliveries(
  { store }: Pick<Deps, 'store'>,
  query: WebhookKey & {
    readonly status: DeliveryStatus | undefined;
    readonly after: number | undefined;
    readonly limit: number;
  },
): Promise<DeliveryPage> {
  await getWebhookRow(store, query);
  const { rows, next } = await readDeliveries(OUTBOX, store.reader, {
    ...query,
    receiverId: query.webhookId,
  });
  const facts = await deliveryFacts(
    store.reader,
    rows.map(({ id }) => id),
  );
  // One that its time has ended in between is left out.
  const deliveries = rows.flatMap((row) => {
    const known = facts.get(row.id);
    return known === undefined ? [] : [{ ...row, ...known }];
  });
  return { deliveries, next };
}

export interface DeliveryDetail extends Delivery {
  /** The newest first. */
  readonly tries: readonly AttemptRow[];
}

export interface DeliveryKey extends WebhookKey {
  readonly deliveryId: string;
}

/** @throws Refusal `not_found` */
export async function getDelivery(
  { store }: Pick<Deps, 'store'>,
  key: DeliveryKey,
): Promise<DeliveryDetail> {
  const { reader } = store;
  const { deliveryId } = key;
  const row = await getDeliveryRow(store, key);
  const facts = (await deliveryFacts(reader, [deliveryId])).get(deliveryId);
  const tries = await readAttempts(OUTBOX, reader, deliveryId);
  return { ...row, ...present(facts, `the facts of delivery ${deliveryId}`), tries };
}

/**
 * Sends a delivery once more that has ended, under its id; it goes before what waits behind it.
 * @throws Refusal `not_found`; `rule_broken` when it is pending or its webhook sends nothing
 */
export async function replayDelivery(
  { store, clock }: Deps,
  request: OwnedWebhook & DeliveryKey,
): Promise<void> {
  const { webhookId: receiverId, deliveryId } = request;
  await changePlanned(store, async () => {
    const webhook = await getWebhookRow(store, request);
    const { status, seq } = await getDeliveryRow(store, request);
    const refused = whyNotSentAgain({ status }, webhook);
    if (refused !== undefined) throw new Refusal('rule_broken', refused);
    const at = clock.nowMs();
    return {
      guard: whileEnded(OUTBOX, { receiverId, deliveryId, status }),
      statements: [
        sendAnew(OUTBOX, { deliveryId, at }),
        insertEntry('replay_delivery', { ...request, at }, { delivery: deliveryId, seq }),
      ],
      result: undefined,
    };
  });
}

async function getDeliveryRow(
  store: Pick<LedgerStore, 'reader'>,
  key: DeliveryKey,
): Promise<DeliveryRow> {
  await getWebhookRow(store, key);
  const row = await findDelivery(OUTBOX, store.reader, {
    ...key,
    receiverId: key.webhookId,
  });
  if (row === undefined) throw new Refusal('not_found', 'The webhook has no such delivery');
  return row;
}
