// One delivery to a webhook as the request that is made for it.
import type { WebhookRequest } from '../sending/send.ts';
import { secretsAt, signatureHeaders } from '../sending/signature.ts';
import type { WebhookRow } from './claimed-webhook.ts';

export interface RequestParts {
  /** Byte for byte what is sent. */
  readonly body: string;
  readonly userAgent: string;
  readonly atMs: number;
  readonly signal: AbortSignal;
}

export function webhookRequest(
  row: Pick<WebhookRow, 'id' | 'url' | 'secret' | 'previous_secret' | 'previous_until'>,
  { body, userAgent, atMs, signal }: RequestParts,
): WebhookRequest {
  const secrets = secretsAt(row, atMs);
  return {
    url: new URL(row.url),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': userAgent,
      ...signatureHeaders({ id: row.id, atMs, body, secrets }),
    },
    body,
    signal,
  };
}
