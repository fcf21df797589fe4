// How a receiver fares: tries that failed in a row, and what disables it.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';

export function countFailure(
  tables: OutboxTables,
  of: { readonly receiverId: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.receivers}
    set failures = failures + 1, failing_since = coalesce(failing_since, ${of.at})
    where id = ${of.receiverId}`;
}

/** After a success. */
export function forgetFailures(tables: OutboxTables, receiverId: string): Sql {
  return sql`
    update ${tables.receivers}
    set failures = 0, failing_since = null
    where id = ${receiverId}
      and failures > 0`;
}

/** What was answered so far says nothing any more. */
export function beginAnew(tables: OutboxTables, receiverId: string): Sql {
  return sql`
    update ${tables.receivers}
    set failures = 0, failing_since = null, disabled_reason = null
    where id = ${receiverId}`;
}

/** A guard. @param of.same more conditions */
export function whileActive(
  tables: OutboxTables,
  of: { readonly receiverId: string; readonly same: Sql | undefined },
): Sql {
  return sql`
    select 1 as held
    from ${tables.receivers}
    where id = ${of.receiverId}
      and status = 'active'
      ${of.same ?? empty}`;
}

/** A guard: nothing has succeeded meanwhile. */
export function whileFailing(
  tables: OutboxTables,
  of: {
    readonly receiverId: string;
    readonly failures: number;
    readonly failingSince: number;
  },
): Sql {
  return sql`
    select 1 as held
    from ${tables.receivers}
    where id = ${of.receiverId}
      and status = 'active'
      and failures >= ${of.failures}
      and failing_since <= ${of.failingSince}`;
}

export function disableReceiver(
  tables: OutboxTables,
  of: { readonly receiverId: string; readonly reason: string },
): Sql {
  return sql`
    update ${tables.receivers}
    set status = 'disabled', disabled_reason = ${of.reason}
    where id = ${of.receiverId}
      and status = 'active'`;
}

/** Whether more than so many deliveries wait. */
export async function hasMorePending(
  tables: OutboxTables,
  reader: DatabaseReader,
  of: { readonly receiverId: string; readonly than: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select due_at
    from ${tables.deliveries}
    where ${tables.receiver} = ${of.receiverId}
      and status = 'pending'
    order by due_at
    limit 1
    offset ${of.than}`);
  return row !== undefined;
}
