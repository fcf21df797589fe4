// How a webhook fares: tries that failed in a row, and what disables it.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';

export function countFailure(
  tables: OutboxTables,
  of: { readonly webhookId: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.webhooks}
    set failures = failures + 1, failing_since = coalesce(failing_since, ${of.at})
    where id = ${of.webhookId}`;
}

/** After a success. */
export function forgetFailures(tables: OutboxTables, webhookId: string): Sql {
  return sql`
    update ${tables.webhooks}
    set failures = 0, failing_since = null
    where id = ${webhookId}
      and failures > 0`;
}

/** A guard: what was answered is still said of the address that the webhook has. */
export function whileActive(
  tables: OutboxTables,
  of: { readonly webhookId: string; readonly url: string },
): Sql {
  return sql`
    select 1 as held
    from ${tables.webhooks}
    where id = ${of.webhookId}
      and url = ${of.url}
      and status = 'active'`;
}

/** A guard: nothing has succeeded meanwhile. */
export function whileFailing(
  tables: OutboxTables,
  of: {
    readonly webhookId: string;
    readonly failures: number;
    readonly failingSince: number;
  },
): Sql {
  return sql`
    select 1 as held
    from ${tables.webhooks}
    where id = ${of.webhookId}
      and status = 'active'
      and failures >= ${of.failures}
      and failing_since <= ${of.failingSince}`;
}

export function disableWebhook(
  tables: OutboxTables,
  of: { readonly webhookId: string; readonly reason: string },
): Sql {
  return sql`
    update ${tables.webhooks}
    set status = 'disabled', disabled_reason = ${of.reason}
    where id = ${of.webhookId}
      and status = 'active'`;
}

/** Whether more than so many deliveries wait. */
export async function hasMorePending(
  tables: OutboxTables,
  reader: DatabaseReader,
  of: { readonly webhookId: string; readonly than: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select due_at
    from ${tables.deliveries}
    where webhook_id = ${of.webhookId}
      and status = 'pending'
    order by due_at
    limit 1
    offset ${of.than}`);
  return row !== undefined;
}
