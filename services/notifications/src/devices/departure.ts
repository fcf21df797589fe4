// The devices, preferences and mutes of a person: exports them, and deletes them with the account.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import type { ExportedRow } from '@lothub/people/places/places';
import type { Sql } from 'sql-template-tag';
import { GROUPS_PER_PERSON_MAX } from '../groups/limits.ts';
import { readDevices, forgetDevices } from './device-queries.ts';
import { DEVICES_MAX } from './devices.ts';
import { readMutes } from './mute.ts';
import { forgetReach, readReach } from './preferences.ts';

/** Exports devices without their keys and without their whole address, which works like a password. */
export async function exportReach(
  reader: DatabaseReader,
  accountId: string,
): Promise<Readonly<Record<string, readonly ExportedRow[]>>> {
  const devices = await readDevices(reader, { accountId, limit: DEVICES_MAX });
  const { quietHours } = await readReach(reader, accountId);
  const mutes = await readMutes(reader, { accountId, limit: GROUPS_PER_PERSON_MAX });
  return {
    devices: devices.map(({ name, endpoint, minSeverity, status, createdAt }) => ({
      name,
      push_service: new URL(endpoint).host,
      min_severity: minSeverity,
      status,
      created_at: instantText(createdAt),
    })),
    quiet_hours: quietHours === null ? [] : [{ ...quietHours }],
    muted_groups: mutes.map(({ groupId, groupName, until }) => ({
      group_id: groupId,
      group: groupName,
      until,
    })),
  };
}

export function forgetAllReach(accountId: string): readonly Sql[] {
  return [forgetDevices(accountId), forgetReach(accountId)];
}
