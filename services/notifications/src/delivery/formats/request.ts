// The request of one delivery, in the format of its webhook.
import type { WebhookRequest } from '@lothub/delivery/sending/send';
import { webhookRequest } from '@lothub/delivery/webhook/webhook-request';
import type { WebhookRow } from '@lothub/delivery/webhook/claimed-webhook';
import { VERSION } from '../../version.ts';
import { webhookPayload, type WebhookEvent } from '../payload.ts';
import type { FormattedRequest, SentNotification, WebhookFormat } from './format.ts';
import { ntfyRequest } from './ntfy.ts';
import { slackBody } from './slack.ts';

const USER_AGENT = `lothub-notifications/${VERSION}`;

/** The fields of a webhook that a request needs. */
export type Recipient = Pick<
  WebhookRow,
  'id' | 'url' | 'secret' | 'previous_secret' | 'previous_until'
> & {
  readonly format: WebhookFormat;
  readonly accessToken: string | null;
};

export interface RequestOptions {
  readonly event: WebhookEvent;
  /** As people reach the pages. */
  readonly publicUrl: string;
  readonly atMs: number;
  readonly signal: AbortSignal;
}

/** Slack and ntfy check no signature: their requests carry none. */
export function makeRequest(
  recipient: Recipient,
  notification: SentNotification,
  { event, publicUrl, atMs, signal }: RequestOptions,
): WebhookRequest {
  const url = new URL(recipient.url);
  const link = `${publicUrl}/inbox/groups/${notification.groupId}/n/${notification.seq}`;
  switch (recipient.format) {
    case 'standard': {
      const body = webhookPayload(notification, event);
      return webhookRequest(recipient, { body, userAgent: USER_AGENT, atMs, signal });
    }
    case 'slack':
      return plainRequest({ url, body: slackBody(notification, link), headers: {} }, signal);
    case 'ntfy': {
      const { accessToken } = recipient;
      return plainRequest(ntfyRequest(notification, { url, link, accessToken }), signal);
    }
  }
}

function plainRequest(
  { url, body, headers }: FormattedRequest,
  signal: AbortSignal,
): WebhookRequest {
  return {
    url,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': USER_AGENT,
      ...headers,
    },
    body,
    signal,
  };
}
