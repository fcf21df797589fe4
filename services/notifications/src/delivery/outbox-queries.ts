// What the worker of the outbox reads and writes. Each statement takes a bounded number of rows, through
// an index.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { NotificationRow } from '../feed/feed-entry.ts';
import type { Waiting } from './places.ts';
import type { SecretRow } from './signature.ts';
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
  reader: DatabaseReader,
  of: { readonly at: number; readonly limit: number },
): Promise<DueWebhooks> {
  // Materialized: the sub-select would be run once for each place that names it.
  const rows = await reader.all<Partial<DueRow> & { readonly nextDueAt: number | null }>(sql`
    with firsts as materialized (
      select
        w.id,
        w.group_id,
        w.created_by,
        w.failures,
        (
          select min(d.due_at)
          from deliveries d
          where d.webhook_id = w.id
            and d.status = 'pending'
        ) as due_at
      from webhooks w
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

/**
 * Takes due deliveries of a webhook: nobody else does until `leaseUntil`, and then everybody may. Of two
 * that take the same at once, the second finds them not due any more.
 */
export function claimDeliveries(of: {
  readonly webhookId: string;
  readonly at: number;
  readonly leaseUntil: number;
  readonly limit: number;
}): Sql {
  return sql`
    update deliveries
    set due_at = ${of.leaseUntil}, attempts = attempts + 1
    where id in (
        select id
        from deliveries
        where webhook_id = ${of.webhookId}
          and status = 'pending'
          and due_at <= ${of.at}
        order by due_at, seq
        limit ${of.limit}
      )
      and status = 'pending'
      and due_at <= ${of.at}
    returning id`;
}

/** All that one try needs. */
export interface ClaimedRow extends SecretRow, Omit<NotificationRow, 'id'> {
  readonly id: string;
  readonly webhookId: string;
  /** Number of this try, over all. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly url: string;
  readonly webhookStatus: WebhookStatus;
  readonly failures: number;
  readonly failingSince: number | null;
  /** null: the notification is gone. */
  readonly notificationId: number | null;
}

/** @param ids at most IN_LIST_MAX */
export async function claimedDeliveries(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly ClaimedRow[]> {
  if (ids.length === 0) return [];
  return await reader.all<ClaimedRow>(sql`
    select
      d.id as "id",
      d.webhook_id as "webhookId",
      d.group_id as "groupId",
      d.seq as "seq",
      d.attempts as "attempts",
      d.attempts_before as "attemptsBefore",
      w.url as "url",
      w.secret as "secret",
      w.previous_secret,
      w.previous_until,
      w.status as "webhookStatus",
      w.failures as "failures",
      w.failing_since as "failingSince",
      n.id as "notificationId",
      n.title as "title",
      n.body as "body",
      n.severity as "severity",
      n.created_at as "createdAt",
      n.key_id as "keyId",
      k.name as "keyName",
      n.account_id as "accountId",
      a.name as "accountName"
    from deliveries d
    join webhooks w on w.id = d.webhook_id
    left join notifications n on n.group_id = d.group_id and n.seq = d.seq
    left join group_keys k on k.id = n.key_id
    left join people.accounts a on a.id = n.account_id
    where d.id in (${inList(ids)})`);
}

/** Gives back what was claimed and not tried. */
export function releaseDelivery(of: { readonly id: string; readonly at: number }): Sql {
  return sql`
    update deliveries
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
export function insertAttempt(record: AttemptRecord): Sql {
  return sql`
    insert into delivery_attempts (delivery_id, attempt, at, took_ms, http_status, error)
    select
      id,
      cast(${record.attempt} as bigint),
      cast(${record.at} as bigint),
      cast(${record.tookMs} as bigint),
      cast(${record.httpStatus} as bigint),
      cast(${record.error} as text)
    from deliveries
    where id = ${record.id}`;
}

/** It arrived, whatever else was written of it meanwhile. */
export function endDelivered(of: { readonly id: string; readonly at: number }): Sql {
  return sql`
    update deliveries
    set status = 'delivered', ended_at = ${of.at}
    where id = ${of.id}
      and status <> 'delivered'`;
}

/** Nothing once another try of it has begun. */
export function endFailed(of: {
  readonly id: string;
  readonly attempt: number;
  readonly at: number;
}): Sql {
  return sql`
    update deliveries
    set status = 'failed', ended_at = ${of.at}
    where id = ${of.id}
      and status = 'pending'
      and attempts = ${of.attempt}`;
}

/** Nothing once another try of it has begun. */
export function retryAt(of: {
  readonly id: string;
  readonly attempt: number;
  readonly dueAt: number;
}): Sql {
  return sql`
    update deliveries
    set due_at = ${of.dueAt}
    where id = ${of.id}
      and status = 'pending'
      and attempts = ${of.attempt}`;
}
