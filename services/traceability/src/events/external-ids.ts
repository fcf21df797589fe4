// A tenant's events and corrections by their external ids, which are one namespace: for the list's filter,
// for events whose codes are unfit, for corrections that are sent again, and for imported files.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

export interface ExternalIdRow {
  readonly height: number;
  readonly externalId: string;
}

/** A tenant's events that have one of up to IN_LIST_MAX external ids, in any order. */
export async function eventsOfExternalIds(
  database: DatabaseReader,
  asked: { readonly tenantNo: number; readonly externalIds: readonly string[] },
): Promise<readonly ExternalIdRow[]> {
  if (asked.externalIds.length === 0) return [];
  return await database.all<ExternalIdRow>(sql`
    select height, external_id as "externalId"
    from events
    where tenant_no = ${asked.tenantNo} and external_id in (${inList(asked.externalIds)})`);
}

/** A tenant's events and corrections that have one of up to IN_LIST_MAX external ids, in any order. */
export async function blocksOfExternalIds(
  database: DatabaseReader,
  asked: { readonly tenantNo: number; readonly externalIds: readonly string[] },
): Promise<readonly ExternalIdRow[]> {
  if (asked.externalIds.length === 0) return [];
  const corrections = await database.all<ExternalIdRow>(sql`
    select height, external_id as "externalId"
    from corrections
    where tenant_no = ${asked.tenantNo} and external_id in (${inList(asked.externalIds)})`);
  return [...(await eventsOfExternalIds(database, asked)), ...corrections];
}
