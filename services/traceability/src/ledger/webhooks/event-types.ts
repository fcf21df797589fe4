// What the hub sends to the receivers of a brand: the closed list of types.

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

/** Sent when somebody asks for it, whatever the webhook is for. */
export const TEST_EVENT = 'webhook.test';

export type SentEvent = WebhookEvent | typeof TEST_EVENT;
