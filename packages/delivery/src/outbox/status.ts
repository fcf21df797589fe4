// The words of receivers and deliveries.

/** `deleted` is never shown: it lasts until the deliveries are deleted, too. */
export type ReceiverStatus = 'active' | 'paused' | 'disabled' | 'deleted';

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];
