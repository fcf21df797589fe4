// Groups as places that people are invited into. Owners invite; members lie in the database of this service,
// so a group is entered behind the transaction of people that uses the invitation up.
import { instantText } from '@lothub/kit/clock';
import { present } from '@lothub/kit/present';
import { inList } from '@lothub/kit/in-list';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { groupPlace } from '@lothub/people/places/place';
import type { Acceptance, EnterOutcome, Leaver, PlaceKind } from '@lothub/people/places/places';
import { revokeTokens } from '../../access/access-ends.ts';
import { findMembership } from '../../access/membership.ts';
import { ROLES, type Role } from '../../access/person.ts';
import { Problem } from '../../errors.ts';
import { exportEscalations } from '../../escalation/departure.ts';
import { eraseMail, exportMail } from '../../mail/departure.ts';
import { insertAuditEntry } from '../../store/audit.ts';
import type { NotificationStore } from '../../store/store.ts';
import {
  readFullness,
  nameOfGroup,
  ownersAmong,
  soleOwnedGroup,
  readStays,
  stillEnterable,
  wasEntered,
} from './entering-queries.ts';
import type { GroupDeps } from '../../groups/groups.ts';
import { GROUPS_PER_PERSON_MAX, MEMBERS_PER_GROUP_MAX } from '../../groups/limits.ts';
import { removeMember } from '../../groups/members.ts';
import { insertMember } from '../../groups/new-group.ts';
import { TOKENS_MAX } from '../tokens/tokens.ts';
import { readTokens } from '../tokens/queries.ts';
import { exportReach, forgetAllReach } from '../../devices/departure.ts';
import { assertOwner, whileOwned } from '../../groups/ownership.ts';

type Store = NotificationStore;

export function groupPlaces(deps: GroupDeps): PlaceKind {
  const { store } = deps;
  const { reader } = store;
  return {
    kind: 'group',
    words: { subject: 'A group', inviter: 'an owner' },
    roles: ROLES,
    describe: (groupId) => nameOfGroup(reader, groupId),
    assertMayInvite: (actor, { placeId: groupId }) => assertOwner(reader, { actor, groupId }),
    findInviters: async (groupId, accountIds) => {
      const owners = await findOwners(store, { groupId, accountIds });
      return ({ accountId }) => accountId === null || owners.has(accountId);
    },
    // Whether the owner is one still is asked when somebody uses the link.
    guardMaking: () => [],
    assertRoom: ({ placeId: groupId, accountId }) => assertRoom(store, { groupId, accountId }),
    entering: { kind: 'elsewhere', enter: (acceptance) => enter(store, acceptance) },
    findStays: async (accountId) =>
      (await readStays(reader, { accountId, limit: GROUPS_PER_PERSON_MAX })).map(
        ({ groupId, name, role, joinedAt: since }) => ({
          place: groupPlace(groupId),
          name,
          role,
          since,
        }),
      ),
    leaving: {
      kind: 'elsewhere',
      assertMayLeave: (leaver) => assertMayLeave(store, leaver),
      leave: (leaver) => leaveAll(deps, leaver),
    },
    exportMore: async (accountId) => ({
      read_tokens: (await readTokens(reader, { accountId, limit: TOKENS_MAX })).map(
        ({ name, createdAt, expiresAt, lastUsedAt }) => ({
          name,
          created_at: instantText(createdAt),
          expires_at: expiresAt === null ? null : instantText(expiresAt),
          last_used_at: lastUsedAt === null ? null : instantText(lastUsedAt),
        }),
      ),
      mail: await exportMail(store, accountId),
      ...(await exportReach(reader, accountId)),
      escalations: await exportEscalations(reader, accountId),
    }),
    endAccess: async (accountId, at) => {
      await store.write(revokeTokens(accountId, at));
    },
    note: async ({ action, actor, placeId: groupId, invitationId: subject, role, at }) => {
      const details = action === 'invitation_made' ? { role } : {};
      await store.write([insertAuditEntry({ at, actor, action, groupId, subject, details })]);
    },
  };
}

async function findOwners(
  { reader }: Store,
  { groupId, accountIds }: { readonly groupId: string; readonly accountIds: readonly string[] },
): Promise<ReadonlySet<string>> {
  if (accountIds.length === 0) return new Set();
  const found = await ownersAmong(reader, { groupId, among: inList(accountIds) });
  return new Set(found.map(({ accountId }) => accountId));
}

