// The words of webhooks and deliveries, and how many there may be.

/** `deleted` is never shown: it lasts until the deliveries are deleted, too. */
export type WebhookStatus = 'active' | 'paused' | 'disabled' | 'deleted';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const WEBHOOKS_PER_GROUP_MAX = 10;
