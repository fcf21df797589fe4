// Queries of the outbox of a case. Each reads through an index and has a limit, or counts within one
// case.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, raw, type Sql } from 'sql-template-tag';
import type { Audience } from '../notification-status.ts';
import type { NotificationStatus } from '../../terms.ts';

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
  /** The block that last changed its status. */
  readonly blockHeight: number | null;
  readonly blockHash: string | null;
}

const NOTIFICATION_ROW = sql`
  notification_id as "notificationId", audience, recipient, status, created_at as "createdAt",
  ready_at as "readyAt", sent_at as "sentAt", acknowledged_at as "acknowledgedAt",
  resolved_at as "resolvedAt", response, response_height as "blockHeight",
  (select b.hash from blocks b where b.height = response_height) as "blockHash"`;

/** The filters of a list of notifications; an absent field filters nothing. */
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
  key: { readonly caseId: number; readonly notificationId: number },
): Promise<NotificationRow | undefined> {
  return await database.first<NotificationRow>(sql`
    select ${NOTIFICATION_ROW}
    from recall_notifications
    where notification_id = ${key.notificationId} and case_id = ${key.caseId}`);
}

export interface NotificationCount {
  readonly audience: Audience;
  readonly status: NotificationStatus;
  readonly notifications: number;
}

/** Counts the notifications of a case by status. */
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

/** Reads a page of the customers who have responded, by number. */
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

/** The values on which the counts of a case's notifications depend. */
export interface CaseStanding {
  readonly revision: number;
  /** The height of the last block of a response; 0 before the first one. */
  readonly respondedHeight: number;
}

export async function caseStanding(
  database: DatabaseReader,
  caseId: number,
): Promise<CaseStanding | undefined> {
  return await database.first<CaseStanding>(sql`
    select c.revision, ${respondedHeight(caseId)} as "respondedHeight"
    from recall_cases c
    where c.case_id = ${caseId}`);
}

function respondedHeight(caseId: number): Sql {
  return sql`
    (
      select coalesce(max(n.response_height), 0)
      from recall_notifications n
      where n.case_id = ${caseId} and n.response_height is not null
    )`;
}

/**
 * A guard that returns a row if the notification and the counts of its case have not changed since
 * they were read.
 */
export function notificationAsRead(
  row: NotificationRow,
  read: CaseStanding & { readonly caseId: number },
): Sql {
  return sql`
    select n.notification_id
    from recall_notifications n
    join recall_cases c on c.case_id = n.case_id
    where n.notification_id = ${row.notificationId} and n.status = ${row.status}
      and ${isSame('response', row.response)} and ${isSame('recipient', row.recipient)}
      and c.revision = ${read.revision}
      and ${respondedHeight(read.caseId)} = ${read.respondedHeight}`;
}

function isSame(column: 'recipient' | 'response', value: string | null): Sql {
  const name = raw(`n.${column}`);
  return value === null ? sql`${name} is null` : sql`${name} = ${value}`;
}
