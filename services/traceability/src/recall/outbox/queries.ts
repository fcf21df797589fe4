// Queries of the outbox of a case. Each reads through an index and has a limit, or counts within one
// case.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Audience, NotificationStatus } from '../notification-status.ts';

export interface NotificationRow {
  readonly notificationId: number;
  readonly audience: Audience;
  /** Null: a customer that was erased. */
  readonly recipient: string | null;
  readonly status: NotificationStatus;
  readonly createdAt: string;
  readonly readyAt: string | null;
  readonly sentAt: string | null;
  readonly acknowledgedAt: string | null;
  readonly resolvedAt: string | null;
  /** Private. */
  readonly response: string | null;
}

const NOTIFICATION_ROW = sql`
  notification_id as "notificationId", audience, recipient, status, created_at as "createdAt",
  ready_at as "readyAt", sent_at as "sentAt", acknowledged_at as "acknowledgedAt",
  resolved_at as "resolvedAt", response`;

/** What a list of notifications is narrowed to; an absent field narrows nothing. */
export interface NotificationFilter {
  readonly audience?: Audience | undefined;
  readonly status?: NotificationStatus | undefined;
}

/** Notifications of a case, in the order in which they came up. */
export async function notificationsOfCase(
  database: DatabaseReader,
  page: NotificationFilter & {
    readonly caseId: number;
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly NotificationRow[]> {
  const { audience, status } = page;
  return await database.all<NotificationRow>(sql`
    select ${NOTIFICATION_ROW}
    from recall_notifications
    where case_id = ${page.caseId} and notification_id > ${page.above}
      ${audience === undefined ? empty : sql`and audience = ${audience}`}
      ${status === undefined ? empty : sql`and status = ${status}`}
    order by notification_id
    limit ${page.limit}`);
}

export async function findNotification(
  database: DatabaseReader,
  of: { readonly caseId: number; readonly notificationId: number },
): Promise<NotificationRow | undefined> {
  return await database.first<NotificationRow>(sql`
    select ${NOTIFICATION_ROW}
    from recall_notifications
    where notification_id = ${of.notificationId} and case_id = ${of.caseId}`);
}

export interface NotificationCount {
  readonly audience: Audience;
  readonly status: NotificationStatus;
  readonly notifications: number;
}

/** How many notifications of a case stand where. */
export async function countNotifications(
  database: DatabaseReader,
  caseId: number,
): Promise<readonly NotificationCount[]> {
  return await database.all<NotificationCount>(sql`
    select audience, status, count(*) as notifications
    from recall_notifications
    where case_id = ${caseId}
    group by audience, status`);
}

/** A page of the customers who said what became of their goods, by number. */
export async function respondedCustomers(
  database: DatabaseReader,
  page: { readonly caseId: number; readonly above: number; readonly limit: number },
): Promise<readonly { readonly notificationId: number; readonly recipient: string | null }[]> {
  return await database.all<{
    readonly notificationId: number;
    readonly recipient: string | null;
  }>(sql`
    select notification_id as "notificationId", recipient
    from recall_notifications
    where case_id = ${page.caseId} and notification_id > ${page.above} and audience = 'customer'
      and status in ('acknowledged', 'resolved')
    order by notification_id
    limit ${page.limit}`);
}

/** Answers a row as long as the notification stands as it was read. */
export function notificationAsRead(row: NotificationRow): Sql {
  const { response } = row;
  return sql`
    select notification_id
    from recall_notifications
    where notification_id = ${row.notificationId} and status = ${row.status}
      and ${response === null ? sql`response is null` : sql`response = ${response}`}`;
}

/** Sets where a notification stands; a moment that is null stays as it is. */
export function updateNotification(of: {
  readonly notificationId: number;
  readonly status: NotificationStatus;
  readonly sentAt: string | null;
  readonly acknowledgedAt: string | null;
  readonly resolvedAt: string | null;
  readonly response: string | null;
}): Sql {
  return sql`
    update recall_notifications
    set status = ${of.status},
      sent_at = coalesce(sent_at, cast(${of.sentAt} as text)),
      acknowledged_at = coalesce(acknowledged_at, cast(${of.acknowledgedAt} as text)),
      resolved_at = coalesce(resolved_at, cast(${of.resolvedAt} as text)),
      response = ${of.response}
    where notification_id = ${of.notificationId}`;
}
