// Reading what belongs together: marking one marks all of them, as a page shows them as one.
import { nextTurn } from '@lothub/kit/in-turns';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { DatabaseReader } from '@lothub/kit/database';
import type { MembershipKey } from '../access/membership.ts';
import type { ReadState } from './inbox-schema.ts';
import { readSinglyAbove, type StandingRow } from './inbox-queries.ts';
import { findPlace, isOfItem, occurrencesAbove } from './item-queries.ts';
import type { ItemPlace, ItemRange } from './item-queries.ts';
import { getStanding, noSuchNotification } from './list.ts';
import { RUN_MAX, planReadTogether } from './read-plan.ts';
import { changeReads, markRead, markUnread, standingUpTo } from './read-state.ts';
import type { ReadChange, ReadingDeps } from './read-state.ts';

/** Marked in one transaction, so that no post waits for long. */
const SLICE_ROWS = 500;
/** One call marks at most SLICE_ROWS times it; the same call again marks the rest. */
const SLICES_MAX = 100;

/**
 * Marks one, and all before it that it belongs together with, as read. What came after it stays unread.
 * A crash in between leaves the later ones unread; doing it again marks them.
 * @throws Problem `not_found` when there is none, or the person is not in the group
 */
export async function markItemRead(
  deps: ReadingDeps,
  key: MembershipKey,
  seq: number,
): Promise<ReadState> {
  const { item } = await getPlace(deps.store.reader, key, seq);
  if (item === null) return await markRead(deps, key, seq);
  const range = { groupId: key.groupId, item, upTo: seq, limit: SLICE_ROWS };
  let above = 0;
  for (let slice = 1; ; slice += 1) {
    let last = seq;
    const state = await changeReads(deps, key, async (standing) => {
      const planned = await planSlice(deps.store.reader, key, { standing, range, above });
      last = planned.last;
      return planned.change;
    });
    if (last >= seq || slice === SLICES_MAX) return state;
    above = last;
    await nextTurn();
  }
}

/**
 * Marks the newest of those that one belongs together with as unread, and so the item.
 * @throws Problem `not_found` as `markItemRead`
 */
export async function markItemUnread(
  deps: ReadingDeps,
  key: MembershipKey,
  seq: number,
): Promise<ReadState> {
  const { reader } = deps.store;
  const { item } = await getPlace(reader, key, seq);
  return await markUnread(deps, key, item?.lastSeq ?? seq);
}

/** @throws Problem `not_found` */
export async function getPlace(
  reader: DatabaseReader,
  key: MembershipKey,
  seq: number,
): Promise<ItemPlace> {
  await getStanding(reader, key);
  const place = await findPlace(reader, { groupId: key.groupId, seq });
  if (place === undefined) throw noSuchNotification();
  return place;
}

async function planSlice(
  reader: DatabaseReader,
  key: MembershipKey,
  {
    standing,
    range,
    above,
  }: {
    readonly standing: StandingRow;
    readonly range: ItemRange;
    readonly above: number;
  },
): Promise<{ readonly change: ReadChange; readonly last: number }> {
  const { item, upTo } = range;
  const { firstSeq } = item;
  const readUpTo = standingUpTo(standing);
  const rows = await occurrencesAbove(reader, key, { ...range, above: Math.max(above, readUpTo) });
  const last = rows.length < range.limit ? upTo : (rows.at(-1)?.seq ?? upTo);
  const readAbove = await readSinglyAbove(reader, key, { above: readUpTo, limit: RUN_MAX });
  const seqs = rows.filter(({ isRead }) => isRead !== 1).map((row) => row.seq);
  const marked = sql`
    account_id = ${key.accountId}
    and group_id = ${key.groupId}
    and is_read = 0
    and seq >= ${firstSeq}
    and seq <= ${upTo}
    and exists (
      select 1
      from notifications n
      where ${isOfItem(range)}
        and n.seq = read_exceptions.seq
    )`;
  const step = planReadTogether(
    { readUpTo, readAbove },
    { seqs, hasUnread: await hasAny(reader, marked) },
  );
  return {
    last,
    change: {
      step,
      detail: { seq: last, isRead: true, firstSeq },
      statements: [sql`delete from read_exceptions where ${marked}`],
    },
  };
}

async function hasAny(reader: DatabaseReader, marked: Sql): Promise<boolean> {
  return (
    (await reader.first(sql`select 1 as found from read_exceptions where ${marked} limit 1`)) !==
    undefined
  );
}
