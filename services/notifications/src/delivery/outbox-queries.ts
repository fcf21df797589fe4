// The outbox of webhooks: its tables, and what is read of the notifications that it sends.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { webhookColumns, type WebhookRow } from '@lothub/delivery/webhook/claimed-webhook';
import type { WebhookTables } from '@lothub/delivery/webhook/webhook-queries';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { SentNotification, WebhookFormat } from './formats/format.ts';

export const OUTBOX: WebhookTables = {
  receivers: sql`webhooks`,
  group: sql`group_id`,
  creator: sql`created_by`,
  deliveries: sql`deliveries`,
  receiver: sql`webhook_id`,
  attempts: sql`delivery_attempts`,
  order: 'none',
  filter: sql`min_severity`,
  others: sql`
      format as "format",
      case when access_token is null then 0 else 1 end as "hasAccessToken"`,
};

/** All that one try needs. */
export interface ClaimedDelivery extends WebhookRow, Omit<SentNotification, 'id' | 'url'> {
  readonly format: WebhookFormat;
  readonly accessToken: string | null;
  /** null: the notification is gone. */
  readonly notificationId: number | null;
  /** Where the notification points to; `url` is where it is sent. */
  readonly link: string | null;
}

/** @param ids at most IN_LIST_MAX */
export async function claimedDeliveries(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly ClaimedDelivery[]> {
  if (ids.length === 0) return [];
  return await reader.all<ClaimedDelivery>(sql`
    select
      ${webhookColumns(OUTBOX)},
      w.format as "format",
      w.access_token as "accessToken",
      n.redacted_at as "redactedAt",
      n.id as "notificationId",
      n.title as "title",
      n.body as "body",
      n.severity as "severity",
      n.url as "link",
      n.dedup_key as "dedupKey",
      n.status as "status",
      n.created_at as "createdAt",
      n.key_id as "keyId",
      k.name as "keyName",
      n.account_id as "accountId",
      a.name as "accountName"
    from deliveries d
    join webhooks w on w.id = d.webhook_id
    left join notifications n on n.group_id = d.group_id and n.seq = d.seq
    left join group_keys k on k.id = n.key_id
    left join people.accounts a on a.id = n.account_id
    where d.id in (${inList(ids)})`);
}

/** The notification of a delivery, which retention may have deleted; as a read, and in a guard. */
export function selectKept(key: { readonly groupId: string; readonly seq: number }): Sql {
  return sql`
    select seq
    from notifications
    where group_id = ${key.groupId}
      and seq = ${key.seq}`;
}
