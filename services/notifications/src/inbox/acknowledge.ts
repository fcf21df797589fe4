// Taking up a critical notification: the first who does so is shown to all.
import sql from 'sql-template-tag';
import type { MembershipKey } from '../access/membership.ts';
import type { Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { insertSignal } from '../feed/signals.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { findAcknowledgement } from './inbox-queries.ts';
import type { Notification } from './inbox-schema.ts';
import { getNotification, getStanding, noSuchNotification } from './list.ts';
import type { ReadingDeps } from './read-state.ts';

/**
 * Acknowledges a critical notification, unless somebody has: then that stays as it is.
 * @throws Problem `conflict` when it is not critical; `not_found` when there is none, or the person is
 * not in the group
 */
export async function acknowledge(
  { store, clock }: ReadingDeps,
  of: {
    readonly person: Pick<Person, 'accountId' | 'name'>;
    readonly groupId: string;
    readonly seq: number;
  },
): Promise<Notification> {
  const { person, groupId, seq } = of;
  const { accountId, name } = person;
  const key: MembershipKey = { accountId, groupId };
  await changePlanned(store, async () => {
    await getStanding(store.reader, key);
    const found = await findAcknowledgement(store.reader, { groupId, seq });
    if (found === undefined) throw noSuchNotification();
    if (found.severity !== 'critical') throw notCritical();
    if (found.ackAccountId !== null) return { result: undefined };
    const at = clock.nowMs();
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
          insert into acknowledgements (group_id, seq, account_id, at)
          values (${groupId}, ${seq}, ${accountId}, ${at})`,
        ...insertSignal({ kind: 'ack', groupId, accountId, detail: { seq, name }, at }),
      ],
      result: undefined,
    };
  });
  return await getNotification(store.reader, key, seq);
}

function notCritical(): Problem {
  return new Problem('conflict', 'Only critical notifications are acknowledged');
}
