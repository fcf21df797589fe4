// Changes of a webhook that are the same whatever it is told of.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';

/** What was answered so far says nothing any more. */
export function beginAnew(tables: OutboxTables, webhookId: string): Sql {
  return sql`
    update ${tables.webhooks}
    set failures = 0, failing_since = null, disabled_reason = null
    where id = ${webhookId}`;
}

export function replaceSecret(
  tables: OutboxTables,
  of: {
    readonly webhookId: string;
    readonly secret: string;
    readonly previousUntil: number;
  },
): Sql {
  return sql`
    update ${tables.webhooks}
    set
      previous_secret = secret,
      previous_until = ${of.previousUntil},
      secret = ${of.secret}
    where id = ${of.webhookId}`;
}

/** It sends nothing any more; the worker deletes it with its deliveries. */
export function markDeleted(tables: OutboxTables, webhookId: string): Sql {
  return sql`
    update ${tables.webhooks}
    set status = 'deleted', secret = '', previous_secret = null, previous_until = null
    where id = ${webhookId}`;
}
