// Members of a group: who is in it, roles, removing and leaving. A group always keeps an owner, also when
// two of them leave at the same moment.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { empty } from 'sql-template-tag';
import type { Static } from 'typebox';
import { getMembership } from '../access/membership.ts';
import type { Role } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { insertSignal, type SignalDetails } from '../feed/signals.ts';
import { insertAuditEntry, type Actor } from '../store/audit.ts';
import { changePlanned, type Planned } from '@lothub/kit/writer/change-planned';
import type { GroupDeps } from './groups.ts';
import {
  deleteMember,
  findMemberRow,
  hasOtherOwner,
  readMembers,
  stillMember,
  stillOtherOwner,
  updateRole,
} from './member-queries.ts';
import type { MemberKey, MemberRow } from './member-queries.ts';
import type { MemberListSchema, MemberSchema } from './member-schema.ts';
import { assertOwner, whileOwned } from './ownership.ts';

export type Member = Static<typeof MemberSchema>;

/**
 * @param page `accountId` is who asks
 * @throws Problem `not_found` when that is no member
 */
export async function listMembers(
  reader: DatabaseReader,
  page: MemberKey & { readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof MemberListSchema>> {
  const asking = await getMembership(reader, page);
  const { groupId, after, limit } = page;
  const found = await readMembers(reader, { groupId, after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map((row) => memberFrom(row, asking)), next: last?.accountId ?? null };
}

/**
 * One of them, as owners see them.
 * @throws Problem `not_found`, `owner_only`
 */
export async function findMember(
  reader: DatabaseReader,
  member: MemberKey & { readonly actor: Actor },
): Promise<Member> {
  const { actor, groupId, accountId } = member;
  await assertOwner(reader, { actor, groupId });
  return memberFrom(await getMember(reader, member), { accountId, role: 'owner' });
}

/**
 * @param actor an owner; the answer shows what owners see
 * @throws Problem `not_found`, `owner_only`; `conflict` when it would leave the group without an owner
 */
export async function changeRole(
  { store, clock }: GroupDeps,
  actor: Actor,
  { groupId, accountId, role }: MemberKey & { readonly role: Role },
): Promise<Member> {
  return await changePlanned(store, async () => {
    await assertOwner(store.reader, { actor, groupId });
    const member = await getMember(store.reader, { groupId, accountId });
    const result = memberFrom({ ...member, role }, { accountId, role: 'owner' });
    if (member.role === role) return { result };
    const plan = await planWithOwner(store.reader, { actor, groupId, member });
    const at = clock.nowMs();
    return {
      ...plan,
      statements: [
        updateRole({ groupId, accountId }, role),
        insertAuditEntry({
          at,
          actor,
          action: 'member_role_changed',
          groupId,
          subject: accountId,
          details: { role },
        }),
        ...insertMembershipSignal({ groupId, accountId, change: 'role', at }),
      ],
      result,
    };
  });
}

/**
 * Takes somebody out of a group, or leaves it oneself.
 * @throws Problem `not_found`, `owner_only`; `conflict` when it would leave the group without an owner
 */
export async function removeMember(
  { store, clock }: GroupDeps,
  actor: Actor,
  { groupId, accountId }: MemberKey,
): Promise<void> {
  await store.distribute();
  await changePlanned(store, async () => {
    const isLeaving = actor.accountId === accountId;
    if (isLeaving) await getMembership(store.reader, { groupId, accountId });
    else await assertOwner(store.reader, { actor, groupId });
    const member = await getMember(store.reader, { groupId, accountId });
    const plan = await planWithOwner(store.reader, { actor, groupId, member });
    const at = clock.nowMs();
    return {
      ...plan,
      statements: [
        ...deleteMember({ groupId, accountId }, at),
        insertAuditEntry({
          at,
          actor,
          action: 'member_removed',
          groupId,
          subject: accountId,
          details: { name: member.name, left: isLeaving },
        }),
        ...insertMembershipSignal({ groupId, accountId, change: 'removed', at }),
      ],
      result: undefined,
    };
  });
}

/**
 * The guard of a change after which `member` no longer owns the group.
 * @throws Problem `conflict`
 */
async function planWithOwner(
  reader: DatabaseReader,
  {
    actor,
    groupId,
    member,
  }: { readonly actor: Actor; readonly groupId: string; readonly member: MemberRow },
): Promise<Pick<Planned<unknown>, 'guard'>> {
  const key = { groupId, accountId: member.accountId };
  const isOwner = member.role === 'owner';
  if (isOwner && !(await hasOtherOwner(reader, key))) {
    throw new Problem(
      'conflict',
      'A group always has an owner: make somebody else an owner first, or pause the group',
    );
  }
  // Whoever leaves need not own the group.
  const ownerId = actor.accountId === member.accountId ? null : actor.accountId;
  return {
    guard: whileOwned(
      { ownerId, groupId },
      stillMember(key, member.role),
      isOwner ? stillOtherOwner(key) : empty,
    ),
  };
}

/** @throws Problem `not_found` */
async function getMember(reader: DatabaseReader, key: MemberKey): Promise<MemberRow> {
  const member = await findMemberRow(reader, key);
  if (member === undefined) throw new Problem('not_found', 'There is no such member of the group');
  return member;
}

function insertMembershipSignal({
  groupId,
  accountId,
  change,
  at,
}: MemberKey & SignalDetails['membership'] & { readonly at: number }) {
  return insertSignal({ kind: 'membership', groupId, accountId, detail: { change }, at });
}

function memberFrom(
  row: MemberRow,
  asking: { readonly accountId: string; readonly role: Role },
): Member {
  const seesEmail = asking.role === 'owner' || asking.accountId === row.accountId;
  return {
    account_id: row.accountId,
    name: row.name,
    email: seesEmail ? row.email : null,
    role: row.role,
    joined_at: instantText(row.joinedAt),
  };
}
