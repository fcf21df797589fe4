// The rule of a group: after how many minutes without an acknowledgement a critical notification is escalated, and to
// which recipients. Owners set it; another group must be one that the same person owns.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { Static } from 'typebox';
import type { Sql } from 'sql-template-tag';
import { findMembership } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import { getGroup } from '../groups/groups.ts';
import { assertOwner, whileOwned, type OwnedGroup } from '../groups/ownership.ts';
import { endKey, planKey, type PlannedKey } from '../keys/keys-for-rules.ts';
import { insertAuditEntry } from '../store/audit.ts';
import type { NotificationStore } from '../store/store.ts';
import { STEPS_MAX } from './limits.ts';
import {
  deleteRule,
  findRule,
  membersAmong,
  readRulePeople,
  readSteps,
  whileMembers,
  whileOwnsToo,
  whileRule,
  whileShort,
  writeRule,
} from './rule-queries.ts';
import type { RuleRow } from './rule-queries.ts';
import type { EscalationSchema } from './schema.ts';

export interface EscalationDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

export type Escalation = Static<typeof EscalationSchema>;

export interface EscalationValues {
  readonly afterMinutes: number;
  /** Ids of accounts. */
  readonly people: readonly string[];
  readonly toGroupId: string | null;
}

/** @throws Problem `not_found`, also for a group without a rule; `owner_only` */
export async function getEscalation(deps: EscalationDeps, owned: OwnedGroup): Promise<Escalation> {
  const found = await findEscalation(deps, owned);
  if (found === undefined) throw noRule();
  return found;
}

/** @throws Problem `not_found`, `owner_only` */
export async function findEscalation(
  { store, clock }: EscalationDeps,
  owned: OwnedGroup,
): Promise<Escalation | undefined> {
  const { reader } = store;
  const { groupId } = owned;
  await assertOwner(reader, owned);
  const rule = await findRule(reader, groupId);
  if (rule === undefined) return undefined;
  const people = await readRulePeople(reader, groupId);
  return {
    after_minutes: rule.afterMinutes,
    people: people.map(({ accountId, name, receivers }) => ({
      account_id: accountId,
      name,
      reachable: receivers > 0,
    })),
    to_group:
      rule.toGroupId === null
        ? null
        : {
            id: rule.toGroupId,
            name: rule.toGroupName ?? '',
            takes_posts: isKeyActive(rule, clock.nowMs()),
          },
    set_by: rule.setBy,
    set_at: instantText(rule.setAt),
  };
}

/**
 * @throws Problem `not_found`, `owner_only`; `fields_invalid` without a recipient, for people who are not in the group
 * and for a group that the person does not own; `conflict` for a chain of groups that is a circle or too long;
 * `limit_reached` when the other group has no room for the key that is posted with
 */
export async function setEscalation(
  deps: EscalationDeps,
  owned: OwnedGroup,
  values: EscalationValues,
): Promise<Escalation> {
  const { store, clock } = deps;
  const { reader } = store;
  const { actor, groupId } = owned;
  const people = [...new Set(values.people)];
  const { afterMinutes, toGroupId } = values;
  await changePlanned(store, async () => {
    await assertOwner(reader, owned);
    if (people.length === 0 && toGroupId === null) throw goesToNobody();
    await assertMembers(reader, { groupId, people });
    const at = clock.nowMs();
    const old = await findRule(reader, groupId);
    const isSameGroup = toGroupId !== null && old?.toGroupId === toGroupId && isKeyActive(old, at);
    const made =
      toGroupId === null || isSameGroup
        ? undefined
        : await makeKey(reader, { ...owned, toGroupId, at });
    return {
      guard: whileOwned(
        { ownerId: actor.accountId, groupId },
        whileMembers(people),
        whileRule(groupId, old),
        ...(made === undefined ? [] : whileMayPost(made, owned)),
      ),
      statements: [
        ...(made?.statements ?? []),
        ...writeRule({
          groupId,
          afterMinutes,
          people,
          toGroupId,
          keyId: made?.keyId ?? (isSameGroup ? (old?.keyId ?? null) : null),
          setBy: actor.name,
          at,
        }),
        insertAuditEntry({
          at,
          actor,
          action: 'escalation_set',
          groupId,
          subject: toGroupId,
          details: { after_minutes: afterMinutes, people: people.length, to_group: toGroupId },
        }),
        ...(old === undefined || isSameGroup ? [] : endRuleKey(old, owned, at)),
      ],
      result: undefined,
    };
  });
  return await getEscalation(deps, owned);
}

