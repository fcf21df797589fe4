// A page of what a search finds.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { itemsOfIds } from './inbox-queries.ts';
import type { Notification } from './inbox-schema.ts';
import { isAllRead, toMarks, toNotification } from './notification.ts';
import { search, type Place, type Search } from './search.ts';

export interface ListPage {
  readonly items: Notification[];
  /** Where the following page begins; undefined when there is none. */
  readonly last: { readonly id: number; readonly seq: number } | undefined;
  /** When the last one looked at was created, where the page ended before it was full. */
  readonly searchedTo: string | null;
}

/** @param options `limit`: how many the page has at most */
export async function searchPage(reader: DatabaseReader, options: Search): Promise<ListPage> {
  const { accountId, limit } = options;
  const { places, stoppedAt } = await search(reader, { ...options, limit: limit + 1 });
  const { rows: shown, last } = cutPage(places, limit);
  return {
    items: await itemsAt(reader, accountId, shown),
    last: last ?? stoppedAt,
    searchedTo: stoppedAt === undefined ? null : instantText(stoppedAt.createdAt),
  };
}

/** The notifications at these places, in this order, without those that were deleted since. */
async function itemsAt(
  reader: DatabaseReader,
  accountId: string,
  places: readonly Place[],
): Promise<Notification[]> {
  if (places.length === 0) return [];
  const ids = places.map(({ id }) => id);
  const rows = await itemsOfIds(reader, accountId, ids);
  const rowOf = new Map(rows.map((row) => [row.id, row]));
  return places.flatMap((place) => {
    const { id, readUpTo, earlierUnread } = place;
    const row = rowOf.get(id);
    if (row === undefined) return [];
    const read = isAllRead({ ...row, earlierUnread }, readUpTo);
    return [toNotification(row, { ...toMarks(row, readUpTo), read })];
  });
}
