// What the worker of an outbox reads and writes. Each statement takes a bounded number of rows, through an
// index.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Waiting } from './places.ts';
import type { OutboxTables } from './tables.ts';
import type { ReceiverStatus } from './status.ts';

/** A receiver with a delivery that is due. */
export interface DueRow extends Waiting {
  /** When its first pending delivery was due. */
  readonly dueAt: number;
}

export interface DueReceivers {
  /** The longest due first. */
  readonly due: readonly DueRow[];
  /** When the next delivery is due that is not yet; undefined when there is none. */
  readonly nextDueAt: number | undefined;
}

/**
 * Active receivers with deliveries that are due. Of each receiver that has a pending delivery, two entries of an
 * index are read, however many deliveries wait for it, and however many receivers have none.
 * If more than `limit` receivers are due, those that have waited the longest in their group come first.
 */
export async function dueReceivers(
  tables: OutboxTables,
  reader: DatabaseReader,
  { at, limit }: { readonly at: number; readonly limit: number },
): Promise<DueReceivers> {
  // Materialized: the sub-select would be run once for each place that names it. SQLite joins in the order of the text
  // (`cross join`): left to itself it walks all receivers.
  const rows = await reader.all<Partial<DueRow> & { readonly nextDueAt: number | null }>(sql`
    with recursive waiting (id) as (
      select ${nextWaiting(tables, sql`''`)}
      union all
      select ${nextWaiting(tables, sql`waiting.id`)}
      from waiting
      where waiting.id is not null
    ),
    firsts as materialized (
      select
        w.id,
        w.${tables.group} as group_id,
        w.${tables.creator} as created_by,
        w.failures,
        ${firstDueAt(tables)} as due_at
      from waiting
      cross join ${tables.receivers} w
      where w.id = waiting.id
        and w.status = 'active'
    )
    select
      n.due_at as "nextDueAt",
      f.id as "id",
      f.group_id as "groupId",
      f.created_by as "createdBy",
      f.failures as "failures",
      f.due_at as "dueAt"
    from (
      select min(due_at) as due_at
      from firsts
      where due_at > ${at}
    ) n
    left join (
      select id, group_id, created_by, failures, due_at
      from (
        select
          id, group_id, created_by, failures, due_at,
          row_number() over (partition by group_id order by due_at, id) as place
        from firsts
        where due_at <= ${at}
      ) placed
      order by place, due_at, id
      limit ${limit}
    ) f on 1 = 1
    order by f.due_at, f.id`);
  return {
    due: rows.filter((row): row is DueRow & typeof row => typeof row.id === 'string'),
    nextDueAt: rows[0]?.nextDueAt ?? undefined,
  };
}

/** The receiver with pending deliveries whose id follows another one. */
function nextWaiting({ deliveries, receiver }: OutboxTables, id: Sql): Sql {
  return sql`(
        select d.${receiver}
        from ${deliveries} d
        where d.status = 'pending'
          and d.${receiver} > ${id}
        order by d.${receiver}
        limit 1
      )`;
}

function firstDueAt({ deliveries, receiver, order }: OutboxTables): Sql {
  if (order === 'none') {
    return sql`(
          select min(d.due_at)
          from ${deliveries} d
          where d.${receiver} = w.id
            and d.status = 'pending'
        )`;
  }
  return sql`(
          select d.due_at
          from ${deliveries} d
          where d.${receiver} = w.id
            and d.status = 'pending'
          order by d.seq
          limit 1
        )`;
}

export interface Claim {
  readonly receiverId: string;
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}

/**
 * Takes due deliveries of a receiver: no other process does until `leaseUntil`; then any may. Of two
 * that take the same at once, the second finds them not due any more.
 */
export function claimDeliveries(tables: OutboxTables, claim: Claim): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${claim.leaseUntil}, attempts = attempts + 1
    where id in (
        ${tables.order === 'none' ? longestDue(tables, claim) : firstBySeq(tables, claim)}
      )
      and status = 'pending'
      and due_at <= ${claim.at}
    returning id`;
}

function longestDue({ deliveries, receiver }: OutboxTables, { receiverId, at, limit }: Claim): Sql {
  return sql`
        select id
        from ${deliveries}
        where ${receiver} = ${receiverId}
          and status = 'pending'
          and due_at <= ${at}
        order by due_at, seq
        limit ${limit}`;
}

/** Due or not: the deliveries after it wait for it. */
function firstBySeq({ deliveries, receiver }: OutboxTables, { receiverId }: Claim): Sql {
  return sql`
        select id
        from ${deliveries}
        where ${receiver} = ${receiverId}
          and status = 'pending'
        order by seq
        limit 1`;
}

/** What every try needs, for every kind of receiver. */
export interface ClaimedRow {
  readonly id: string;
  readonly receiverId: string;
  /** The group of its receiver, as OutboxTables.group has it. */
  readonly groupId: string;
  readonly seq: number;
  /** Number of this try, over all. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly receiverStatus: ReceiverStatus;
  readonly failures: number;
  readonly failingSince: number | null;
}

/** The columns of a ClaimedRow, of deliveries `d` and receivers `w`. */
export function claimedColumns({ group, receiver }: OutboxTables): Sql {
  return sql`
      d.id as "id",
      d.${receiver} as "receiverId",
      w.${group} as "groupId",
      d.seq as "seq",
      d.attempts as "attempts",
      d.attempts_before as "attemptsBefore",
      w.status as "receiverStatus",
      w.failures as "failures",
      w.failing_since as "failingSince"`;
}

/** Releases a delivery that was claimed and not tried. */
export function releaseDelivery(
  tables: OutboxTables,
  { at, id }: { readonly id: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${at}
    where id = ${id}
      and status = 'pending'`;
}

/** Like `releaseDelivery`, and the claim counts as no try. Does nothing once another try has begun. */
export function postponeDelivery(
  tables: OutboxTables,
  delivery: { readonly id: string; readonly attempt: number; readonly dueAt: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${delivery.dueAt}, attempts = attempts - 1
    where id = ${delivery.id}
      and status = 'pending'
      and attempts = ${delivery.attempt}`;
}

export interface AttemptRecord {
  readonly id: string;
  readonly attempt: number;
  readonly at: number;
  readonly tookMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** Does nothing when the delivery was deleted. */
export function insertAttempt(tables: OutboxTables, record: AttemptRecord): Sql {
  return sql`
    insert into ${tables.attempts} (delivery_id, attempt, at, took_ms, http_status, error)
    select
      id,
      cast(${record.attempt} as bigint),
      cast(${record.at} as bigint),
      cast(${record.tookMs} as bigint),
      cast(${record.httpStatus} as bigint),
      cast(${record.error} as text)
    from ${tables.deliveries}
    where id = ${record.id}`;
}

/** It arrived: this overwrites whatever another try has recorded. */
export function endDelivered(
  tables: OutboxTables,
  { at, id }: { readonly id: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'delivered', ended_at = ${at}
    where id = ${id}
      and status <> 'delivered'`;
}

/** Does nothing once another try of it has begun. */
export function endFailed(
  tables: OutboxTables,
  delivery: {
    readonly id: string;
    readonly attempt: number;
    readonly at: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'failed', ended_at = ${delivery.at}
    where id = ${delivery.id}
      and status = 'pending'
      and attempts = ${delivery.attempt}`;
}

/** Does nothing once another try of it has begun. */
export function retryAt(
  tables: OutboxTables,
  delivery: {
    readonly id: string;
    readonly attempt: number;
    readonly dueAt: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${delivery.dueAt}
    where id = ${delivery.id}
      and status = 'pending'
      and attempts = ${delivery.attempt}`;
}