/** @throws Problem `not_found`, `owner_only` */
export async function removeEscalation(
  { store, clock }: EscalationDeps,
  owned: OwnedGroup,
): Promise<void> {
  const { actor, groupId } = owned;
  await changePlanned(store, async () => {
    await assertOwner(store.reader, owned);
    const old = await findRule(store.reader, groupId);
    if (old === undefined) throw noRule();
    const at = clock.nowMs();
    return {
      guard: whileOwned({ ownerId: actor.accountId, groupId }, whileRule(groupId, old)),
      statements: [
        ...deleteRule(groupId),
        insertAuditEntry({
          at,
          actor,
          action: 'escalation_removed',
          groupId,
          subject: old.toGroupId,
          details: {},
        }),
        ...endRuleKey(old, owned, at),
      ],
      result: undefined,
    };
  });
}

/**
 * What ends the rule of a group that is deleted, if there is one.
 * @returns `stillSo` is for the guard of the change
 */
export async function planRuleEnd(
  reader: DatabaseReader,
  owned: OwnedGroup,
  at: number,
): Promise<{ readonly stillSo: Sql; readonly statements: readonly Sql[] }> {
  const rule = await findRule(reader, owned.groupId);
  return {
    stillSo: whileRule(owned.groupId, rule),
    statements:
      rule === undefined ? [] : [...deleteRule(owned.groupId), ...endRuleKey(rule, owned, at)],
  };
}

async function makeKey(
  reader: DatabaseReader,
  rule: OwnedGroup & { readonly toGroupId: string; readonly at: number },
): Promise<PlannedKey> {
  const { actor, groupId, toGroupId, at } = rule;
  await assertMayPostInto(reader, rule);
  const { name } = await getGroup(reader, { accountId: actor.accountId ?? '', groupId });
  return await planKey(reader, { actor, groupId: toGroupId, name: `Escalated from ${name}`, at });
}

/** What has to hold still when the key is written. */
function whileMayPost(
  { groupId: toGroupId, whileRoom }: PlannedKey,
  { actor, groupId }: OwnedGroup,
) {
  return [
    whileShort({ groupId, toGroupId }),
    whileOwnsToo({ ownerId: actor.accountId, toGroupId }),
    whileRoom,
  ];
}

async function assertMayPostInto(
  reader: DatabaseReader,
  { actor, groupId, toGroupId }: OwnedGroup & { readonly toGroupId: string },
): Promise<void> {
  const key = { accountId: actor.accountId ?? '', groupId: toGroupId };
  if ((await findMembership(reader, key))?.role !== 'owner') {
    throw wrong('/to_group_id', 'The other group has to be one that you own', 'a group of yours');
  }
  const { steps, isCycle } = await readSteps(reader, { groupId, toGroupId });
  if (isCycle || groupId === toGroupId) {
    throw new Problem('conflict', 'It would come back to this group: choose another group');
  }
  if (steps <= STEPS_MAX) return;
  throw new Problem(
    'conflict',
    `It would go through more than ${STEPS_MAX} groups, each by the rule of the one before`,
  );
}

async function assertMembers(
  reader: DatabaseReader,
  named: { readonly groupId: string; readonly people: readonly string[] },
): Promise<void> {
  const members = await membersAmong(reader, named);
  if (named.people.every((accountId) => members.has(accountId))) return;
  throw wrong('/people', 'Everybody has to be in the group', 'members of the group');
}

/** What was still to be posted with it is not. */
function endRuleKey(rule: RuleRow, { actor }: OwnedGroup, at: number): readonly Sql[] {
  const { keyId, toGroupId: groupId } = rule;
  if (keyId === null || groupId === null || rule.keyRevokedAt !== null) return [];
  return endKey({ actor, groupId, keyId }, at);
}

function isKeyActive(
  { keyId, keyRevokedAt, keyExpiresAt }: Pick<RuleRow, 'keyId' | 'keyRevokedAt' | 'keyExpiresAt'>,
  nowMs: number,
): boolean {
  return keyId !== null && keyRevokedAt === null && (keyExpiresAt ?? Infinity) > nowMs;
}

function goesToNobody(): Problem {
  return wrong('/people', 'Name people of the group, another group, or both', 'somebody');
}

function noRule(): Problem {
  return new Problem('not_found', 'The group has no escalation');
}

function wrong(pointer: string, detail: string, limit: string): Problem {
  return new Problem('fields_invalid', detail, {
    fields: [{ pointer, code: 'wrong_form', limit, actual: null }],
  });
}
