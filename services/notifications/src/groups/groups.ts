// Groups: making, listing and setting them (docs/interface/notifications.md#groups). Whoever makes a group
// owns it. (Deleting one: duties/delete-group.ts.)
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Static } from 'typebox';
import { noSuchGroup } from '../access/membership.ts';
import { toActor, type Person } from '../access/person.ts';
import { Problem } from '../errors.ts';
import { insertSignal } from '../feed/signals.ts';
import { insertAuditEntry, type Actor, type AuditEntry } from '../store/audit.ts';
import { newId } from '@lothub/kit/secrets/ids';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import type { NotificationStore } from '../store/store.ts';
import {
  countGroups,
  findGroupRow,
  groupSettings,
  readGroups,
  stillSet,
  updateGroup,
  whileGroupsBelow,
} from './group-queries.ts';
import type { GroupRow, GroupSettings } from './group-queries.ts';
import type { GroupListSchema, GroupSchema } from './group-schema.ts';
import { GROUPS_PER_PERSON_MAX } from './limits.ts';
import { insertGroup } from './new-group.ts';
import { assertOwner, whileOwned } from './ownership.ts';

export interface GroupDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

export type Group = Static<typeof GroupSchema>;

export async function listGroups(
  reader: DatabaseReader,
  page: { readonly accountId: string; readonly after?: string | undefined; readonly limit: number },
): Promise<Static<typeof GroupListSchema>> {
  const { accountId, after, limit } = page;
  const found = await readGroups(reader, { accountId, after, limit: limit + 1 });
  const { rows, last } = cutPage(found, limit);
  return { items: rows.map(groupFrom), next: last?.id ?? null };
}

/** @throws Problem `not_found` also for a group that the person is not in */
export async function getGroup(
  reader: DatabaseReader,
  key: { readonly accountId: string; readonly groupId: string },
): Promise<Group> {
  const row = await findGroupRow(reader, key);
  if (row === undefined) throw noSuchGroup();
  return groupFrom(row);
}

/** @throws Problem `limit_reached` */
export async function createGroup(
  { store, clock }: GroupDeps,
  person: Person,
  values: {
    readonly name: string;
    readonly retentionDays?: number | undefined;
    readonly retentionRows?: number | undefined;
  },
): Promise<Group> {
  const { accountId } = person;
  const groupId = newId('grp');
  await changePlanned(store, async () => {
    if ((await countGroups(store.reader, accountId)) >= GROUPS_PER_PERSON_MAX) {
      throw new Problem(
        'limit_reached',
        `A person may be in ${GROUPS_PER_PERSON_MAX} groups: leave one first`,
      );
    }
    return {
      guard: whileGroupsBelow(accountId, GROUPS_PER_PERSON_MAX),
      statements: insertGroup({
        ...values,
        groupId,
        ownerId: accountId,
        actor: toActor(person),
        at: clock.nowMs(),
      }),
      result: undefined,
    };
  });
  return await getGroup(store.reader, { accountId, groupId });
}

/**
 * Sets what is given and leaves the rest, also when somebody else sets another part at the same moment.
 * @throws Problem `not_found`, `owner_only`
 */
export async function changeGroup(
  { store, clock }: GroupDeps,
  { actor, groupId }: { readonly actor: Actor; readonly groupId: string },
  values: { readonly [Name in keyof GroupSettings]?: GroupSettings[Name] | undefined },
): Promise<void> {
  await changePlanned(store, async () => {
    await assertOwner(store.reader, { actor, groupId });
    const row = await groupSettings(store.reader, groupId);
    if (row === undefined) throw noSuchGroup();
    const old = { ...row, paused: row.paused === 1 };
    const wanted: GroupSettings = {
      name: values.name ?? old.name,
      paused: values.paused ?? old.paused,
      retentionDays: values.retentionDays ?? old.retentionDays,
      retentionRows: values.retentionRows ?? old.retentionRows,
    };
    const details = changedParts(old, wanted);
    if (Object.keys(details).length === 0) return { result: undefined };
    const at = clock.nowMs();
    const { name, paused } = wanted;
    const isHeard = name !== old.name || paused !== old.paused;
    return {
      guard: whileOwned({ ownerId: actor.accountId, groupId }, stillSet(old)),
      statements: [
        updateGroup(groupId, wanted),
        insertAuditEntry({
          at,
          actor,
          action: 'group_changed',
          groupId,
          subject: groupId,
          details,
        }),
        ...(isHeard
          ? insertSignal({ kind: 'group', groupId, accountId: null, detail: { name, paused }, at })
          : []),
      ],
      result: undefined,
    };
  });
}

/** For the audit: the settings that change, under the names of the interface. */
function changedParts(old: GroupSettings, wanted: GroupSettings): AuditEntry['details'] {
  return {
    ...(wanted.name === old.name ? {} : { name: wanted.name }),
    ...(wanted.paused === old.paused ? {} : { paused: wanted.paused }),
    ...(wanted.retentionDays === old.retentionDays ? {} : { retention_days: wanted.retentionDays }),
    ...(wanted.retentionRows === old.retentionRows ? {} : { retention_rows: wanted.retentionRows }),
  };
}

function groupFrom(row: GroupRow): Group {
  return {
    id: row.id,
    name: row.name,
    paused: row.paused === 1,
    role: row.role,
    head_seq: row.headSeq,
    unread: row.unread,
    retention_days: row.retentionDays,
    retention_rows: row.retentionRows,
    created_at: instantText(row.createdAt),
  };
}
