// Taking up a critical notification: the first who does so is shown to all, with what was said to it.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import type { Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { insertSignal } from '../feed/signals.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { findAcknowledgement } from './inbox-queries.ts';
import type { Notification } from './inbox-schema.ts';
import { isOfItem, readOccurrences, type Item, type ItemRange } from './item-queries.ts';
import { getNotification, getStanding, noSuchNotification } from './list.ts';
import { getPlace } from './read-item.ts';
import type { ReadingDeps } from './read-state.ts';

/**
 * Maximum number of notifications of an item that are acknowledged with one, the newest first. Older ones were
 * escalated long ago, and no list needs them.
 */
const TOGETHER_MAX = 500;

export interface Acknowledging {
  readonly person: Pick<Person, 'accountId' | 'name'>;
  readonly groupId: string;
  readonly seq: number;
  /** What is said to it; blank: nothing. */
  readonly comment?: string | undefined;
}

/**
 * Acknowledges a critical notification, unless somebody has: then that stays as it is.
 * @throws Problem `conflict` when it is not critical; `not_found` when there is none, or the person is
 * not in the group
 */
export async function acknowledge(
  deps: ReadingDeps,
  acknowledging: Acknowledging,
): Promise<Notification> {
  return await acknowledgeOne(deps, acknowledging, undefined);
}

/**
 * Acknowledges the newest critical one of those that a notification belongs together with, up to it; the
 * earlier ones count as acknowledged with it. A later one has to be acknowledged again.
 * @throws Problem as `acknowledge`
 */
export async function acknowledgeItem(
  deps: ReadingDeps,
  acknowledging: Acknowledging,
): Promise<Notification> {
  const { reader } = deps.store;
  const { groupId, seq, person } = acknowledging;
  const key = { accountId: person.accountId, groupId };
  const { item } = await getPlace(reader, key, seq);
  if (item === null) return await acknowledge(deps, acknowledging);
  const range = { groupId, item, upTo: seq, limit: TOGETHER_MAX };
  const newest = (await readOccurrences(reader, range)).find((one) => one.severity === 'critical');
  if (newest === undefined) throw notCritical();
  return await acknowledgeOne(deps, { ...acknowledging, seq: newest.seq }, item);
}

/** @param item what is acknowledged with it, up to it; undefined: nothing */
async function acknowledgeOne(
  { store, clock }: ReadingDeps,
  { person, groupId, seq, comment = '' }: Acknowledging,
  item: Item | undefined,
): Promise<Notification> {
  const { accountId, name } = person;
  const key: MembershipKey = { accountId, groupId };
  const said = comment.trim() === '' ? null : comment;
  await changePlanned(store, async () => {
    await getStanding(store.reader, key);
    const found = await findAcknowledgement(store.reader, { groupId, seq });
    if (found === undefined) throw noSuchNotification();
    if (found.severity !== 'critical') throw notCritical();
    if (found.ackAccountId !== null) return { result: undefined };
    const at = clock.nowMs();
    const detail = {
      ...{ seq, name },
      ...(said === null ? {} : { comment: said }),
      ...(item === undefined ? {} : { firstSeq: item.firstSeq }),
    };
    return {
      guard: sql`
        select 1
        from notifications n
        join members m on m.group_id = n.group_id
        where n.group_id = ${groupId}
          and n.seq = ${seq}
          and m.account_id = ${accountId}
          and not exists (
            select 1
            from acknowledgements a
            where a.group_id = n.group_id
              and a.seq = n.seq
          )`,
      statements: [
        sql`
          insert into acknowledgements (group_id, seq, account_id, at, comment)
          values (${groupId}, ${seq}, ${accountId}, ${at}, ${said})`,
        sql`
          delete from unacknowledged
          where group_id = ${groupId}
            and seq = ${seq}`,
        ...(item === undefined
          ? []
          : [
              insertEarlier(
                { groupId, item, upTo: seq - 1, limit: TOGETHER_MAX },
                { accountId, at },
              ),
            ]),
        ...insertSignal({ kind: 'ack', groupId, accountId, detail, at }),
      ],
      result: undefined,
    };
  });
  return await getNotification(store.reader, key, seq);
}

function insertEarlier(
  range: ItemRange,
  { accountId, at }: { readonly accountId: string; readonly at: number },
): Sql {
  return sql`
    insert into acknowledgements (group_id, seq, account_id, at)
    select earlier.group_id, earlier.seq, ${accountId}, cast(${at} as bigint)
    from (
      select n.group_id, n.seq, n.severity
      from notifications n
      where ${isOfItem(range)}
      order by n.seq desc
      limit ${range.limit}
    ) earlier
    where earlier.severity = 'critical'
      and not exists (
        select 1
        from acknowledgements a
        where a.group_id = earlier.group_id
          and a.seq = earlier.seq
      )`;
}

function notCritical(): Problem {
  return new Problem('conflict', 'Only critical notifications are acknowledged');
}
