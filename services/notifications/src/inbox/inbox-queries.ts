// Queries on what one person sees of a group. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import { UNREAD } from '../feed/unread.ts';
import { BELONGING } from '../feed/belonging.ts';
import type { StoredNotification } from '../feed/feed-entry.ts';
import type { Severity } from '../store/post.ts';
import type { MarksRow } from './notification.ts';

export interface StandingRow {
  readonly groupId: string;
  readonly headSeq: number;
  readonly prunedSeq: number;
  /** Position of the newest notification that retention has deleted. */
  readonly prunedPosition: number;
  readonly readUpTo: number;
  readonly readRevision: number;
  readonly unread: number;
}

const STANDING = sql`
  m.group_id as "groupId", h.head_seq as "headSeq", h.pruned_seq as "prunedSeq",
  h.pruned_position as "prunedPosition", m.read_up_to as "readUpTo", m.read_revision as "readRevision", ${UNREAD} as "unread"`;

/** How far a person is in a group; nothing when it is not a member. */
export async function findStanding(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
): Promise<StandingRow | undefined> {
  return await reader.first<StandingRow>(sql`
    select ${STANDING}
    from members m
    join group_heads h on h.group_id = m.group_id
    where m.group_id = ${groupId}
      and m.account_id = ${accountId}`);
}

export interface GroupStandingRow extends StandingRow {
  readonly name: string;
}

