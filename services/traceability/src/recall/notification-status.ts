// The states of a notification, and who may receive one: pure rules of the outbox
// (docs/interface/traceability.md#notifications-of-a-case).

import { CONFIRMED_STATUSES, NOTIFICATION_STATUSES, type NotificationStatus } from '../terms.ts';

export const AUDIENCES = [
  'customer',
  'channel',
  'supplier',
  'internal_qa',
  'regulator',
  'public',
] as const;
export type Audience = (typeof AUDIENCES)[number];

export type NotificationMove =
  | { readonly kind: 'move' }
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly allowed: readonly NotificationStatus[] };

/**
 * Judges the move of a notification from one status to another. It may move forward, over several
 * steps at once, and never back. Only the case moves it from `pending` to `ready`.
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
