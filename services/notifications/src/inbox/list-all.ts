// Pages of the notifications of all groups of a person together, in the order of the feed.
import type { DatabaseReader } from '@lothub/kit/database';
import { readFeedPosition } from '../feed/feed-queries.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { PAGE_DEFAULT } from '../http.ts';
import { readStandingRows, type Direction, type StandingRow } from './inbox-queries.ts';
import type { AllNotifications } from './inbox-schema.ts';
import { assertOneCursor, openMembers, type ListOptions } from './list.ts';
import { searchPage } from './search-page.ts';
import type { Lane } from './search.ts';
import { readEdges } from './search-queries.ts';

/**
 * Reads a page; its cursors are ids. With `q` or `unread` it may be short or empty although there are more;
 * then `searched_to` is the last place that was searched.
 * @throws Problem `fields_invalid` with both cursors
 */
export async function listAll(
  reader: DatabaseReader,
  accountId: string,
  options: ListOptions,
): Promise<AllNotifications> {
  const { after, before, limit = PAGE_DEFAULT } = options;
  assertOneCursor(options);
  // Read first: later posts belong to a later answer.
  const head = await readFeedPosition(reader);
  const standings = await readStandingRows(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  const direction: Direction = after === undefined ? 'older' : 'newer';
  const lanes = await readLanes(reader, {
    accountId,
    direction,
    after: after ?? 0,
    upTo: Math.min(head, before === undefined ? head : before - 1),
    standings: standings.filter(({ unread }) => options.unread !== true || unread > 0),
  });
  const choice = options;
  const page = await searchPage(reader, { accountId, lanes, direction, choice, limit });
  return {
    items: page.items,
    next: page.last?.id ?? null,
    prev: await findBack(reader, accountId, { after, before, head }),
    head_id: head,
    unread: standings.reduce((sum, { unread }) => sum + unread, 0),
    searched_to: page.searchedTo,
    ...(await openMembers(reader, { accountId, groupId: undefined }, options)),
  };
}

/** The parts of the groups that have something between the ends of the page. */
async function readLanes(
  reader: DatabaseReader,
  {
    accountId,
    direction,
    standings,
    after,
    upTo,
  }: {
    readonly accountId: string;
    readonly direction: Direction;
    readonly standings: readonly StandingRow[];
    readonly after: number;
    readonly upTo: number;
  },
): Promise<readonly Lane[]> {
  const newest = await readEdges(reader, accountId, { direction: 'older', position: upTo });
  const oldest =
    direction === 'older'
      ? []
      : await readEdges(reader, accountId, { direction: 'newer', position: after + 1 });
  const newestOf = new Map(newest.map((edge) => [edge.groupId, edge]));
  const oldestOf = new Map(oldest.map((edge) => [edge.groupId, edge]));
  return standings.flatMap((standing) => {
    const { groupId, prunedSeq } = standing;
    const end = newestOf.get(groupId);
    const begin = oldestOf.get(groupId);
    if (end === undefined) return [];
    if (direction === 'older') {
      return [{ groupId, standing, from: prunedSeq + 1, to: end.seq, nearestId: end.id }];
    }
    if (begin === undefined) return [];
    return [{ groupId, standing, from: begin.seq, to: end.seq, nearestId: begin.id }];
  });
}

/** The cursor for the other direction; null when nothing is there. */
async function findBack(
  reader: DatabaseReader,
  accountId: string,
  {
    after,
    before,
    head,
  }: {
    readonly after: number | undefined;
    readonly before: number | undefined;
    readonly head: number;
  },
): Promise<number | null> {
  if (after !== undefined) {
    const position = Math.min(after, head);
    const edges = await readEdges(reader, accountId, { direction: 'older', position });
    return edges.length > 0 ? position + 1 : null;
  }
  if (before === undefined) return null;
  const edges = await readEdges(reader, accountId, { direction: 'newer', position: before });
  return edges.some(({ id }) => id <= head) ? before - 1 : null;
}