/** How far a person is in each of its groups. */
export async function readStandingRows(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly GroupStandingRow[]> {
  return await reader.all<GroupStandingRow>(sql`
    select ${STANDING}, g.name
    from members m
    join group_heads h on h.group_id = m.group_id
    join groups g on g.id = m.group_id
    where m.account_id = ${accountId}
    order by m.group_id
    limit ${limit}`);
}

/** How far a person is in some of its groups. */
export async function standingsIn(
  reader: DatabaseReader,
  { accountId, groupIds }: { readonly accountId: string; readonly groupIds: readonly string[] },
): Promise<readonly GroupStandingRow[]> {
  return await reader.all<GroupStandingRow>(sql`
    select ${STANDING}, g.name
    from members m
    join group_heads h on h.group_id = m.group_id
    join groups g on g.id = m.group_id
    where m.account_id = ${accountId}
      and m.group_id in (${inList(groupIds)})`);
}

/** A notification as one person sees it. */
export type ItemRow = StoredNotification & MarksRow;

/** Part of the notifications of a group, in the order of `direction`. */
export interface Part {
  readonly groupId: string;
  readonly severity: Severity | undefined;
  readonly direction: Direction;
  /** Lowest and highest seq. */
  readonly from: number;
  readonly to: number;
  readonly limit: number;
}

/** `older`: newest first. `newer`: oldest first. */
export type Direction = 'older' | 'newer';

/**
 * What has become of `n`, each by a look-up of its own: joined, a page of some length has PostgreSQL
 * read whole tables.
 */
function marksFor(accountId: string): Sql {
  return sql`
    n.seq,
    (
      select a.account_id from acknowledgements a where a.group_id = n.group_id and a.seq = n.seq
    ) as "ackAccountId",
    (
      select b.name
      from acknowledgements a
      join people.accounts b on b.id = a.account_id
      where a.group_id = n.group_id and a.seq = n.seq
    ) as "ackName",
    (
      select a.at from acknowledgements a where a.group_id = n.group_id and a.seq = n.seq
    ) as "ackAt",
    (
      select a.comment from acknowledgements a where a.group_id = n.group_id and a.seq = n.seq
    ) as "ackComment",
    ${exceptionFor(accountId)}`;
}

export function exceptionFor(accountId: string): Sql {
  return sql`
    (
      select e.is_read
      from read_exceptions e
      where e.account_id = ${accountId} and e.group_id = n.group_id and e.seq = n.seq
    ) as "exception"`;
}

function itemFor(accountId: string): Sql {
  return sql`
    n.id, n.group_id as "groupId", n.title, n.body, n.severity,
    n.url, n.dedup_key as "dedupKey", n.status, n.created_at as "createdAt",
    n.key_id as "keyId", (select k.name from group_keys k where k.id = n.key_id) as "keyName",
    n.account_id as "accountId",
    (select p.name from people.accounts p where p.id = n.account_id) as "accountName",
    n.redacted_at as "redactedAt", ${BELONGING},
    ${marksFor(accountId)}`;
}

export function isChosen({ groupId, severity }: Part): Sql {
  return severity === undefined
    ? sql`n.group_id = ${groupId}`
    : sql`n.group_id = ${groupId} and n.severity = ${severity}`;
}

/**
 * Those of the page that `select` begins, from where it begins on: the limit ends it, and what is beyond
 * the other end is left out here. With both ends in the query SQLite prefers the index of all
 * severities, and goes through a million rows for those that are rare.
 */
export async function inPart<Row extends { readonly seq: number }>(
  reader: DatabaseReader,
  part: Part,
  select: Sql,
): Promise<readonly Row[]> {
  const { direction, from, to } = part;
  if (from > to) return [];
  const begin = direction === 'older' ? sql`n.seq <= ${to}` : sql`n.seq >= ${from}`;
  const rows = await reader.all<Row>(sql`
    ${select}
    where ${isChosen(part)} and ${begin}
    ${inOrder(part, sql`n.seq`)}`);
  return rows.filter(({ seq }) => seq >= from && seq <= to);
}

export function inOrder({ direction, limit }: Part, seq: Sql): Sql {
  return direction === 'older'
    ? sql`order by ${seq} desc limit ${limit}`
    : sql`order by ${seq} limit ${limit}`;
}

export async function readItemRows(
  reader: DatabaseReader,
  accountId: string,
  part: Part,
): Promise<readonly ItemRow[]> {
  const select = sql`select ${itemFor(accountId)} from notifications n`;
  return await inPart<ItemRow>(reader, part, select);
}

export async function findItem(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
  seq: number,
): Promise<ItemRow | undefined> {
  return await reader.first<ItemRow>(sql`
    select ${itemFor(accountId)}
    from notifications n
    where n.group_id = ${groupId}
      and n.seq = ${seq}`);
}

/** @param where the condition, the order and the limit of a query that names them `n` */
export async function itemsWhere(
  reader: DatabaseReader,
  accountId: string,
  where: Sql,
): Promise<readonly ItemRow[]> {
  return await reader.all<ItemRow>(sql`
    select ${itemFor(accountId)}
    from notifications n
    ${where}`);
}

/** Those of these ids that are there, in no order. */
export async function itemsOfIds(
  reader: DatabaseReader,
  accountId: string,
  ids: readonly number[],
): Promise<readonly ItemRow[]> {
  return await reader.all<ItemRow>(sql`
    select ${itemFor(accountId)}
    from notifications n
    where n.id in (${inList(ids)})`);
}

/**
 * What has become of those of these seqs that are there, in no order. They are close to each other: without
 * the range PostgreSQL looks through the whole group until the table is analyzed, 140 ms for 20,000 rows.
 */
export async function marksOfSeqs(
  reader: Pick<DatabaseReader, 'all'>,
  accountId: string,
  { groupId, seqs }: { readonly groupId: string; readonly seqs: readonly number[] },
): Promise<readonly (MarksRow & { readonly readUpTo: number })[]> {
  return await reader.all(sql`
    select ${marksFor(accountId)}, m.read_up_to as "readUpTo"
    from notifications n
    join members m on m.group_id = n.group_id and m.account_id = ${accountId}
    where n.group_id = ${groupId}
      and n.seq >= ${Math.min(...seqs)}
      and n.seq <= ${Math.max(...seqs)}
      and n.seq in (${inList(seqs)})`);
}

/** Whether a notification is read or unread against what `read_up_to` says. */
export async function findException(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
  seq: number,
): Promise<{ readonly isRead: number } | undefined> {
  return await reader.first(sql`
    select is_read as "isRead"
    from read_exceptions
    where account_id = ${accountId}
      and group_id = ${groupId}
      and seq = ${seq}`);
}

/** Seqs above `above` that were read one by one, ascending. */
export async function readSinglyAbove(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
  { above, limit }: { readonly above: number; readonly limit: number },
): Promise<readonly number[]> {
  const rows = await reader.all<{ readonly seq: number }>(sql`
    select seq
    from read_exceptions
    where account_id = ${accountId}
      and group_id = ${groupId}
      and seq > ${above}
      and is_read = 1
    order by seq
    limit ${limit}`);
  return rows.map(({ seq }) => seq);
}

export async function hasMarkedUnread(
  reader: DatabaseReader,
  { accountId, groupId }: MembershipKey,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<boolean> {
  const row = await reader.first(sql`
    select seq
    from read_exceptions
    where account_id = ${accountId}
      and group_id = ${groupId}
      and seq > ${above}
      and seq <= ${upTo}
      and is_read = 0
    limit 1`);
  return row !== undefined;
}

/** Whether a notification can be acknowledged, and who acknowledged it. */
export async function findAcknowledgement(
  reader: DatabaseReader,
  { groupId, seq }: { readonly groupId: string; readonly seq: number },
): Promise<{ readonly severity: Severity; readonly ackAccountId: string | null } | undefined> {
  return await reader.first(sql`
    select n.severity, a.account_id as "ackAccountId"
    from notifications n
    left join acknowledgements a on a.group_id = n.group_id and a.seq = n.seq
    where n.group_id = ${groupId}
      and n.seq = ${seq}`);
}
