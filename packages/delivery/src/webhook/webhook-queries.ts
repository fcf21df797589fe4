// Reads and writes of webhooks for those who manage them: the owners of a group, the managers of a brand.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { ReceiverStatus } from '../outbox/status.ts';
import type { OutboxTables } from '../outbox/tables.ts';
import { PREVIOUS_SECRET_MS, newWebhookSecret } from '../sending/signature.ts';

/** Maximum number of webhooks of one group, and of one brand. */
export const WEBHOOKS_MAX = 10;

/** Of an outbox whose receivers are webhooks; they also have name, url, secret, previous_secret and previous_until. */
export interface WebhookTables extends OutboxTables {
  /** Column of `receivers`: which messages are sent, in words of the service. */
  readonly filter: Sql;
  /** What a select lists of `receivers` that the other service does not have. */
  readonly others: Sql;
}

export interface StoredWebhook<Filter extends string = string> {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly filter: Filter;
  readonly status: Exclude<ReceiverStatus, 'deleted'>;
  readonly disabledReason: string | null;
  readonly previousUntil: number | null;
  readonly failures: number;
  readonly failingSince: number | null;
  readonly createdBy: string;
  readonly createdAt: number;
}

export interface WebhookKey {
  /** Id of the group, or of the brand. */
  readonly groupId: string;
  readonly webhookId: string;
}

function selectWebhooks({ receivers, filter, others }: WebhookTables): Sql {
  return sql`
    select
      id as "id",
      name as "name",
      url as "url",
      ${filter} as "filter",
      ${others},
      status as "status",
      disabled_reason as "disabledReason",
      previous_until as "previousUntil",
      failures as "failures",
      failing_since as "failingSince",
      created_by as "createdBy",
      created_at as "createdAt"
    from ${receivers}`;
}

/** The oldest first. */
export function readWebhooks<Webhook extends StoredWebhook>(
  tables: WebhookTables,
  reader: DatabaseReader,
  { groupId, limit }: { readonly groupId: string; readonly limit: number },
): Promise<readonly Webhook[]> {
  return reader.all<Webhook>(sql`
    ${selectWebhooks(tables)}
    where ${tables.group} = ${groupId}
      and status <> 'deleted'
    order by created_at, id
    limit ${limit}`);
}

export function findWebhook<Webhook extends StoredWebhook>(
  tables: WebhookTables,
  reader: DatabaseReader,
  { groupId, webhookId }: WebhookKey,
): Promise<Webhook | undefined> {
  return reader.first<Webhook>(sql`
    ${selectWebhooks(tables)}
    where id = ${webhookId}
      and ${tables.group} = ${groupId}
      and status <> 'deleted'`);
}

export interface NewWebhook
  extends WebhookKey, Pick<StoredWebhook, 'name' | 'url' | 'filter' | 'createdBy' | 'createdAt'> {
  readonly secret: string;
  /** Columns that the other service does not have, and their values. */
  readonly others: { readonly columns: Sql; readonly values: Sql };
}

export function insertWebhook(tables: WebhookTables, webhook: NewWebhook): Sql {
  return sql`
    insert into ${tables.receivers} (
      id, ${tables.group}, name, url, ${tables.filter}, ${webhook.others.columns}, status, secret,
      created_by, created_at
    )
    values (
      ${webhook.webhookId},
      ${webhook.groupId},
      ${webhook.name},
      ${webhook.url},
      ${webhook.filter},
      ${webhook.others.values},
      'active',
      ${webhook.secret},
      ${webhook.createdBy},
      ${webhook.createdAt}
    )`;
}

/** A guard: there is room for one more. */
export function whileWebhooksBelow(
  tables: WebhookTables,
  { groupId, webhooksMax }: { readonly groupId: string; readonly webhooksMax: number },
): Sql {
  return sql`
    select 1 as held
    where (
      select count(*)
      from ${tables.receivers}
      where ${tables.group} = ${groupId}
        and status <> 'deleted'
    ) < ${webhooksMax}`;
}

/** A guard: it is not deleted. */
export function whileKept({ receivers }: WebhookTables, webhookId: string): Sql {
  return sql`
    select 1 as held
    from ${receivers}
    where id = ${webhookId}
      and status <> 'deleted'`;
}

/** What its owner sets. */
export type WebhookSettings = Pick<StoredWebhook, 'name' | 'url' | 'filter' | 'status'>;

/** A guard: the settings have not changed. */
export function whileSet(tables: WebhookTables, webhookId: string, settings: WebhookSettings): Sql {
  return sql`
    select 1 as held
    from ${tables.receivers}
    where id = ${webhookId}
      and name = ${settings.name}
      and url = ${settings.url}
      and ${tables.filter} = ${settings.filter}
      and status = ${settings.status}`;
}

export function updateWebhook(
  tables: WebhookTables,
  webhookId: string,
  settings: WebhookSettings,
): Sql {
  return sql`
    update ${tables.receivers}
    set
      name = ${settings.name},
      url = ${settings.url},
      ${tables.filter} = ${settings.filter},
      status = ${settings.status}
    where id = ${webhookId}`;
}

/** The secret so far signs as well for a day; the one before it does not any more. */
export function rotateSecret(
  { receivers }: WebhookTables,
  { webhookId, at }: { readonly webhookId: string; readonly at: number },
) {
  const secret = newWebhookSecret();
  const previousUntil = at + PREVIOUS_SECRET_MS;
  const statement = sql`
    update ${receivers}
    set previous_secret = secret, previous_until = ${previousUntil}, secret = ${secret}
    where id = ${webhookId}`;
  return { statement, rotated: { secret, previousUntil } };
}

/** It sends nothing any more; the worker deletes it with its deliveries. */
export function markDeleted(tables: WebhookTables, webhookId: string): Sql {
  return sql`
    update ${tables.receivers}
    set status = 'deleted', secret = '', previous_secret = null, previous_until = null
    where id = ${webhookId}`;
}
