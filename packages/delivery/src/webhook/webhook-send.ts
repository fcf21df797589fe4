// How an outbox sends to webhooks: one request for each delivery.
import sql from 'sql-template-tag';
import type { Outbox } from '../outbox/outbox.ts';
import type { Send, WebhookRequest } from '../sending/send.ts';
import type { WebhookRow } from './claimed-webhook.ts';

export interface WebhookSendingOptions<Row extends WebhookRow> {
  readonly send: Send;
  /** The request of a delivery; undefined when there is nothing to send any more. */
  readonly buildRequest: (
    row: Row,
    on: { readonly atMs: number; readonly signal: AbortSignal },
  ) => WebhookRequest | undefined;
}

export function webhookSending<Row extends WebhookRow>({
  send,
  buildRequest,
}: WebhookSendingOptions<Row>): Pick<Outbox<Row>, 'name' | 'togetherMax' | 'send' | 'whileSame'> {
  return {
    name: 'delivery',
    togetherMax: 1,
    send: async ([row], on) => {
      const request = row === undefined ? undefined : buildRequest(row, on);
      return request === undefined ? { kind: 'nothing' } : await send(request);
    },
    whileSame: ({ url }) => sql`and url = ${url}`,
  };
}
