// Queries on what belongs together in a group: the notifications of one `dedup_key` up to a resolved one, which
// lists may show as one item, where the newest of them is. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { join, type Sql } from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import { SEVERITIES, type Severity } from '../store/post.ts';
import { exceptionFor, inOrder, type Part } from './inbox-queries.ts';
import { OPEN_COUNT_MAX } from './inbox-schema.ts';
import type { PlaceRow } from './search-queries.ts';

/**
 * Earlier ones that are looked at to say whether all are read. Who reads the newest on a page reads all, so
 * that more are unread only for a program that marks each by itself.
 */
const EARLIER_LOOKED_AT_MAX = 10;

/**
 * Places of items, and of notifications without an item, in the order of the page. Each severity is
 * read through its own part of an index, so that a list of all of them needs no index of its own.
 */
export async function placesOfItems(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly PlaceRow[]> {
  const { groupId, severity, direction, from, to } = part;
  if (from > to) return [];
  const severities = severity === undefined ? SEVERITIES : [severity];
  const begin = (seq: Sql): Sql =>
    direction === 'older' ? sql`${seq} <= ${to}` : sql`${seq} >= ${from}`;
  const lanes = severities.flatMap((one) => [
    sql`
      select alone.*
      from (
        select n.id, n.seq, n.created_at, n.group_id, 0 as first_seq, '' as dedup_key
        from notifications n
        where n.group_id = ${groupId}
          and n.dedup_key is null
          and n.severity = ${one}
          and ${begin(sql`n.seq`)}
        ${inOrder(part, sql`n.seq`)}
      ) alone`,
    sql`
      select together.*
      from (
        select n.id, n.seq, n.created_at, n.group_id, i.first_seq, i.dedup_key
        from occurrences i
        join notifications n on n.group_id = i.group_id and n.seq = i.last_seq
        where i.group_id = ${groupId}
          and i.severity = ${one}
          and ${begin(sql`i.last_seq`)}
        ${inOrder(part, sql`i.last_seq`)}
      ) together`,
  ]);
  const rows = await reader.all<PlaceRow>(sql`
    select
      n.id, n.seq, n.created_at as "createdAt", ${exceptionFor(accountId)},
      ${hasEarlierUnread(accountId)} as "earlierUnread"
    from (
      select lanes.*
      from (${join(lanes, ' union all ')}) lanes
      ${inOrder(part, sql`lanes.seq`)}
    ) n
    ${inOrder(part, sql`n.seq`)}`);
  return rows.filter(({ seq }) => seq >= from && seq <= to);
}

/** Finds the places of `placesOfItems` whose newest notification was marked as unread, by the marks. */
export async function itemsMarkedUnread(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly PlaceRow[]> {
  const chosen = part.severity === undefined ? sql`1 = 1` : sql`n.severity = ${part.severity}`;
  return await reader.all<PlaceRow>(sql`
    select n.id, n.seq, n.created_at as "createdAt", e.is_read as "exception", 0 as "earlierUnread"
    from read_exceptions e
    join notifications n on n.group_id = e.group_id and n.seq = e.seq
    where e.account_id = ${accountId}
      and e.group_id = ${part.groupId}
      and e.is_read = 0
      and e.seq >= ${part.from}
      and e.seq <= ${part.to}
      and ${chosen}
      and (
        n.dedup_key is null
        or exists (
          select 1
          from occurrences i
          where i.group_id = n.group_id and i.severity = n.severity and i.last_seq = n.seq
        )
      )
    ${inOrder(part, sql`e.seq`)}`);
}

/** An expression for queries that have places of items as `n`: 1 when an earlier one is unread, else 0. */
function hasEarlierUnread(accountId: string): Sql {
  return sql`
    case
      when n.first_seq > 0 and n.first_seq < n.seq and exists (
        select 1
        from (
          select o.seq
          from notifications o
          where o.group_id = n.group_id
            and o.dedup_key = n.dedup_key
            and o.seq >= n.first_seq
            and o.seq < n.seq
          order by o.seq desc
          limit ${EARLIER_LOOKED_AT_MAX}
        ) earlier
        where coalesce(
          (
            select x.is_read
            from read_exceptions x
            where
              x.account_id = ${accountId} and x.group_id = n.group_id and x.seq = earlier.seq
          ),
          case
            when earlier.seq <= (
              select r.read_up_to
              from members r
              where r.group_id = n.group_id and r.account_id = ${accountId}
            )
            then 1
            else 0
          end
        ) = 0
      )
      then 1
      else 0
    end`;
}

/** Places of critical ones that wait to be acknowledged. */
export async function placesOfOpen(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly PlaceRow[]> {
  const { groupId, severity, direction, from, to } = part;
  if (from > to || (severity !== undefined && severity !== 'critical')) return [];
  const begin = direction === 'older' ? sql`u.seq <= ${to}` : sql`u.seq >= ${from}`;
  const rows = await reader.all<PlaceRow>(sql`
    select n.id, n.seq, n.created_at as "createdAt", ${exceptionFor(accountId)}, 0 as "earlierUnread"
    from unacknowledged u
    join notifications n on n.group_id = u.group_id and n.seq = u.seq
    where u.group_id = ${groupId}
      and ${begin}
    ${inOrder(part, sql`u.seq`)}`);
  return rows.filter(({ seq }) => seq >= from && seq <= to);
}

/** The place of a notification in its item. */
export interface ItemPlace {
  readonly severity: Severity;
  /** null: a notification without a dedup_key. */
  readonly item: Item | null;
}

/** What belongs together in a group. */
export interface Item {
  readonly dedupKey: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
}

export async function findPlace(
  reader: DatabaseReader,
  { groupId, seq }: { readonly groupId: string; readonly seq: number },
): Promise<ItemPlace | undefined> {
  const row = await reader.first<{ readonly severity: Severity; readonly dedupKey: string | null }>(
    sql`
      select n.severity, n.dedup_key as "dedupKey"
      from notifications n
      where n.group_id = ${groupId}
        and n.seq = ${seq}`,
  );
  if (row === undefined) return undefined;
  const { severity, dedupKey } = row;
  if (dedupKey === null) return { severity, item: null };
  const item = await reader.first<Item>(sql`
    select i.dedup_key as "dedupKey", i.first_seq as "firstSeq", i.last_seq as "lastSeq"
    from occurrences i
    where i.group_id = ${groupId}
      and i.dedup_key = ${dedupKey}
      and i.first_seq <= ${seq}
      and i.last_seq >= ${seq}
    order by i.first_seq desc
    limit 1`);
  return { severity, item: item ?? null };
}

/** Part of those of an item. */
export interface ItemRange {
  readonly groupId: string;
  readonly item: Item;
  /** Only those up to it. */
  readonly upTo: number;
  readonly limit: number;
}

/** For queries that have the notifications as `n`. */
export function isOfItem({ groupId, item, upTo }: Omit<ItemRange, 'limit'>): Sql {
  return sql`
    n.group_id = ${groupId}
    and n.dedup_key = ${item.dedupKey}
    and n.seq >= ${item.firstSeq}
    and n.seq <= ${Math.min(upTo, item.lastSeq)}`;
}

/** The newest ones first. */
export async function readOccurrences(
  reader: DatabaseReader,
  range: ItemRange,
): Promise<readonly { readonly seq: number; readonly severity: Severity }[]> {
  return await reader.all(sql`
    select n.seq, n.severity
    from notifications n
    where ${isOfItem(range)}
    order by n.seq desc
    limit ${range.limit}`);
}

/** The notifications after `above`, the oldest first, and whether each was read individually. */
export async function occurrencesAbove(
  reader: DatabaseReader,
  { accountId }: MembershipKey,
  range: ItemRange & { readonly above: number },
): Promise<readonly { readonly seq: number; readonly isRead: number | null }[]> {
  return await reader.all(sql`
    select
      n.seq,
      (
        select e.is_read
        from read_exceptions e
        where e.account_id = ${accountId} and e.group_id = n.group_id and e.seq = n.seq
      ) as "isRead"
    from notifications n
    where ${isOfItem(range)}
      and n.seq > ${range.above}
    order by n.seq
    limit ${range.limit}`);
}

/** How many wait to be acknowledged in a group of a person, or in all of them. */
export async function countOpen(
  reader: DatabaseReader,
  { accountId, groupId }: { readonly accountId: string; readonly groupId: string | undefined },
): Promise<number> {
  const inGroup = groupId === undefined ? sql`1 = 1` : sql`m.group_id = ${groupId}`;
  const row = await reader.first<{ readonly open: number | null }>(sql`
    select
      cast(
        sum(
          (
            select count(*)
            from (
              select 1
              from unacknowledged u
              where u.group_id = m.group_id
              order by u.seq
              limit ${OPEN_COUNT_MAX}
            ) counted
          )
        ) as bigint
      ) as open
    from members m
    where m.account_id = ${accountId}
      and ${inGroup}`);
  return row?.open ?? 0;
}
