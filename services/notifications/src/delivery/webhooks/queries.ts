// What is read and written of the webhooks of groups alone (others: packages/delivery/src/webhook/webhook-queries.ts).
import type { DatabaseReader } from '@lothub/kit/database';
import type { StoredWebhook, WebhookKey } from '@lothub/delivery/webhook/webhook-queries';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Severity } from '../../store/post.ts';
import type { Recipient } from '../formats/request.ts';
import type { WebhookFormat } from '../formats/format.ts';

export interface WebhookRow extends StoredWebhook<Severity> {
  readonly format: WebhookFormat;
  /** 1: requests carry one. */
  readonly hasAccessToken: 0 | 1;
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
