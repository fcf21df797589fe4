// What becomes of a notification, and whom one may be for: pure rules of the outbox (service page,
// section 7).

export const AUDIENCES = [
  'customer',
  'channel',
  'supplier',
  'internal_qa',
  'regulator',
  'public',
] as const;
export type Audience = (typeof AUDIENCES)[number];

/** In the order in which a notification goes through them. */
export const NOTIFICATION_STATUSES = [
  'pending',
  'ready',
  'sent',
  'acknowledged',
  'resolved',
] as const;
export type NotificationStatus = (typeof NOTIFICATION_STATUSES)[number];

/** What a brand's tool may confirm; only the case makes a notification ready. */
export const CONFIRMED_STATUSES = ['sent', 'acknowledged', 'resolved'] as const;

export type NotificationMove =
  | { readonly kind: 'move' }
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly allowed: readonly NotificationStatus[] };

/**
 * Whether a notification may go from one status to another: forward, over several steps at once if need
 * be, never back. Only the case takes it out of `pending`, and into `ready`.
 */
export function judgeNotificationMove(
  from: NotificationStatus,
  to: NotificationStatus,
): NotificationMove {
  if (from === to) return { kind: 'same' };
  const allowed = from === 'pending' ? [] : CONFIRMED_STATUSES.filter((one) => isBehind(one, from));
  return allowed.some((one) => one === to) ? { kind: 'move' } : { kind: 'refused', allowed };
}

function isBehind(status: NotificationStatus, other: NotificationStatus): boolean {
  return NOTIFICATION_STATUSES.indexOf(status) > NOTIFICATION_STATUSES.indexOf(other);
}
