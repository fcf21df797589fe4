// What the worker of an outbox reads and writes. Each statement takes a bounded number of rows, through an
// index.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Waiting } from './places.ts';
import type { SecretRow } from '../sending/signature.ts';
import type { OutboxTables } from './tables.ts';
import type { WebhookStatus } from './webhook.ts';

/** A webhook with a delivery that is due. */
export interface DueRow extends Waiting {
  /** When its first pending delivery was due. */
  readonly dueAt: number;
}

export interface DueWebhooks {
  /** The longest due first. */
  readonly due: readonly DueRow[];
  /** When the next delivery is due that is not yet; undefined when there is none. */
  readonly nextDueAt: number | undefined;
}

/**
 * Active webhooks with deliveries that are due. Of each webhook the first entry of an index is read, however
 * many deliveries wait for it.
 * @param of of more than `limit` webhooks first those that have waited the longest in their group
 */
export async function dueWebhooks(
  tables: OutboxTables,
  reader: DatabaseReader,
  of: { readonly at: number; readonly limit: number },
): Promise<DueWebhooks> {
  // Materialized: the sub-select would be run once for each place that names it.
  const rows = await reader.all<Partial<DueRow> & { readonly nextDueAt: number | null }>(sql`
    with firsts as materialized (
      select
        w.id,
        w.${tables.group} as group_id,
        w.created_by,
        w.failures,
        ${firstDueAt(tables)} as due_at
      from ${tables.webhooks} w
      where w.status = 'active'
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
      where due_at > ${of.at}
    ) n
    left join (
      select id, group_id, created_by, failures, due_at
      from (
        select
          id, group_id, created_by, failures, due_at,
          row_number() over (partition by group_id order by due_at, id) as place
        from firsts
        where due_at <= ${of.at}
      ) placed
      order by place, due_at, id
      limit ${of.limit}
    ) f on 1 = 1
    order by f.due_at, f.id`);
  return {
    due: rows.filter((row): row is DueRow & typeof row => typeof row.id === 'string'),
    nextDueAt: rows[0]?.nextDueAt ?? undefined,
  };
}

function firstDueAt({ deliveries, order }: OutboxTables): Sql {
  if (order === 'none') {
    return sql`(
          select min(d.due_at)
          from ${deliveries} d
          where d.webhook_id = w.id
            and d.status = 'pending'
        )`;
  }
  return sql`(
          select d.due_at
          from ${deliveries} d
          where d.webhook_id = w.id
            and d.status = 'pending'
          order by d.seq
          limit 1
        )`;
}

export interface Claim {
  readonly webhookId: string;
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}

/**
 * Takes due deliveries of a webhook: nobody else does until `leaseUntil`, and then everybody may. Of two
 * that take the same at once, the second finds them not due any more.
 */
export function claimDeliveries(tables: OutboxTables, of: Claim): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${of.leaseUntil}, attempts = attempts + 1
    where id in (
        ${tables.order === 'none' ? longestDue(tables, of) : firstBySeq(tables, of)}
      )
      and status = 'pending'
      and due_at <= ${of.at}
    returning id`;
}

function longestDue({ deliveries }: OutboxTables, of: Claim): Sql {
  return sql`
        select id
        from ${deliveries}
        where webhook_id = ${of.webhookId}
          and status = 'pending'
          and due_at <= ${of.at}
        order by due_at, seq
        limit ${of.limit}`;
}

/** Whether it is due or not: what is behind it waits for it. */
function firstBySeq({ deliveries }: OutboxTables, of: Claim): Sql {
  return sql`
        select id
        from ${deliveries}
        where webhook_id = ${of.webhookId}
          and status = 'pending'
        order by seq
        limit 1`;
}

/** All that one try needs, whatever it sends. */
export interface ClaimedRow extends SecretRow {
  readonly id: string;
  readonly webhookId: string;
  /** The group of its webhook. */
  readonly groupId: string;
  readonly seq: number;
  /** Number of this try, over all. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly url: string;
  readonly webhookStatus: WebhookStatus;
  readonly failures: number;
  readonly failingSince: number | null;
}

/** The columns of a ClaimedRow, of deliveries `d` and webhooks `w`. */
export function claimedColumns({ group }: OutboxTables): Sql {
  return sql`
      d.id as "id",
      d.webhook_id as "webhookId",
      w.${group} as "groupId",
      d.seq as "seq",
      d.attempts as "attempts",
      d.attempts_before as "attemptsBefore",
      w.url as "url",
      w.secret as "secret",
      w.previous_secret,
      w.previous_until,
      w.status as "webhookStatus",
      w.failures as "failures",
      w.failing_since as "failingSince"`;
}

/** Gives back what was claimed and not tried. */
export function releaseDelivery(
  tables: OutboxTables,
  of: { readonly id: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${of.at}
    where id = ${of.id}
      and status = 'pending'`;
}

export interface AttemptRecord {
  readonly id: string;
  readonly attempt: number;
  readonly at: number;
  readonly tookMs: number;
  readonly httpStatus: number | null;
  readonly error: string | null;
}

/** Nothing when the delivery was deleted meanwhile. */
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

/** It arrived, whatever else was written of it meanwhile. */
export function endDelivered(
  tables: OutboxTables,
  of: { readonly id: string; readonly at: number },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'delivered', ended_at = ${of.at}
    where id = ${of.id}
      and status <> 'delivered'`;
}

/** Nothing once another try of it has begun. */
export function endFailed(
  tables: OutboxTables,
  of: {
    readonly id: string;
    readonly attempt: number;
    readonly at: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set status = 'failed', ended_at = ${of.at}
    where id = ${of.id}
      and status = 'pending'
      and attempts = ${of.attempt}`;
}

/** Nothing once another try of it has begun. */
export function retryAt(
  tables: OutboxTables,
  of: {
    readonly id: string;
    readonly attempt: number;
    readonly dueAt: number;
  },
): Sql {
  return sql`
    update ${tables.deliveries}
    set due_at = ${of.dueAt}
    where id = ${of.id}
      and status = 'pending'
      and attempts = ${of.attempt}`;
}
