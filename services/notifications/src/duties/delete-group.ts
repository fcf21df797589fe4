// Deleting a group: at once for everybody, and for good. Its id is never given again, and the audit keeps that it was.
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { noSuchGroup } from '../access/membership.ts';
import { Problem } from '../errors.ts';
import { planRuleEnd } from '../escalation/rules.ts';
import { insertSignal } from '../feed/signals.ts';
import { assertOwner, whileOwned, type OwnedGroup } from '../groups/ownership.ts';
import { insertAuditEntry } from '../store/audit.ts';
import { endGroup, findDeletable, whileDeletable } from './group-queries.ts';
import type { DutyDeps } from './redact.ts';

export interface GroupDeletion {
  /** The name of the group, as a confirmation. */
  readonly name: string;
  /** False: the owner confirms that no export is needed. */
  readonly isExportWanted: boolean;
}

/**
 * @throws Problem `not_found`, `owner_only`; `fields_invalid` for another name; `conflict` when something came since
 * it was exported
 */
export async function deleteGroup(
  { store, clock }: DutyDeps,
  owned: OwnedGroup,
  { name, isExportWanted }: GroupDeletion,
): Promise<void> {
  const { actor, groupId } = owned;
  await changePlanned(store, async () => {
    await assertOwner(store.reader, owned);
    const group = await findDeletable(store.reader, groupId);
    if (group === undefined) throw noSuchGroup();
    if (group.name !== name) throw wrongName();
    if (isExportWanted && group.exportedSeq < group.headSeq) throw notExported();
    const at = clock.nowMs();
    const rule = await planRuleEnd(store.reader, owned, at);
    return {
      guard: whileOwned(
        { ownerId: actor.accountId, groupId },
        whileDeletable({ name, isExportWanted }),
        rule.stillSo,
      ),
      statements: [
        ...(store.erasedBytes?.note ?? []),
        insertAuditEntry({
          at,
          actor,
          action: 'group_deleted',
          groupId,
          subject: groupId,
          details: { name, notifications: group.headSeq, exported: isExportWanted },
        }),
        ...rule.statements,
        ...endGroup(groupId, at),
        // For processes that know its keys.
        ...insertSignal({
          kind: 'group',
          groupId,
          accountId: null,
          detail: { name: '', paused: true },
          at,
        }),
      ],
      result: undefined,
    };
  });
}

function wrongName(): Problem {
  return new Problem('fields_invalid', 'The group is called otherwise', {
    fields: [
      { pointer: '/name', code: 'wrong_form', limit: 'the name of the group', actual: null },
    ],
  });
}

function notExported(): Problem {
  return new Problem(
    'conflict',
    'Something came since the last export, or there was none: export the group first, or say that no ' +
      'export is wanted',
  );
}
