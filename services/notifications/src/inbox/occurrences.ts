// The notifications that one belongs together with, as one person sees them.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import sql from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import { PAGE_DEFAULT } from '../http.ts';
import { findPlace, isOfItem } from './item-queries.ts';
import { itemsWhere } from './inbox-queries.ts';
import type { Occurrences } from './inbox-schema.ts';
import { getNotification, getStanding, noSuchNotification } from './list.ts';
import { toMarks, toNotification } from './notification.ts';

/**
 * A page of them, newest first.
 * @throws Problem `not_found` when there is no such notification, or the person is not in the group
 */
export async function listOccurrences(
  reader: DatabaseReader,
  key: MembershipKey,
  {
    seq,
    before = Number.MAX_SAFE_INTEGER,
    limit = PAGE_DEFAULT,
  }: { readonly seq: number; readonly before?: number | undefined; readonly limit?: number },
): Promise<Occurrences> {
  const { readUpTo } = await getStanding(reader, key);
  const place = await findPlace(reader, { groupId: key.groupId, seq });
  if (place === undefined) throw noSuchNotification();
  const { item } = place;
  if (item === null) {
    const items = seq < before ? [await getNotification(reader, key, seq)] : [];
    return { items, next: null };
  }
  const range = { groupId: key.groupId, item, upTo: before - 1, limit: limit + 1 };
  const newestFirst = sql`
    where ${isOfItem(range)}
    order by n.seq desc
    limit ${range.limit}`;
  const { rows, last } = cutPage(await itemsWhere(reader, key.accountId, newestFirst), limit);
  return {
    items: rows.map((row) => toNotification(row, toMarks(row, readUpTo))),
    next: last?.seq ?? null,
  };
}
