// The filter of the list of notifications of a case, in its address.
import { Type } from '@lothub/kit/json-schema';
import { AUDIENCES } from '../../../recall/notification-status.ts';
import type { NotificationFilter } from '../../../recall/outbox/notifications.ts';
import { NOTIFICATION_STATUSES } from '../../../terms.ts';

/** A form sends an empty text where nothing is chosen. */
export const NOTIFICATION_FILTER = {
  audience: Type.Optional(Type.Enum(['', ...AUDIENCES])),
  status: Type.Optional(Type.Enum(['', ...NOTIFICATION_STATUSES])),
};

export const NotificationFilterQuery = Type.Object(NOTIFICATION_FILTER);

/** Makes the filter from an address; an empty or missing part filters nothing. */
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
