// What is left of webhooks that send no more, taken away slice by slice.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';
import type { WebhookStatus } from './webhook.ts';

export interface EndedWebhookRow {
  readonly id: string;
  readonly status: WebhookStatus;
}

/** Webhooks that send nothing and still have pending deliveries, or are to be deleted. */
export function webhooksToClear(
  tables: OutboxTables,
  reader: DatabaseReader,
  limit: number,
): Promise<readonly EndedWebhookRow[]> {
  return reader.all<EndedWebhookRow>(sql`
    select w.id as "id", w.status as "status"
    from ${tables.webhooks} w
    where w.status <> 'active'
      and (
        w.status = 'deleted'
        or exists (
          select 1
          from ${tables.deliveries} d
          where d.webhook_id = w.id
            and d.status = 'pending'
        )
      )
    order by w.id
    limit ${limit}`);
}

/** Nothing once the webhook is active again. */
export function endPending(
  tables: OutboxTables,
  of: {
    readonly webhookId: string;
    readonly at: number;
    readonly limit: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'failed', ended_at = ${of.at}
    where id in (
        select d.id
        from ${tables.deliveries} d
        join ${tables.webhooks} w on w.id = d.webhook_id
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
export function deleteDeliveries(
  tables: OutboxTables,
  of: { readonly webhookId: string; readonly limit: number },
): Sql {
  return sql`
    delete from ${tables.deliveries}
    where id in (
      select id
      from ${tables.deliveries}
      where webhook_id = ${of.webhookId}
      limit ${of.limit}
    )`;
}

export function deleteWebhook(tables: OutboxTables, webhookId: string): Sql {
  return sql`
    delete from ${tables.webhooks}
    where id = ${webhookId}
      and status = 'deleted'
      and not exists (
        select 1
        from ${tables.deliveries}
        where webhook_id = ${webhookId}
      )`;
}
