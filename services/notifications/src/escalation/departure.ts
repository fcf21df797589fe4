// The escalation rules that name a person, for the export of an account: the groups whose critical ones go to the person.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ExportedRow } from '@lothub/people/places/places';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { readRulesOfPerson } from './rule-queries.ts';

export async function exportEscalations(
  reader: DatabaseReader,
  accountId: string,
): Promise<readonly ExportedRow[]> {
  const rules = await readRulesOfPerson(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  return rules.map(({ groupId, groupName, afterMinutes }) => ({
    group_id: groupId,
    group: groupName,
    after_minutes: afterMinutes,
  }));
}
