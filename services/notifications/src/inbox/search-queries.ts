// Queries of a search: where notifications are, group by group, and their texts. Each reads through an
// index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { exceptionFor, inOrder, inPart, isChosen } from './inbox-queries.ts';
import type { Direction, Part } from './inbox-queries.ts';

/** Where a notification is, and what says whether a person has read it. */
export interface PlaceRow {
  readonly id: number;
  readonly seq: number;
  readonly createdAt: number;
  readonly exception: number | null;
  /** 1: an earlier notification of the item is unread. */
  readonly earlierUnread: number;
}

export async function findPlaces(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly PlaceRow[]> {
  const select = sql`
    select
      n.id, n.seq, n.created_at as "createdAt", ${exceptionFor(accountId)}, 0 as "earlierUnread"
    from notifications n`;
  return await inPart<PlaceRow>(reader, part, select);
}

/** As `findPlaces`, of those alone that were marked as unread themselves: found by their marks. */
export async function placesMarkedUnread(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly PlaceRow[]> {
  return await reader.all<PlaceRow>(sql`
    select n.id, n.seq, n.created_at as "createdAt", e.is_read as "exception", 0 as "earlierUnread"
    from read_exceptions e
    join notifications n on n.group_id = e.group_id and n.seq = e.seq
    where e.account_id = ${accountId}
      and e.group_id = ${part.groupId}
      and e.is_read = 0
      and ${isChosen(part)}
      and e.seq >= ${part.from}
      and e.seq <= ${part.to}
    ${inOrder(part, sql`e.seq`)}`);
}

export interface TextRow {
  readonly id: number;
  readonly title: string;
  readonly body: string | null;
}

/** The texts of those of these ids that are there and were not redacted, in no order. */
export async function readTextsById(
  reader: DatabaseReader,
  ids: readonly number[],
): Promise<readonly TextRow[]> {
  return await reader.all<TextRow>(sql`
    select n.id, n.title, n.body
    from notifications n
    where n.id in (${inList(ids)})
      and n.redacted_at is null`);
}

/** The notification of a group that is next to a position. */
export interface EdgeRow {
  readonly groupId: string;
  readonly id: number;
  readonly seq: number;
}

/**
 * For each group of a person that has one: the newest notification at or before a position (`older`), or
 * the oldest at or after it (`newer`).
 */
export async function readEdges(
  reader: DatabaseReader,
  accountId: string,
  { direction, position }: { readonly direction: Direction; readonly position: number },
): Promise<readonly EdgeRow[]> {
  // Compared as pairs: with `group_id = ` PostgreSQL may go through all positions instead, looking for
  // the one row of a quiet group (it looked at 60,002 rows).
  const nearest: Sql =
    direction === 'older'
      ? sql`(e.group_id, e.id) <= (m.group_id, ${position}) order by e.group_id desc, e.id desc`
      : sql`(e.group_id, e.id) >= (m.group_id, ${position}) order by e.group_id, e.id`;
  return await reader.all<EdgeRow>(sql`
    select n.group_id as "groupId", n.id, n.seq
    from members m
    join notifications n on n.id = (
      select e.id
      from notifications e
      where ${nearest}
      limit 1
    )
    where m.account_id = ${accountId}
      and n.group_id = m.group_id`);
}
