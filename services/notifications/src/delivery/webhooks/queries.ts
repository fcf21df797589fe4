// Reads and writes of webhooks by their owners.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Severity } from '../../store/post.ts';
import type { Recipient } from '../formats/request.ts';
import type { WebhookFormat } from '../formats/format.ts';
import type { ReceiverStatus } from '@lothub/delivery/outbox/status';

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly minSeverity: Severity;
  readonly format: WebhookFormat;
  /** 1: requests carry one. */
  readonly hasAccessToken: 0 | 1;
  readonly status: Exclude<ReceiverStatus, 'deleted'>;
  readonly disabledReason: string | null;
  readonly previousUntil: number | null;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
}

const WEBHOOK = sql`
  select
    id as "id",
    name as "name",
    url as "url",
    min_severity as "minSeverity",
    format as "format",
    case when access_token is null then 0 else 1 end as "hasAccessToken",
    status as "status",
    disabled_reason as "disabledReason",
    previous_until as "previousUntil",
    failures as "failures",
    failing_since as "failingSince",
    created_by as "createdBy",
    created_at as "createdAt"
  from webhooks`;

export interface WebhookKey {
  readonly groupId: string;
  readonly webhookId: string;
}

/** The oldest first. */
export function readWebhooks(
  reader: DatabaseReader,
  { groupId, limit }: { readonly groupId: string; readonly limit: number },
): Promise<readonly WebhookRow[]> {
  return reader.all<WebhookRow>(sql`
    ${WEBHOOK}
    where group_id = ${groupId}
      and status <> 'deleted'
    order by created_at, id
    limit ${limit}`);
}

export function findWebhook(
  reader: DatabaseReader,
  { groupId, webhookId }: WebhookKey,
): Promise<WebhookRow | undefined> {
  return reader.first<WebhookRow>(sql`
    ${WEBHOOK}
    where id = ${webhookId}
      and group_id = ${groupId}
      and status <> 'deleted'`);
}

export interface NewWebhook extends WebhookKey {
  readonly name: string;
  readonly url: string;
  readonly minSeverity: Severity;
  readonly format: WebhookFormat;
  readonly accessToken: string | null;
  readonly secret: string;
  readonly createdBy: string;
  readonly createdAt: number;
}

export function insertWebhook(webhook: NewWebhook): Sql {
  return sql`
    insert into webhooks (
      id, group_id, name, url, min_severity, format, access_token, status, secret, created_by,
      created_at
    )
    values (
      ${webhook.webhookId},
      ${webhook.groupId},
      ${webhook.name},
      ${webhook.url},
      ${webhook.minSeverity},
      ${webhook.format},
      ${webhook.accessToken},
      'active',
      ${webhook.secret},
      ${webhook.createdBy},
      ${webhook.createdAt}
    )`;
}

/** For a guard that sees the group as `g`: there is room for one more. */
export function whileWebhooksBelow(webhooksMax: number): Sql {
  return sql`
    and (
      select count(*)
      from webhooks counted
      where counted.group_id = g.id
        and counted.status <> 'deleted'
    ) < ${webhooksMax}`;
}

/** For a guard that sees the group as `g`. */
export function whileKept(webhookId: string): Sql {
  return sql`
    and exists (
      select 1
      from webhooks kept
      where kept.id = ${webhookId}
        and kept.group_id = g.id
        and kept.status <> 'deleted'
    )`;
}

/** What an owner sets. */
export type WebhookSettings = Pick<WebhookRow, 'name' | 'url' | 'minSeverity' | 'status'>;

/** A condition of a guard on the group `g`: no other request has changed the webhook. */
export function whileSet(webhookId: string, settings: WebhookSettings): Sql {
  return sql`
    and exists (
      select 1
      from webhooks kept
      where kept.id = ${webhookId}
        and kept.group_id = g.id
        and kept.name = ${settings.name}
        and kept.url = ${settings.url}
        and kept.min_severity = ${settings.minSeverity}
        and kept.status = ${settings.status}
    )`;
}

export function updateWebhook(webhookId: string, settings: WebhookSettings): Sql {
  return sql`
    update webhooks
    set
      name = ${settings.name},
      url = ${settings.url},
      min_severity = ${settings.minSeverity},
      status = ${settings.status}
    where id = ${webhookId}`;
}

/** @param accessToken null: requests carry none any more */
export function setAccessToken(webhookId: string, accessToken: string | null): Sql {
  return sql`
    update webhooks
    set access_token = ${accessToken}
    where id = ${webhookId}`;
}

/** What a request is made with; `id` is the webhook's. */
export function findRecipient(
  reader: DatabaseReader,
  { groupId, webhookId }: WebhookKey,
): Promise<Recipient | undefined> {
  return reader.first<Recipient>(sql`
    select
      id as "id",
      url as "url",
      secret as "secret",
      previous_secret,
      previous_until,
      format as "format",
      access_token as "accessToken"
    from webhooks
    where id = ${webhookId}
      and group_id = ${groupId}
      and status <> 'deleted'`);
}
