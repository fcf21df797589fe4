// What the worker of the outbox reads and writes. Each statement takes a bounded number of rows, through
// an index.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { NotificationRow } from '../feed/feed-entry.ts';
import type { SecretRow } from './signature.ts';
import type { WebhookStatus } from './webhook.ts';

/** A webhook with something to send. */
export interface DueRow {
  readonly id: string;
  /** Tries that failed in a row. */
  readonly failures: number;
  /** When its first pending delivery is due. */
  readonly dueAt: number;
}

/** Active webhooks with pending deliveries, the longest due first. */
export function dueWebhooks(
  reader: DatabaseReader,
  of: { readonly without: readonly string[]; readonly limit: number },
): Promise<readonly DueRow[]> {
  const others = of.without.length === 0 ? empty : sql`and w.id not in (${inList(of.without)})`;
  // Materialized: the sub-select would be run once for each place that names it.
  return reader.all<DueRow>(sql`
    with firsts as materialized (
      select
        w.id,
        w.failures,
        (
          select min(d.due_at)
          from deliveries d
          where d.webhook_id = w.id
            and d.status = 'pending'
        ) as due_at
      from webhooks w
      where w.status = 'active'
        ${others}
    )
    select id as "id", failures as "failures", due_at as "dueAt"
    from firsts
    where due_at is not null
    order by due_at, id
    limit ${of.limit}`);
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
    left join accounts a on a.id = n.account_id
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