/** @throws Problem `conflict`, `limit_reached` */
async function assertRoom(
  { reader }: Store,
  { groupId, accountId }: { readonly groupId: string; readonly accountId: string | null },
): Promise<void> {
  const key = { groupId, accountId: accountId ?? '' };
  if ((await findMembership(reader, key)) !== undefined) {
    throw new Problem('conflict', 'You are in the group already; the invitation stays open');
  }
  const { members, groups } = await readFullness(reader, key);
  if (members >= MEMBERS_PER_GROUP_MAX) {
    throw new Problem('limit_reached', `A group has at most ${MEMBERS_PER_GROUP_MAX} members`);
  }
  if (groups >= GROUPS_PER_PERSON_MAX) {
    throw new Problem('limit_reached', `A person is in at most ${GROUPS_PER_PERSON_MAX} groups`);
  }
}

/**
 * The entry of the audit is what says that an invitation was used here: it stays when the person is
 * removed, so that a repeated call does not let somebody in again.
 */
async function enter(store: Store, acceptance: Acceptance): Promise<EnterOutcome> {
  const { invitationId, placeId: groupId, role, invitedBy, person, at } = acceptance;
  const { reader } = store;
  const { accountId, name } = person;
  const key = { groupId, accountId };
  return await changePlanned(store, async (): Promise<Plan> => {
    if (await wasEntered(reader, invitationId)) return { result: 'entered' };
    if ((await findMembership(reader, key)) !== undefined) return { result: 'in_already' };
    if ((await nameOfGroup(reader, groupId)) === undefined) return { result: 'gone' };
    const owners = await findOwners(store, {
      groupId,
      accountIds: invitedBy === null ? [] : [invitedBy],
    });
    if (invitedBy !== null && !owners.has(invitedBy)) return { result: 'gone' };
    const { members, groups } = await readFullness(reader, key);
    const isFull = members >= MEMBERS_PER_GROUP_MAX || groups >= GROUPS_PER_PERSON_MAX;
    if (isFull) return { result: 'full' };
    const ofPerson = { at, actor: person, groupId };
    return {
      guard: whileOwned(
        { ownerId: invitedBy, groupId },
        stillEnterable({
          ...key,
          invitationId,
          membersMax: MEMBERS_PER_GROUP_MAX,
          groupsMax: GROUPS_PER_PERSON_MAX,
        }),
      ),
      statements: [
        insertAuditEntry({
          ...ofPerson,
          action: 'invitation_accepted',
          subject: invitationId,
          details: { role },
        }),
        insertAuditEntry({
          ...ofPerson,
          action: 'member_added',
          subject: accountId,
          details: { name, role },
        }),
        ...insertMember({ groupId, accountId, role: groupRole(role), at }),
      ],
      result: 'entered',
    };
  });
}

type Plan =
  | { readonly result: EnterOutcome }
  | {
      readonly guard: ReturnType<typeof whileOwned>;
      readonly statements: ReturnType<typeof insertMember>;
      readonly result: EnterOutcome;
    };

/** A role that an invitation into a group holds. */
export function groupRole(text: string): Role {
  return present(
    ROLES.find((role) => role === text),
    `the role ${text} of groups`,
  );
}

/** @throws Problem `conflict` when a group would be left without an owner */
async function assertMayLeave({ reader }: Store, { accountId }: Leaver): Promise<void> {
  const group = await soleOwnedGroup(reader, accountId);
  if (group === undefined) return;
  throw new Problem(
    'conflict',
    `The group ${group.name} always has an owner: make somebody else an owner first`,
  );
}

/** Leaves the groups one after the other; a crash in between leaves the person in the others. */
async function leaveAll(deps: GroupDeps, leaver: Leaver): Promise<void> {
  const { accountId, actor, at } = leaver;
  const { store } = deps;
  await assertMayLeave(store, leaver);
  const stays = await readStays(store.reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  for (const { groupId } of stays) await removeMember(deps, actor, { groupId, accountId });
  await store.write([...revokeTokens(accountId, at), ...forgetAllReach(accountId)]);
  await eraseMail(store, accountId);
}
