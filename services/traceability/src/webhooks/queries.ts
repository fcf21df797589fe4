// Reads and writes of the webhooks of a brand.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import type { ReceiverStatus } from '@lothub/delivery/outbox/status';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { SentEvent } from '../ledger/webhooks/event-types.ts';

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  /** Each between two spaces. */
  readonly eventTypes: string;
  readonly language: string;
  readonly status: Exclude<ReceiverStatus, 'deleted'>;
  readonly disabledReason: string | null;
  readonly previousUntil: number | null;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
}

const WEBHOOK = sql`
  select
    id as "id",
    name as "name",
    url as "url",
    event_types as "eventTypes",
    language as "language",
    status as "status",
    disabled_reason as "disabledReason",
    previous_until as "previousUntil",
    failures as "failures",
    failing_since as "failingSince",
    created_by as "createdBy",
    created_at as "createdAt"
  from webhooks`;

export interface WebhookKey {
  readonly tenantId: string;
  readonly webhookId: string;
}

/** The oldest first. */
export function readWebhooks(
  reader: DatabaseReader,
  query: { readonly tenantId: string; readonly limit: number },
): Promise<readonly WebhookRow[]> {
  return reader.all<WebhookRow>(sql`
    ${WEBHOOK}
    where tenant_id = ${query.tenantId}
      and status <> 'deleted'
    order by created_at, id
    limit ${query.limit}`);
}

export function findWebhook(
  reader: DatabaseReader,
  { tenantId, webhookId }: WebhookKey,
): Promise<WebhookRow | undefined> {
  return reader.first<WebhookRow>(sql`
    ${WEBHOOK}
    where id = ${webhookId}
      and tenant_id = ${tenantId}
      and status <> 'deleted'`);
}

export interface NewWebhook extends WebhookKey {
  readonly name: string;
  readonly url: string;
  readonly eventTypes: string;
  readonly language: string;
  readonly secret: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

export function insertWebhook(webhook: NewWebhook): Sql {
  return sql`
    insert into webhooks (
      id, tenant_id, name, url, event_types, language, status, secret, created_by, created_at
    )
    values (
      ${webhook.webhookId},
      ${webhook.tenantId},
      ${webhook.name},
      ${webhook.url},
      ${webhook.eventTypes},
      ${webhook.language},
      'active',
      ${webhook.secret},
      ${webhook.createdBy},
      ${webhook.createdAt}
    )`;
}

/** A guard: there is room for one more. */
export function whileWebhooksBelow(limit: {
  readonly tenantId: string;
  readonly webhooksMax: number;
}): Sql {
  return sql`
    select id
    from head
    where id = 1
      and (
        select count(*)
        from webhooks
        where tenant_id = ${limit.tenantId}
          and status <> 'deleted'
      ) < ${limit.webhooksMax}`;
}

/** What a manager sets. */
export type WebhookSettings = Pick<WebhookRow, 'name' | 'url' | 'eventTypes' | 'status'>;

/** A guard: the settings have not changed. */
export function whileSet(webhookId: string, settings: WebhookSettings): Sql {
  return sql`
    select id
    from webhooks
    where id = ${webhookId}
      and name = ${settings.name}
      and url = ${settings.url}
      and event_types = ${settings.eventTypes}
      and status = ${settings.status}`;
}

/** A guard: it is not deleted. */
export function whileKept(webhookId: string): Sql {
  return sql`
    select id
    from webhooks
    where id = ${webhookId}
      and status <> 'deleted'`;
}

export function updateWebhook(webhookId: string, settings: WebhookSettings): Sql {
  return sql`
    update webhooks
    set
      name = ${settings.name},
      url = ${settings.url},
      event_types = ${settings.eventTypes},
      status = ${settings.status}
    where id = ${webhookId}`;
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

/** A guard: the delivery has ended as it was, and its webhook sends. */
export function whileEnded(delivery: {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly status: string;
}): Sql {
  return sql`
    select d.id
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id
    where d.id = ${delivery.deliveryId}
      and d.webhook_id = ${delivery.webhookId}
      and d.status = ${delivery.status}
      and w.status = 'active'`;
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
