// Pages of the notifications of a group, as one of its people sees them.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { noSuchGroup, type MembershipKey } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import { PAGE_DEFAULT } from '../http.ts';
import { findItem, findStanding, readItemRows } from './inbox-queries.ts';
import type { Part, StandingRow } from './inbox-queries.ts';
import type { Notification, NotificationList } from './inbox-schema.ts';
import { countOpen } from './item-queries.ts';
import { toMarks, toNotification } from './notification.ts';
import { searchPage, type ListPage } from './search-page.ts';
import type { Choice } from './search.ts';

export interface ListOptions extends Choice {
  /** The notifications after this cursor, the oldest first; not with `before`. */
  readonly after?: number | undefined;
  /** Those in front of this cursor, newest first; all when neither is given. */
  readonly before?: number | undefined;
  readonly limit?: number | undefined;
}

/**
 * Reads a page. With `q` or `unread` it may be short or empty although there are more; then `searched_to` is the
 * last place that was searched.
 * @throws Problem `not_found` when the person is not in the group, `fields_invalid` with both cursors
 */
export async function listNotifications(
  reader: DatabaseReader,
  key: MembershipKey,
  options: ListOptions,
): Promise<NotificationList> {
  const { after, before, limit = PAGE_DEFAULT, severity } = options;
  assertOneCursor(options);
  const standing = await getStanding(reader, key);
  const { groupId, headSeq, prunedSeq } = standing;
  // Up to the head of this answer: later posts belong to a later answer.
  const part: Part = {
    groupId,
    severity,
    direction: after === undefined ? 'older' : 'newer',
    from: Math.max(prunedSeq, after ?? 0) + 1,
    to: Math.min(headSeq, before === undefined ? headSeq : before - 1),
    limit,
  };
  const { accountId } = key;
  // One lane is always the nearest.
  const lanes = [{ ...part, standing, nearestId: 0 }];
  const { items, last, searchedTo } = isPlain(options)
    ? await plainPage(reader, accountId, { standing, part })
    : await searchPage(reader, { ...part, accountId, lanes, choice: options });
  return {
    items,
    next: last?.seq ?? null,
    prev: backFrom({ after, before, headSeq, prunedSeq }),
    head_seq: headSeq,
    unread: standing.unread,
    searched_to: searchedTo,
    ...(await openMembers(reader, { accountId, groupId }, options)),
  };
}

/** Every notification is on the page in its turn. */
function isPlain({ q, unread, grouped, ack }: Choice): boolean {
  return q === undefined && unread !== true && grouped !== true && ack === undefined;
}

/** The members of an answer that only requests with `grouped` or `ack` get. */
export async function openMembers(
  reader: DatabaseReader,
  membership: { readonly accountId: string; readonly groupId: string | undefined },
  { grouped, ack }: Choice,
): Promise<{ readonly open?: number }> {
  return grouped === true || ack !== undefined ? { open: await countOpen(reader, membership) } : {};
}

/** @throws Problem `not_found` when there is no such notification, or no longer */
export async function getNotification(
  reader: DatabaseReader,
  key: MembershipKey,
  seq: number,
): Promise<Notification> {
  const standing = await getStanding(reader, key);
  const row = await findItem(reader, key, seq);
  if (row === undefined) throw noSuchNotification();
  return toNotification(row, toMarks(row, standing.readUpTo));
}

/** @throws Problem `not_found` */
export async function getStanding(
  reader: DatabaseReader,
  key: MembershipKey,
): Promise<StandingRow> {
  const standing = await findStanding(reader, key);
  if (standing === undefined) throw noSuchGroup();
  return standing;
}

export function noSuchNotification(): Problem {
  return new Problem('not_found', 'The group has no such notification, or no longer');
}

/** @throws Problem `fields_invalid` with both cursors */
export function assertOneCursor({ after, before }: Pick<ListOptions, 'after' | 'before'>): void {
  if (after === undefined || before === undefined) return;
  const wrong = { code: 'too_many', limit: 1, actual: 2 } as const;
  throw new Problem('fields_invalid', 'Give `after` or `before`, not both', {
    fields: [
      { pointer: 'query:after', ...wrong },
      { pointer: 'query:before', ...wrong },
    ],
  });
}

/** The cursor for the other direction: what this page did not go through on its way. */
function backFrom({
  after,
  before,
  headSeq,
  prunedSeq,
}: {
  readonly after: number | undefined;
  readonly before: number | undefined;
  readonly headSeq: number;
  readonly prunedSeq: number;
}): number | null {
  if (after !== undefined) return after > prunedSeq ? Math.min(after, headSeq) + 1 : null;
  return before !== undefined && before <= headSeq ? Math.max(before - 1, 0) : null;
}

async function plainPage(
  reader: DatabaseReader,
  accountId: string,
  { standing, part }: { readonly standing: StandingRow; readonly part: Part },
): Promise<ListPage> {
  const { limit } = part;
  const found = await readItemRows(reader, accountId, { ...part, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return {
    items: rows.map((row) => toNotification(row, toMarks(row, standing.readUpTo))),
    last,
    searchedTo: null,
  };
}
