// Marking everything of all groups of a person as read, up to a position of the feed.
import { Problem } from '../errors.ts';
import { readFeedPosition } from '../feed/feed-queries.ts';
import type { Unread } from './inbox-schema.ts';
import { readEdges } from './search-queries.ts';
import { aboveHead, markReadUpTo, readUnread, type ReadingDeps } from './read-state.ts';

/**
 * Marks everything at or before the position as read, and nothing after it. After a crash some groups may be
 * unmarked; a retry marks them.
 * @throws Problem `fields_invalid` above the newest position
 */
export async function markAllReadUpTo(
  deps: ReadingDeps,
  accountId: string,
  upTo: number,
): Promise<Unread> {
  const { reader } = deps.store;
  const head = await readFeedPosition(reader);
  if (upTo > head) throw aboveHead(head, upTo);
  const { groups } = await readUnread(reader, accountId);
  const unread = new Set(groups.flatMap((one) => (one.unread > 0 ? [one.group_id] : [])));
  for (const edge of await readEdges(reader, accountId, { direction: 'older', position: upTo })) {
    const { groupId, seq } = edge;
    if (!unread.has(groupId)) continue;
    try {
      await markReadUpTo(deps, { accountId, groupId }, seq);
    } catch (error) {
      // A group that the person has just left no longer counts.
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    }
  }
  return await readUnread(reader, accountId);
}
