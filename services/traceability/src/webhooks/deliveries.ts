// Deliveries of a webhook with all their tries, and sending one again.
import type { Clock } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import {
  findDelivery,
  readAttempts,
  readDeliveries,
  sendAnew,
} from '@lothub/delivery/outbox/delivery-queries';
import type { AttemptRow, DeliveryRow } from '@lothub/delivery/outbox/delivery-queries';
import type { DeliveryStatus } from '@lothub/delivery/outbox/status';
import { Refusal } from '../errors.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { OUTBOX } from './outbox.ts';
import { deliveryFacts, whileEnded, type DeliveryFacts, type WebhookKey } from './queries.ts';
import { getWebhookRow, insertEntry, type OwnedWebhook } from './webhooks.ts';

/** Maximum number of tries that are shown of a delivery; it has more only if it was often sent again. */
const ATTEMPTS_SHOWN_MAX = 100;

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
  const found = await readDeliveries(OUTBOX, store.reader, {
    ...query,
    receiverId: query.webhookId,
    limit: query.limit + 1,
  });
  const { rows, last } = cutPage(found, query.limit);
  const facts = await deliveryFacts(
    store.reader,
    rows.map(({ id }) => id),
  );
  // One that its time has ended in between is left out.
  const deliveries = rows.flatMap((row) => {
    const known = facts.get(row.id);
    return known === undefined ? [] : [{ ...row, ...known }];
  });
  return { deliveries, next: last?.seq ?? null };
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
  const tries = await readAttempts(OUTBOX, reader, { deliveryId, limit: ATTEMPTS_SHOWN_MAX });
  return { ...row, ...present(facts, `what delivery ${deliveryId} tells of`), tries };
}

/**
 * Sends a delivery once more that has ended, under its id; it goes before what waits behind it.
 * @throws Refusal `not_found`; `rule_broken` when it is pending or its webhook sends nothing
 */
export async function replayDelivery(
  { store, clock }: Deps,
  request: OwnedWebhook & DeliveryKey,
): Promise<void> {
  const { deliveryId } = request;
  await changePlanned(store, async () => {
    const webhook = await getWebhookRow(store, request);
    const { status, seq } = await getDeliveryRow(store, request);
    if (status === 'pending') {
      throw new Refusal('rule_broken', 'The delivery is still being tried');
    }
    if (webhook.status !== 'active') {
      throw new Refusal('rule_broken', 'The webhook sends nothing: make it active again first');
    }
    const at = clock.nowMs();
    return {
      guard: whileEnded({ ...request, status }),
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
