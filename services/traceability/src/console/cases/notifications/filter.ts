// What the list of the notifications of a case is narrowed to, as its address has it.
import { Type } from '@lothub/kit/json-schema';
import { AUDIENCES } from '../../../recall/notification-status.ts';
import type { NotificationFilter } from '../../../recall/outbox/notifications.ts';
import { NOTIFICATION_STATUSES } from '../../../terms.ts';

/** A form sends what is not chosen as nothing. */
export const NOTIFICATION_FILTER = {
  audience: Type.Optional(Type.Enum(['', ...AUDIENCES])),
  status: Type.Optional(Type.Enum(['', ...NOTIFICATION_STATUSES])),
};

export const NotificationFilterQuery = Type.Object(NOTIFICATION_FILTER);

/** Makes the filter of an address: a part that is empty or missing there narrows nothing. */
export function filterOfQuery({
  audience,
  status,
}: {
  readonly audience?: string | null;
  readonly status?: string | null;
}): NotificationFilter {
  return {
    audience: AUDIENCES.find((one) => one === audience),
    status: NOTIFICATION_STATUSES.find((one) => one === status),
  };
}
