// A notification as it is shown to a person: as it was posted, and what has become of it.
import { instantText } from '@lothub/kit/clock';
import type { NotificationRow } from '../feed/feed-entry.ts';
import type { Acknowledged, Notification } from './inbox-schema.ts';

/** What has become of a notification, as one person sees it. */
export interface Marks {
  readonly acknowledged: Acknowledged | null;
  readonly read: boolean;
}

/** Nobody has had the time to do anything with it. */
export const JUST_POSTED: Marks = { acknowledged: null, read: false };

export function notificationOf(row: NotificationRow, marks: Marks): Notification {
  return {
    id: row.id,
    group_id: row.groupId,
    seq: row.seq,
    command: 'notify',
    title: row.title,
    body: row.body,
    severity: row.severity,
    created_at: instantText(row.createdAt),
    sender: senderOf(row),
    acknowledged: marks.acknowledged,
    read: marks.read,
  };
}

/** A key, or the person who tried the group out. */
export function senderOf(
  row: Pick<NotificationRow, 'keyId' | 'keyName' | 'accountId' | 'accountName'>,
): Notification['sender'] {
  if (row.keyId !== null) return { kind: 'key', id: row.keyId, name: row.keyName ?? '' };
  return { kind: 'person', id: row.accountId ?? '', name: row.accountName ?? '' };
}

export interface MarksRow {
  readonly seq: number;
  readonly ackAccountId: string | null;
  readonly ackName: string | null;
  readonly ackAt: number | null;
  /** 1: read although above read_up_to; 0: unread although not above it; null: as read_up_to says. */
  readonly exception: number | null;
}

export function marksOf(row: MarksRow, readUpTo: number): Marks {
  return { acknowledged: acknowledgedOf(row), read: isRead(row, readUpTo) };
}

export function isRead(
  { seq, exception }: Pick<MarksRow, 'seq' | 'exception'>,
  readUpTo: number,
): boolean {
  return exception === null ? seq <= readUpTo : exception === 1;
}

function acknowledgedOf({ ackAccountId, ackName, ackAt }: MarksRow): Acknowledged | null {
  if (ackAccountId === null || ackAt === null) return null;
  return { account_id: ackAccountId, name: ackName ?? '', at: instantText(ackAt) };
}
