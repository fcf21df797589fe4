// What the worker of the outbox reads and writes. Each statement takes a bounded number of rows, through
// an index.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Severity } from '../store/post.ts';
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
export interface ClaimedRow extends SecretRow {
  readonly id: string;
  readonly webhookId: string;
  readonly groupId: string;
  readonly seq: number;
  /** Number of this try, over all. */
  readonly attempts: number;
  readonly attemptsBefore: number;
  readonly url: string;
  readonly webhookStatus: WebhookStatus;
  readonly failures: number;
  readonly failingSince: number | null;
  /** null: the notification is gone. */
  readonly notificationId: number | null;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly createdAt: number;
  readonly keyId: string | null;
  readonly keyName: string | null;
  readonly accountId: string | null;
  readonly accountName: string | null;
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

export function countFailure(of: { readonly webhookId: string; readonly at: number }): Sql {
  return sql`
    update webhooks
    set failures = failures + 1, failing_since = coalesce(failing_since, ${of.at})
    where id = ${of.webhookId}`;
}

/** After a success. */
export function forgetFailures(webhookId: string): Sql {
  return sql`
    update webhooks
    set failures = 0, failing_since = null
    where id = ${webhookId}
      and failures > 0`;
}

/** A guard: what was answered is still said of the address that the webhook has. */
export function whileActive(of: { readonly webhookId: string; readonly url: string }): Sql {
  return sql`
    select 1 as held
    from webhooks
    where id = ${of.webhookId}
      and url = ${of.url}
      and status = 'active'`;
}

/** A guard: nothing has succeeded meanwhile. */
export function whileFailing(of: {
  readonly webhookId: string;
  readonly failures: number;
  readonly failingSince: number;
}): Sql {
  return sql`
    select 1 as held
    from webhooks
    where id = ${of.webhookId}
      and status = 'active'
      and failures >= ${of.failures}
      and failing_since <= ${of.failingSince}`;
}

export function disableWebhook(of: { readonly webhookId: string; readonly reason: string }): Sql {
  return sql`
    update webhooks
    set status = 'disabled', disabled_reason = ${of.reason}
    where id = ${of.webhookId}
      and status = 'active'`;
}

/** Whether more than so many deliveries wait. */
export async function hasMorePending(
  reader: DatabaseReader,
  of: { readonly webhookId: string; readonly than: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select due_at
    from deliveries
    where webhook_id = ${of.webhookId}
      and status = 'pending'
    order by due_at
    limit 1
    offset ${of.than}`);
  return row !== undefined;
}

export interface EndedWebhookRow {
  readonly id: string;
  readonly status: WebhookStatus;
}

/** Webhooks that send nothing and still have pending deliveries, or are to be deleted. */
export function webhooksToClear(
  reader: DatabaseReader,
  limit: number,
): Promise<readonly EndedWebhookRow[]> {
  return reader.all<EndedWebhookRow>(sql`
    select w.id as "id", w.status as "status"
    from webhooks w
    where w.status <> 'active'
      and (
        w.status = 'deleted'
        or exists (
          select 1
          from deliveries d
          where d.webhook_id = w.id
            and d.status = 'pending'
        )
      )
    order by w.id
    limit ${limit}`);
}

/** Nothing once the webhook is active again. */
export function endPending(of: {
  readonly webhookId: string;
  readonly at: number;
  readonly limit: number;
}): Sql {
  return sql`
    update deliveries
    set status = 'failed', ended_at = ${of.at}
    where id in (
        select d.id
        from deliveries d
        join webhooks w on w.id = d.webhook_id
        where d.webhook_id = ${of.webhookId}
          and d.status = 'pending'
          and w.status <> 'active'
        order by d.due_at
        limit ${of.limit}
      )
      and status = 'pending'
    returning 1 as ended`;
}

/** With their attempts. */
export function deleteDeliveries(of: { readonly webhookId: string; readonly limit: number }): Sql {
  return sql`
    delete from deliveries
    where id in (
      select id
      from deliveries
      where webhook_id = ${of.webhookId}
      limit ${of.limit}
    )`;
}

export function deleteWebhook(webhookId: string): Sql {
  return sql`
    delete from webhooks
    where id = ${webhookId}
      and status = 'deleted'
      and not exists (
        select 1
        from deliveries
        where webhook_id = ${webhookId}
      )`;
}
