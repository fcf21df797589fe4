// Pages of the feed by position: all entries for the follower, and the entries of one reader for a stream
// that catches up.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import type { FeedEntry, Signal, SignalEntry, StoredNotification } from './feed-entry.ts';
import { BELONGING } from './belonging.ts';
import type { SignalKind } from './signals.ts';

/** Entries that one page of a reader may aim at. */
export const READER_PAGE_ENTRIES_MAX = 250;
/** Entries of each of several groups: with fewer a page would soon wait for the busiest of them. */
const GROUP_ENTRIES_MIN = 50;
/**
 * So many groups are read each through its own part of an index. Each of more of them would come on by a
 * few entries a page, and wait for the busiest: with 200, a page took 12 ms and had eight entries.
 */
const FEW_GROUPS = 8;
/** Positions that are looked through at once for what concerns more groups. */
const WINDOW_POSITIONS = 2_000;

/** The newest position of the feed, from which live readers start. */
export async function readFeedPosition(reader: Pick<DatabaseReader, 'first'>): Promise<number> {
  const head = await reader.first<{ readonly position: number }>(sql`
    select position
    from feed_head
    where id = 1`);
  if (head === undefined) throw new Error('the feed has no head: restore a backup');
  return head.position;
}

/** All entries after a position, in their order. */
export async function readFeed(
  reader: Pick<DatabaseReader, 'all'>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly FeedEntry[]> {
  // One statement reads one snapshot: with two, entries that were committed in between would be skipped.
  const rows = await reader.all<StoredNotification & SignalColumns>(sql`
    select
      n.id as "position", 'notification' as "kind", ${NOTIFICATION_COLUMNS}, null as "detail"
    from (
      select ${NOTIFICATION_NAMES}
      from notifications
      where id > ${after}
      order by id
      limit ${limit}
    ) n
    left join group_keys k on k.id = n.key_id
    left join people.accounts a on a.id = n.account_id
    union all
    select
      s.position, s.kind, 0, s.group_id, 0, '', null, '', null, null, null, s.at, null, null,
      s.account_id, null, null, null, null, null, s.detail
    from (
      select ${SIGNAL_NAMES}
      from signals
      where position > ${after}
      order by position
      limit ${limit}
    ) s
    order by 1
    limit ${limit}`);
  return rows.map((row) =>
    row.kind === 'notification' ? notificationEntry(row) : signalEntry(row),
  );
}

/** Signals alone after a position, and how far the feed is known by that. */
export async function readSignals(
  reader: Pick<DatabaseReader, 'all'>,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<{ readonly entries: readonly SignalEntry[]; readonly position: number }> {
  const rows = await reader.all<Partial<SignalColumns> & { readonly head: number }>(sql`
    select
      h.position as "head",
      s.position as "position", s.kind as "kind", s.group_id as "groupId",
      s.account_id as "accountId", s.detail as "detail", s.at as "createdAt"
    from feed_head h
    left join (
      select ${SIGNAL_NAMES}
      from signals
      where position > ${after}
      order by position
      limit ${limit}
    ) s on 1 = 1
    where h.id = 1
    order by s.position`);
  const entries = rows.filter((row) => isSignal(row)).map((row) => signalEntry(row));
  const position = entries.length < limit ? rows[0]?.head : entries.at(-1)?.position;
  return { entries, position: position ?? after };
}

/** The groups and the person whose entries one reader gets. */
export interface ReaderScope {
  /** At most as many as one list in a query holds. */
  readonly groupIds: readonly string[];
  readonly accountId: string;
}

export interface ReaderPage {
  /** Notifications of these groups, and signals to these groups and this person, in order. */
  readonly entries: readonly FeedEntry[];
  /** All of them up to it are in `entries`; `upTo` when there are no more. */
  readonly position: number;
}

/**
 * The next page for a reader.
 * @param range `upTo` is a position that the follower has reached: everything up to it can be read;
 * `entries` is what the page aims at, up to READER_PAGE_ENTRIES_MAX
 */
export async function readForReader(
  reader: DatabaseReader,
  scope: ReaderScope,
  range: { readonly after: number; readonly upTo: number; readonly entries?: number },
): Promise<ReaderPage> {
  const { after, upTo, entries = READER_PAGE_ENTRIES_MAX } = range;
  const { groupIds } = scope;
  if (groupIds.length <= FEW_GROUPS) {
    const share = Math.ceil(entries / Math.max(1, groupIds.length));
    const limit = Math.min(entries, Math.max(share, GROUP_ENTRIES_MIN));
    return await readPart(reader, scope, { after, upTo, limit });
  }
  const windowEnd = Math.min(upTo, after + WINDOW_POSITIONS);
  const page = await readPart(reader, scope, { after, upTo: windowEnd, limit: entries });
  if (page.entries.length > 0 || page.position === upTo) return page;
  const next = await findNextPosition(reader, scope, page.position);
  return { entries: [], position: Math.min(upTo, (next ?? Infinity) - 1) };
}

async function readPart(
  reader: DatabaseReader,
  { groupIds, accountId }: ReaderScope,
  part: Part,
): Promise<ReaderPage> {
  const isFew = groupIds.length <= FEW_GROUPS;
  const parts = await askTogether(reader, (one) =>
    Promise.all([
      (isFew ? notificationsOfEach : notificationsOfAny)(one, groupIds, part),
      (isFew ? signalsOfEach : signalsOfAny)(one, groupIds, part),
      readsOfPerson(one, accountId, part),
    ]),
  );
  const lists = parts.flat();
  // A list that was cut off says nothing about entries after its end.
  const cutOff = lists.filter((list) => list.length >= part.limit);
  const ends = cutOff.map((list) => list.at(-1)?.position ?? part.upTo);
  const position = Math.min(part.upTo, ...ends);
  const entries = lists
    .flat()
    .filter((entry) => entry.position <= position && isForReaders(entry))
    .sort((one, other) => one.position - other.position);
  return { entries, position };
}

/** The position of the reader's first entry after a position. */
async function findNextPosition(
  reader: Pick<DatabaseReader, 'first'>,
  { groupIds, accountId }: ReaderScope,
  after: number,
): Promise<number | undefined> {
  const row = await reader.first<{ readonly position: number | null }>(sql`
    select min(position) as position
    from (
      select (
        select n.id
        from notifications n
        where n.group_id = g.id and n.id > ${after}
        order by n.id
        limit 1
      ) as position
      from groups g
      where g.id in (${inList(groupIds)})
      union all
      select (
        select s.position
        from signals s
        where s.group_id = g.id and s.kind <> 'read' and s.position > ${after}
        order by s.position
        limit 1
      )
      from groups g
      where g.id in (${inList(groupIds)})
      union all
      select min(r.position)
      from signals r
      where r.account_id = ${accountId} and r.kind = 'read' and r.position > ${after}
    ) firsts`);
  return row?.position ?? undefined;
}

interface Part {
  readonly after: number;
  readonly upTo: number;
  readonly limit: number;
}

/** Each group through its own part of an index: one list a group. */
async function notificationsOfEach(
  reader: Pick<DatabaseReader, 'all'>,
  groupIds: readonly string[],
  { after, upTo, limit }: Part,
): Promise<readonly (readonly FeedEntry[])[]> {
  if (groupIds.length === 0) return [];
  const selects = padded(groupIds).map(
    (groupId) => sql`
      select ${NOTIFICATION_NAMES}
      from (
        select ${NOTIFICATION_NAMES}
        from notifications
        where group_id = ${groupId} and id > ${after} and id <= ${upTo}
        order by id
        limit ${limit}
      ) part`,
  );
  const rows = await reader.all<StoredNotification>(sql`
    select ${NOTIFICATION_COLUMNS}
    from (${join(selects, ' union all ')}) n
    left join group_keys k on k.id = n.key_id
    left join people.accounts a on a.id = n.account_id
    order by n.id`);
  return byGroup(rows.map(notificationEntry), ({ notification }) => notification.groupId);
}

async function signalsOfEach(
  reader: Pick<DatabaseReader, 'all'>,
  groupIds: readonly string[],
  { after, upTo, limit }: Part,
): Promise<readonly (readonly FeedEntry[])[]> {
  if (groupIds.length === 0) return [];
  const selects = padded(groupIds).map(
    (groupId) => sql`
      select ${SIGNAL_NAMES}
      from (
        select ${SIGNAL_NAMES}
        from signals
        where
          group_id = ${groupId} and kind <> 'read' and position > ${after} and position <= ${upTo}
        order by position
        limit ${limit}
      ) part`,
  );
  const rows = await reader.all<SignalColumns>(sql`
    select ${SIGNAL_COLUMNS}
    from (${join(selects, ' union all ')}) s
    order by s.position`);
  return byGroup(rows.map(signalEntry), ({ signal }) => signal.groupId ?? '');
}

/** In one list. */
async function notificationsOfAny(
  reader: Pick<DatabaseReader, 'all'>,
  groupIds: readonly string[],
  { after, upTo, limit }: Part,
): Promise<readonly (readonly FeedEntry[])[]> {
  const rows = await reader.all<StoredNotification>(sql`
    select ${NOTIFICATION_COLUMNS}
    from notifications n
    left join group_keys k on k.id = n.key_id
    left join people.accounts a on a.id = n.account_id
    where n.id > ${after} and n.id <= ${upTo} and n.group_id in (${inList(groupIds)})
    order by n.id
    limit ${limit}`);
  return [rows.map(notificationEntry)];
}

async function signalsOfAny(
  reader: Pick<DatabaseReader, 'all'>,
  groupIds: readonly string[],
  { after, upTo, limit }: Part,
): Promise<readonly (readonly FeedEntry[])[]> {
  const rows = await reader.all<SignalColumns>(sql`
    select ${SIGNAL_COLUMNS}
    from signals s
    where
      s.position > ${after} and s.position <= ${upTo} and s.kind <> 'read'
      and s.group_id in (${inList(groupIds)})
    order by s.position
    limit ${limit}`);
  return [rows.map(signalEntry)];
}

async function readsOfPerson(
  reader: Pick<DatabaseReader, 'all'>,
  accountId: string,
  { after, upTo, limit }: Part,
): Promise<readonly (readonly FeedEntry[])[]> {
  const rows = await reader.all<SignalColumns>(sql`
    select ${SIGNAL_COLUMNS}
    from signals s
    where
      s.account_id = ${accountId} and s.kind = 'read'
      and s.position > ${after} and s.position <= ${upTo}
    order by s.position
    limit ${limit}`);
  return [rows.map(signalEntry)];
}

const NOTIFICATION_NAMES: Sql = sql`
  id, group_id, seq, title, body, severity, url, dedup_key, status, created_at, key_id, account_id,
  redacted_at`;

const SIGNAL_NAMES: Sql = sql`position, kind, group_id, account_id, detail, at`;

const NOTIFICATION_COLUMNS: Sql = sql`
  n.id as "id", n.group_id as "groupId", n.seq as "seq", n.title as "title", n.body as "body",
  n.severity as "severity", n.url as "url", n.dedup_key as "dedupKey", n.status as "status",
  n.created_at as "createdAt", n.key_id as "keyId", k.name as "keyName",
  n.account_id as "accountId", a.name as "accountName", n.redacted_at as "redactedAt",
  ${BELONGING}`;

const SIGNAL_COLUMNS: Sql = sql`
  s.position as "position", s.kind as "kind", s.group_id as "groupId",
  s.account_id as "accountId", s.detail as "detail", s.at as "createdAt"`;

interface SignalColumns {
  readonly position: number;
  readonly kind: SignalKind | 'notification';
  readonly groupId: string | null;
  readonly accountId: string | null;
  /** JSON. */
  readonly detail: string;
  readonly createdAt: number;
}

function isSignal(row: Partial<SignalColumns>): row is SignalColumns {
  return typeof row.position === 'number';
}

function notificationEntry(row: StoredNotification): Extract<FeedEntry, { kind: 'notification' }> {
  const { id, groupId, seq, title, body, severity, url, dedupKey, status, createdAt } = row;
  const { keyId, keyName, accountId, accountName } = row;
  const { firstSeq, firstAt, count, redactedAt } = row;
  const content = { title, body, severity, url, dedupKey, status };
  const sender = { keyId, keyName, accountId, accountName };
  const belonging = { firstSeq, firstAt, count, redactedAt };
  const notification = { id, groupId, seq, ...content, createdAt, ...sender, ...belonging };
  return { kind: 'notification', position: id, notification };
}

function signalEntry(row: SignalColumns): SignalEntry {
  const { position, kind, groupId, accountId, detail, createdAt: at } = row;
  const signal = { kind, groupId, accountId, detail: JSON.parse(detail) as unknown, at } as Signal;
  return { kind: 'signal', position, signal };
}

/** Signals about keys and credentials are for the service alone. */
function isForReaders(entry: FeedEntry): boolean {
  return entry.kind === 'notification' || !['key', 'access'].includes(entry.signal.kind);
}

function byGroup<Entry extends FeedEntry>(
  entries: readonly Entry[],
  getGroup: (entry: Entry) => string,
): readonly (readonly Entry[])[] {
  return [...Map.groupBy(entries, getGroup).values()];
}

/** Up to the next power of two, with what no group is called: so few texts of a query are enough. */
function padded(groupIds: readonly string[]): readonly string[] {
  const length = 2 ** Math.ceil(Math.log2(groupIds.length));
  return [...groupIds, ...new Array<string>(length - groupIds.length).fill('')];
}
