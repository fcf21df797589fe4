// The outbox of the hub: its tables, and what is sent for each row. A webhook gets one delivery at a time, in the
// order in which things happened; what failed is tried again before what is behind it.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import type { Outbox } from '@lothub/delivery/outbox/outbox';
import type { Send } from '@lothub/delivery/sending/send';
import { webhookColumns, type WebhookRow } from '@lothub/delivery/webhook/claimed-webhook';
import type { WebhookTables } from '@lothub/delivery/webhook/webhook-queries';
import { webhookRequest } from '@lothub/delivery/webhook/webhook-request';
import { webhookSending } from '@lothub/delivery/webhook/webhook-send';
import { instantText } from '@lothub/kit/clock';
import sql, { type Sql } from 'sql-template-tag';
import { insertAuditEntry, type AuditAction, type AuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import type { SentEvent } from '../ledger/webhooks/event-types.ts';
import { VERSION } from '../version.ts';
import { keyOfInboxUrl } from './inbox.ts';
import { notificationText } from './inbox-text.ts';
import { payloadText, type SentRow } from './payload.ts';

export const OUTBOX: WebhookTables = {
  receivers: sql`webhooks`,
  group: sql`tenant_id`,
  creator: sql`created_by`,
  deliveries: sql`webhook_deliveries`,
  receiver: sql`webhook_id`,
  attempts: sql`webhook_attempts`,
  order: 'strict',
  filter: sql`event_types`,
  others: sql`language as "language"`,
};

/** Who disables webhooks, in the audit. */
const SENDER: Caller = { actor: 'lothub', requestId: null };

/** A delivery with all that its request says. */
export interface ClaimedEvent extends WebhookRow {
  readonly eventType: SentEvent;
  readonly at: string;
  readonly data: string;
  readonly blockHeight: number | null;
  /** The language of texts in a group of the inbox. */
  readonly language: string;
}

async function claimedEvents(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly ClaimedEvent[]> {
  if (ids.length === 0) return [];
  return await reader.all<ClaimedEvent>(sql`
    select
      ${webhookColumns(OUTBOX)},
      d.event_type as "eventType",
      d.at as "at",
      d.data as "data",
      d.block_height as "blockHeight",
      w.language as "language"
    from webhook_deliveries d
    join webhooks w on w.id = d.webhook_id
    where d.id in (${inList(ids)})`);
}

const USER_AGENT = `lothub/${VERSION}`;

/** @param publicUrl address of the hub, without a slash at the end */
export function hubOutbox({
  publicUrl,
  send,
}: {
  readonly publicUrl: string;
  readonly send: Send;
}): Outbox<ClaimedEvent> {
  return {
    tables: OUTBOX,
    readClaimed: claimedEvents,
    ...webhookSending<ClaimedEvent>({
      send,
      buildRequest: (claimed, on) => {
        const { groupId: brand, ...row } = claimed;
        const body = buildBody({ ...row, brand }, publicUrl);
        return webhookRequest(claimed, { ...on, body, userAgent: USER_AGENT });
      },
    }),
    onDisabled: ({ groupId: tenantId, receiverId: webhookId }, { at, reason }) => [
      insertEntry('disable_webhook', { tenantId, webhookId, caller: SENDER, at }, { reason }),
    ],
  };
}

/** Of the audit. */
export function insertEntry(
  action: AuditAction,
  {
    at,
    tenantId,
    caller,
    webhookId,
  }: Pick<AuditEntry, 'tenantId' | 'caller'> & { readonly webhookId: string; readonly at: number },
  details: AuditEntry['details'],
): Sql {
  return insertAuditEntry({
    ...{ at: instantText(at), tenantId, caller, action, details, blockHeight: null },
    ...{ entityType: 'webhook', entityId: webhookId },
  });
}

/** What is sent to a receiver: the payload, or in a group of the inbox a notification. */
export function buildBody(
  row: SentRow & Pick<ClaimedEvent, 'url' | 'language'>,
  publicUrl: string,
): string {
  return keyOfInboxUrl(row.url) === undefined
    ? payloadText(row, publicUrl)
    : notificationText(row, publicUrl);
}
