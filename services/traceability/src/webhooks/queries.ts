// What is read and written of the webhooks of brands alone (others: packages/delivery/src/webhook/webhook-queries.ts).
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import type { StoredWebhook } from '@lothub/delivery/webhook/webhook-queries';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { SentEvent } from '../ledger/webhooks/event-types.ts';

/** `filter`: the types of its messages, each between two spaces. */
export interface WebhookRow extends StoredWebhook {
  readonly language: string;
}

/** The change that a delivery reports, and the last answer. */
export interface DeliveryFacts {
  readonly id: string;
  readonly eventType: SentEvent;
  readonly at: string;
  readonly data: string;
  readonly blockHeight: number | null;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** @param ids at most IN_LIST_MAX */
export async function deliveryFacts(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, DeliveryFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await reader.all<DeliveryFacts>(sql`
    select
      d.id as "id",
      d.event_type as "eventType",
      d.at as "at",
      d.data as "data",
      d.block_height as "blockHeight",
      a.http_status as "httpStatus",
      a.error as "error"
    from webhook_deliveries d
    left join webhook_attempts a on
      a.delivery_id = d.id
      and a.attempt = (
        select max(newest.attempt)
        from webhook_attempts newest
        where newest.delivery_id = d.id
      )
    where d.id in (${inList(ids)})`);
  return new Map(rows.map((row) => [row.id, row]));
}

/** A test delivery, which reports no change. */
export function insertTest(delivery: {
  readonly webhookId: string;
  readonly id: string;
  readonly type: SentEvent;
  readonly at: string;
  readonly atMs: number;
}): Sql {
  return sql`
    insert into webhook_deliveries (
      id, webhook_id, event_type, at, data, status, due_at, created_at
    )
    values (
      ${delivery.id}, ${delivery.webhookId}, ${delivery.type}, ${delivery.at}, '{}', 'pending', ${delivery.atMs}, ${delivery.atMs}
    )`;
}
