// The mail settings of a person: exports them, and deletes them with the account.
import { instantText } from '@lothub/kit/clock';
import { deleteDeliveries, deleteReceiver } from '@lothub/delivery/outbox/clearing-queries';
import type { NotificationStore } from '../store/store.ts';
import { MAIL_OUTBOX } from './outbox-queries.ts';
import { markDeleted, receiverOfPerson } from './receiver-queries.ts';

/** Deliveries that one small transaction deletes; posts are written in between. */
const SLICE_ROWS = 500;

type ExportedMail = Readonly<Record<string, string | boolean>>;

export async function exportMail(
  { reader }: Pick<NotificationStore, 'reader'>,
  accountId: string,
): Promise<readonly ExportedMail[]> {
  const row = await receiverOfPerson(reader, accountId);
  if (row === undefined) return [];
  const { status, minSeverity, rhythm, createdAt } = row;
  const isOn = status === 'active';
  return [{ is_on: isOn, min_severity: minSeverity, rhythm, since: instantText(createdAt) }];
}

/** A crash in between leaves what the worker takes away, or the next try of the departure. */
export async function eraseMail(store: NotificationStore, accountId: string): Promise<void> {
  const row = await receiverOfPerson(store.reader, accountId);
  if (row === undefined) return;
  await store.write([markDeleted(accountId)]);
  const { id: receiverId } = row;
  while ((await receiverOfPerson(store.reader, accountId)) !== undefined) {
    await store.write([
      deleteDeliveries(MAIL_OUTBOX, { receiverId, limit: SLICE_ROWS }),
      deleteReceiver(MAIL_OUTBOX, receiverId),
    ]);
  }
}
