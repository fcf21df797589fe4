// Changes of a webhook that are the same in both services.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from '../outbox/tables.ts';

export function replaceSecret(
  tables: OutboxTables,
  webhook: {
    readonly webhookId: string;
    readonly secret: string;
    readonly previousUntil: number;
  },
): Sql {
  return sql`
    update ${tables.receivers}
    set
      previous_secret = secret,
      previous_until = ${webhook.previousUntil},
      secret = ${webhook.secret}
    where id = ${webhook.webhookId}`;
}

/** It sends nothing any more; the worker deletes it with its deliveries. */
export function markDeleted(tables: OutboxTables, webhookId: string): Sql {
  return sql`
    update ${tables.receivers}
    set status = 'deleted', secret = '', previous_secret = null, previous_until = null
    where id = ${webhookId}`;
}
