// Ends or deletes, in slices, the deliveries of receivers that are not active any more, and those that have been kept
// for their time.
import type { DatabaseReader } from '@lothub/kit/database';
import { MS_PER_DAY, sweepByTime, type Sweep } from '@lothub/kit/retention/sweeps';
import sql, { raw } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { OutboxTables } from './tables.ts';
import type { ReceiverStatus } from './status.ts';

export interface EndedReceiverRow {
  readonly id: string;
  readonly status: ReceiverStatus;
}

/** Receivers that are not active and have pending deliveries, or are to be deleted. */
export function receiversToClear(
  tables: OutboxTables,
  reader: DatabaseReader,
  limit: number,
): Promise<readonly EndedReceiverRow[]> {
  return reader.all<EndedReceiverRow>(sql`
    select w.id as "id", w.status as "status"
    from ${tables.receivers} w
    where w.status <> 'active'
      and (
        w.status = 'deleted'
        or exists (
          select 1
          from ${tables.deliveries} d
          where d.${tables.receiver} = w.id
            and d.status = 'pending'
        )
      )
    order by w.id
    limit ${limit}`);
}

/** Nothing once the receiver is active again. */
export function endPending(
  tables: OutboxTables,
  slice: {
    readonly receiverId: string;
    readonly at: number;
    readonly limit: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'failed', ended_at = ${slice.at}
    where id in (
        select d.id
        from ${tables.deliveries} d
        join ${tables.receivers} w on w.id = d.${tables.receiver}
        where d.${tables.receiver} = ${slice.receiverId}
          and d.status = 'pending'
          and w.status <> 'active'
        order by d.due_at
        limit ${slice.limit}
      )
      and status = 'pending'
    returning 1 as ended`;
}

/** With their attempts. */
export function deleteDeliveries(
  tables: OutboxTables,
  { receiverId, limit }: { readonly receiverId: string; readonly limit: number },
): Sql {
  return sql`
    delete from ${tables.deliveries}
    where id in (
      select id
      from ${tables.deliveries}
      where ${tables.receiver} = ${receiverId}
      limit ${limit}
    )`;
}

export function deleteReceiver(tables: OutboxTables, receiverId: string): Sql {
  return sql`
    delete from ${tables.receivers}
    where id = ${receiverId}
      and status = 'deleted'
      and not exists (
        select 1
        from ${tables.deliveries}
        where ${tables.receiver} = ${receiverId}
      )`;
}

/** How long the deliveries of webhooks stay readable after their end. */
export const WEBHOOK_DELIVERIES_KEPT_MS = 30 * MS_PER_DAY;

/** Deletes deliveries, and with them their tries, when their time after their end is over. */
export function sweepDeliveries(table: string, keptMs: number): Sweep {
  return sweepByTime({
    ...{ name: table, table: raw(table), time: sql`ended_at` },
    ...{ isRare: true, keptMs },
  });
}
