// What a person has read. Each change is planned from the stored state and written only if that has not changed, so
// simultaneous changes of several devices leave exact counts. Also counts what is unread.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import { insertSignal, type SignalDetails } from '../feed/signals.ts';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { NotificationStore } from '../store/store.ts';
import {
  findException,
  hasMarkedUnread,
  readSinglyAbove,
  readStandingRows,
} from './inbox-queries.ts';
import type { StandingRow } from './inbox-queries.ts';
import type { ReadState, Unread } from './inbox-schema.ts';
import { getStanding, noSuchNotification } from './list.ts';
import { RUN_MAX, planRead, planReadUpTo, planUnread } from './read-plan.ts';
import type { ReadStanding, ReadStep } from './read-plan.ts';

export interface ReadingDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

/**
 * Marks one notification as read; again changes nothing.
 * @throws Problem `not_found` when there is none, or the person is not in the group
 */
export async function markRead(
  deps: ReadingDeps,
  key: MembershipKey,
  seq: number,
): Promise<ReadState> {
  return await changeReads(deps, key, async (standing) => ({
    step: planRead(...(await singleStanding(deps.store.reader, key, standing, seq))),
    detail: { seq, isRead: true },
  }));
}

/** As `markRead`, the other way round. */
export async function markUnread(
  deps: ReadingDeps,
  key: MembershipKey,
  seq: number,
): Promise<ReadState> {
  return await changeReads(deps, key, async (standing) => ({
    step: planUnread(...(await singleStanding(deps.store.reader, key, standing, seq))),
    detail: { seq, isRead: false },
  }));
}

/**
 * Marks everything up to `upTo` as read; newer notifications do not change.
 * @throws Problem `fields_invalid` above the newest notification, `not_found` as `markRead`
 */
export async function markReadUpTo(
  deps: ReadingDeps,
  key: MembershipKey,
  upTo: number,
): Promise<ReadState> {
  const { reader } = deps.store;
  return await changeReads(deps, key, async (standing) => {
    if (upTo > standing.headSeq) throw aboveHead(standing.headSeq, upTo);
    const readUpTo = standingUpTo(standing);
    const isAhead = upTo > readUpTo;
    const readAbove = isAhead
      ? await readSinglyAbove(reader, key, { above: upTo, limit: RUN_MAX })
      : [];
    const { prunedSeq: above } = standing;
    const hasUnread = !isAhead && (await hasMarkedUnread(reader, key, { above, upTo }));
    return {
      step: planReadUpTo({ readUpTo, readAbove }, { upTo, hasUnread }),
      detail: { upTo },
    };
  });
}

/** How many notifications a person has not read, in each of its groups. */
export async function readUnread(reader: DatabaseReader, accountId: string): Promise<Unread> {
  const rows = await readStandingRows(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  return {
    unread: rows.reduce((sum, row) => sum + row.unread, 0),
    groups: rows.map(({ groupId, name, headSeq, unread }) => ({
      group_id: groupId,
      name,
      head_seq: headSeq,
      unread,
    })),
  };
}

export interface ReadChange {
  readonly step: ReadStep;
  readonly detail: SignalDetails['read'];
  /** More statements of the same change. */
  readonly statements?: readonly Sql[];
}

/** @throws Problem `not_found` when the person is not in the group */
export async function changeReads(
  { store, clock }: ReadingDeps,
  key: MembershipKey,
  plan: (standing: StandingRow) => Promise<ReadChange>,
): Promise<ReadState> {
  await changePlanned(store, async () => {
    const standing = await getStanding(store.reader, key);
    const { step, detail, statements = [] } = await plan(standing);
    if (step.kind === 'nothing') return { result: undefined };
    const signal = insertSignal({ kind: 'read', ...key, detail, at: clock.nowMs() });
    return {
      guard: isAsRead(key, standing),
      statements: [...buildWrites(key, step), ...statements, ...signal],
      result: undefined,
    };
  });
  return toReadState(await getStanding(store.reader, key));
}

/** A guard: the read state is unchanged; somebody who left and joined again is another member. */
function isAsRead({ accountId, groupId }: MembershipKey, standing: StandingRow): Sql {
  return sql`
    select 1
    from members
    where group_id = ${groupId}
      and account_id = ${accountId}
      and read_revision = ${standing.readRevision}
      and read_up_to = ${standing.readUpTo}`;
}

function buildWrites(
  { accountId, groupId }: MembershipKey,
  step: Extract<ReadStep, { kind: 'step' }>,
): readonly Sql[] {
  const exceptions = sql`account_id = ${accountId} and group_id = ${groupId}`;
  const statements = [
    sql`
      update members
      set read_up_to = ${step.readUpTo}, read_revision = read_revision + 1
      where group_id = ${groupId}
        and account_id = ${accountId}`,
    sql`
      delete from read_exceptions
      where ${exceptions}
        and seq <= ${step.readUpTo}
        and is_read = 1`,
  ];
  if (step.forgetUnreadUpTo > 0) {
    statements.push(sql`
      delete from read_exceptions
      where ${exceptions}
        and seq <= ${step.forgetUnreadUpTo}`);
  }
  if (step.forget !== undefined) {
    statements.push(sql`
      delete from read_exceptions
      where ${exceptions}
        and seq = ${step.forget}`);
  }
  if (step.addRead.length > 0) {
    statements.push(sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      select ${accountId}, n.group_id, n.seq, 1
      from notifications n
      where n.group_id = ${groupId}
        and n.seq >= ${Math.min(...step.addRead)}
        and n.seq <= ${Math.max(...step.addRead)}
        and n.seq in (${inList(step.addRead)})`);
  }
  if (step.add !== undefined) {
    const { seq, isRead } = step.add;
    statements.push(sql`
      insert into read_exceptions (account_id, group_id, seq, is_read)
      values (${accountId}, ${groupId}, ${seq}, ${isRead ? 1 : 0})`);
  }
  return statements;
}

/** @throws Problem `not_found` when there is no such notification, or no longer */
async function singleStanding(
  reader: DatabaseReader,
  key: MembershipKey,
  standing: StandingRow,
  seq: number,
): Promise<[ReadStanding, { readonly seq: number; readonly isException: boolean }]> {
  if (seq > standing.headSeq || seq <= standing.prunedSeq) throw noSuchNotification();
  const readUpTo = standingUpTo(standing);
  const exception = await findException(reader, key, seq);
  const readAbove =
    seq === readUpTo + 1 ? await readSinglyAbove(reader, key, { above: seq, limit: RUN_MAX }) : [];
  return [
    { readUpTo, readAbove },
    { seq, isException: exception?.isRead === (seq > readUpTo ? 1 : 0) },
  ];
}

/** What retention has deleted is not unread. */
export function standingUpTo({ readUpTo, prunedSeq }: StandingRow): number {
  return Math.max(readUpTo, prunedSeq);
}

function toReadState(standing: StandingRow): ReadState {
  return {
    group_id: standing.groupId,
    head_seq: standing.headSeq,
    unread: standing.unread,
    read_up_to: standingUpTo(standing),
  };
}

/** @param head the newest seq or position */
export function aboveHead(head: number, upTo: number): Problem {
  return new Problem('fields_invalid', 'Wrong: /up_to is above the newest notification', {
    fields: [{ pointer: '/up_to', code: 'too_large', limit: head, actual: upTo }],
  });
}
