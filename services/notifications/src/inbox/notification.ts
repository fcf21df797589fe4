// A notification as it is shown to a person.
import { instantText } from '@lothub/kit/clock';
import type { ItemRow } from './inbox-queries.ts';
import type { Notification } from './inbox-schema.ts';

export function notificationOf(
  row: ItemRow,
  of: { readonly groupId: string; readonly readUpTo: number },
): Notification {
  return {
    id: row.id,
    group_id: of.groupId,
    seq: row.seq,
    command: 'notify',
    title: row.title,
    body: row.body,
    severity: row.severity,
    created_at: instantText(row.createdAt),
    sender: senderOf(row),
    acknowledged:
      row.ackAccountId === null || row.ackAt === null
        ? null
        : { account_id: row.ackAccountId, name: row.ackName ?? '', at: instantText(row.ackAt) },
    read: isRead(row, of.readUpTo),
  };
}

export function isRead(
  { seq, exception }: { readonly seq: number; readonly exception: number | null },
  readUpTo: number,
): boolean {
  return exception === null ? seq <= readUpTo : exception === 1;
}

type SenderRow = Pick<ItemRow, 'keyId' | 'keyName' | 'accountId' | 'accountName'>;

/** A key, or the person who tried the group out. */
export function senderOf(row: SenderRow): Notification['sender'] {
  if (row.keyId !== null) return { kind: 'key', id: row.keyId, name: row.keyName ?? '' };
  return { kind: 'person', id: row.accountId ?? '', name: row.accountName ?? '' };
}
