// One delivery as the request that is made for it.
import { VERSION } from '../../version.ts';
import type { ClaimedRow } from '../outbox-queries.ts';
import { webhookPayload } from '../payload.ts';
import type { WebhookRequest } from '../send.ts';
import { secretsAt, signatureHeaders } from '../signature.ts';

const USER_AGENT = `lothub-notifications/${VERSION}`;

/** @returns undefined when there is nothing to send: the notification is gone */
export function webhookRequest(
  row: ClaimedRow,
  { atMs, signal }: { readonly atMs: number; readonly signal: AbortSignal },
): WebhookRequest | undefined {
  const { notificationId } = row;
  if (notificationId === null) return undefined;
  const body = webhookPayload({ ...row, id: notificationId });
  const secrets = secretsAt(row, atMs);
  return {
    url: new URL(row.url),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': USER_AGENT,
      ...signatureHeaders({ id: row.id, atMs, body, secrets }),
    },
    body,
    signal,
  };
}
