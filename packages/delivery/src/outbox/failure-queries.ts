// Counts a receiver's failed tries in a row, and disables it.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';

export function countFailure(
  tables: OutboxTables,
  { at, receiverId }: { readonly receiverId: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.receivers}
    set failures = failures + 1, failing_since = coalesce(failing_since, ${at})
    where id = ${receiverId}`;
}

/** After a success. */
export function forgetFailures(tables: OutboxTables, receiverId: string): Sql {
  return sql`
    update ${tables.receivers}
    set failures = 0, failing_since = null
    where id = ${receiverId}
      and failures > 0`;
}

/** Forgets the failures of a receiver, as after a change of its address. */
export function beginAnew(tables: OutboxTables, receiverId: string): Sql {
  return sql`
    update ${tables.receivers}
    set failures = 0, failing_since = null, disabled_reason = null
    where id = ${receiverId}`;
}

/** A guard; `same` adds conditions. */
export function whileActive(
  tables: OutboxTables,
  { receiverId, same }: { readonly receiverId: string; readonly same: Sql | undefined },
): Sql {
  return sql`
    select 1 as held
    from ${tables.receivers}
    where id = ${receiverId}
      and status = 'active'
      ${same ?? empty}`;
}

/** A guard: no try has succeeded since. */
export function whileFailing(
  tables: OutboxTables,
  receiver: {
    readonly receiverId: string;
    readonly failures: number;
    readonly failingSince: number;
  },
): Sql {
  return sql`
    select 1 as held
    from ${tables.receivers}
    where id = ${receiver.receiverId}
      and status = 'active'
      and failures >= ${receiver.failures}
      and failing_since <= ${receiver.failingSince}`;
}

export function disableReceiver(
  tables: OutboxTables,
  { reason, receiverId }: { readonly receiverId: string; readonly reason: string },
): Sql {
  return sql`
    update ${tables.receivers}
    set status = 'disabled', disabled_reason = ${reason}
    where id = ${receiverId}
      and status = 'active'`;
}

/** Whether more than so many deliveries wait. */
export async function hasMorePending(
  tables: OutboxTables,
  reader: DatabaseReader,
  { receiverId, than }: { readonly receiverId: string; readonly than: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select due_at
    from ${tables.deliveries}
    where ${tables.receiver} = ${receiverId}
      and status = 'pending'
    order by due_at
    limit 1
    offset ${than}`);
  return row !== undefined;
}
