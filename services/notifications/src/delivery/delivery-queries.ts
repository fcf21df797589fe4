// Conditions under which a delivery can be sent again.
import type { DatabaseReader } from '@lothub/kit/database';
import type { DeliveryStatus } from '@lothub/delivery/outbox/status';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export async function isKept(
  reader: DatabaseReader,
  { groupId, seq }: { readonly groupId: string; readonly seq: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select seq
    from notifications
    where group_id = ${groupId}
      and seq = ${seq}`);
  return row !== undefined;
}

/** A condition of a guard on the group `g`: the delivery is unchanged, and its notification exists. */
export function whileEnded({
  webhookId,
  deliveryId,
  status,
}: {
  readonly webhookId: string;
  readonly deliveryId: string;
  readonly status: DeliveryStatus;
}): Sql {
  return sql`
    and exists (
      select 1
      from deliveries d
      join webhooks w on w.id = d.webhook_id
      join notifications n on n.group_id = d.group_id and n.seq = d.seq
      where d.id = ${deliveryId}
        and d.webhook_id = ${webhookId}
        and d.status = ${status}
        and w.group_id = g.id
        and w.status = 'active'
    )`;
}
