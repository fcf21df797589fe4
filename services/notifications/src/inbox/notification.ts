// A notification as a person sees it: its content, and whether it was read and acknowledged.
import { instantText } from '@lothub/kit/clock';
import type { NotificationRow, StoredNotification } from '../feed/feed-entry.ts';
import { pickSentMembers } from '../sent-members.ts';
import type { Acknowledged, Notification } from './inbox-schema.ts';

/** What has become of a notification, as one person sees it. */
export interface Marks {
  readonly acknowledged: Acknowledged | null;
  readonly read: boolean;
}

/** Nobody has had the time to do anything with it. */
export const JUST_POSTED: Marks = { acknowledged: null, read: false };

export function toNotification(row: StoredNotification, marks: Marks): Notification {
  return {
    id: row.id,
    group_id: row.groupId,
    seq: row.seq,
    command: 'notify',
    title: row.title,
    body: row.body,
    severity: row.severity,
    ...(row.redactedAt === null ? pickSentMembers(row) : {}),
    ...pickBelonging(row),
    ...(row.redactedAt === null ? {} : { redacted_at: instantText(row.redactedAt) }),
    created_at: instantText(row.createdAt),
    sender: toSender(row),
    acknowledged: marks.acknowledged,
    read: marks.read,
  };
}

/** What it belongs together with, of one with a `dedup_key`. */
function pickBelonging({
  firstSeq,
  firstAt,
  count,
}: StoredNotification): Pick<Notification, 'first_seq' | 'first_at' | 'count'> {
  if (firstSeq === null || firstAt === null || count === null) return {};
  return { first_seq: firstSeq, first_at: instantText(firstAt), count };
}

/** A key, or the person who tried the group out. */
export function toSender(
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
  readonly ackComment: string | null;
  /** 1: read although above read_up_to; 0: unread although not above it; null: as read_up_to says. */
  readonly exception: number | null;
}

export function toMarks(row: MarksRow, readUpTo: number): Marks {
  return { acknowledged: toAcknowledged(row), read: isRead(row, readUpTo) };
}

export function isRead(
  { seq, exception }: Pick<MarksRow, 'seq' | 'exception'>,
  readUpTo: number,
): boolean {
  return exception === null ? seq <= readUpTo : exception === 1;
}

/** Like `isRead`, for the newest notification of an item. */
export function isAllRead(
  row: Pick<MarksRow, 'seq' | 'exception'> & { readonly earlierUnread: number },
  readUpTo: number,
): boolean {
  return row.earlierUnread === 0 && isRead(row, readUpTo);
}

function toAcknowledged(row: MarksRow): Acknowledged | null {
  const { ackAccountId, ackName, ackAt, ackComment } = row;
  if (ackAccountId === null || ackAt === null) return null;
  return {
    account_id: ackAccountId,
    name: ackName ?? '',
    at: instantText(ackAt),
    ...(ackComment === null ? {} : { comment: ackComment }),
  };
}
