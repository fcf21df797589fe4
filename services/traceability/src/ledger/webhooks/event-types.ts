// The closed list of the types of messages that the hub sends to the receivers of a brand.

export const WEBHOOK_EVENTS = [
  'recall.opened',
  'recall.moved',
  'lot.held',
  'hold.breached',
  'recall.inbound',
  'import.failed',
  'chain.alarm',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

/** Sent on request, whichever types the webhook has. */
export const TEST_EVENT = 'webhook.test';

export type SentEvent = WebhookEvent | typeof TEST_EVENT;
