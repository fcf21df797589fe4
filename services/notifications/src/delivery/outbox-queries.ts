// The outbox of this service: its tables, and what a try needs of the notification that it sends.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import * as due from '@lothub/webhooks/outbox/due-queries';
import type { Claim, ClaimedRow, DueWebhooks } from '@lothub/webhooks/outbox/due-queries';
import type { OutboxTables } from '@lothub/webhooks/outbox/tables';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { NotificationRow } from '../feed/feed-entry.ts';

export const OUTBOX: OutboxTables = {
  webhooks: sql`webhooks`,
  group: sql`group_id`,
  deliveries: sql`deliveries`,
  attempts: sql`delivery_attempts`,
  order: 'none',
};

export function dueWebhooks(
  reader: DatabaseReader,
  of: { readonly at: number; readonly limit: number },
): Promise<DueWebhooks> {
  return due.dueWebhooks(OUTBOX, reader, of);
}

export function claimDeliveries(claim: Claim): Sql {
  return due.claimDeliveries(OUTBOX, claim);
}

/** All that one try needs. */
export interface ClaimedDelivery extends ClaimedRow, Omit<NotificationRow, 'id'> {
  /** null: the notification is gone. */
  readonly notificationId: number | null;
}

/** @param ids at most IN_LIST_MAX */
export async function claimedDeliveries(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly ClaimedDelivery[]> {
  if (ids.length === 0) return [];
  return await reader.all<ClaimedDelivery>(sql`
    select
      ${due.claimedColumns(OUTBOX)},
      n.id as "notificationId",
      n.title as "title",
      n.body as "body",
      n.severity as "severity",
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
