// What is left of webhooks that send no more, taken away slice by slice.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { WebhookStatus } from './webhook.ts';

export interface EndedWebhookRow {
  readonly id: string;
  readonly status: WebhookStatus;
}

/** Webhooks that send nothing and still have pending deliveries, or are to be deleted. */
export function webhooksToClear(
  reader: DatabaseReader,
  limit: number,
): Promise<readonly EndedWebhookRow[]> {
  return reader.all<EndedWebhookRow>(sql`
    select w.id as "id", w.status as "status"
    from webhooks w
    where w.status <> 'active'
      and (
        w.status = 'deleted'
        or exists (
          select 1
          from deliveries d
          where d.webhook_id = w.id
            and d.status = 'pending'
        )
      )
    order by w.id
    limit ${limit}`);
}

/** Nothing once the webhook is active again. */
export function endPending(of: {
  readonly webhookId: string;
  readonly at: number;
  readonly limit: number;
}): Sql {
  return sql`
    update deliveries
    set status = 'failed', ended_at = ${of.at}
    where id in (
        select d.id
        from deliveries d
        join webhooks w on w.id = d.webhook_id
        where d.webhook_id = ${of.webhookId}
          and d.status = 'pending'
          and w.status <> 'active'
        order by d.due_at
        limit ${of.limit}
      )
      and status = 'pending'
    returning 1 as ended`;
}

/** With their attempts. */
export function deleteDeliveries(of: { readonly webhookId: string; readonly limit: number }): Sql {
  return sql`
    delete from deliveries
    where id in (
      select id
      from deliveries
      where webhook_id = ${of.webhookId}
      limit ${of.limit}
    )`;
}

export function deleteWebhook(webhookId: string): Sql {
  return sql`
    delete from webhooks
    where id = ${webhookId}
      and status = 'deleted'
      and not exists (
        select 1
        from deliveries
        where webhook_id = ${webhookId}
      )`;
}
