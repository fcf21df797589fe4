// A tenant's events by their external ids: for the list's filter, for events whose codes are unfit, and
// for imported files.
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
  of: { readonly tenantNo: number; readonly externalIds: readonly string[] },
): Promise<readonly ExternalIdRow[]> {
  if (of.externalIds.length === 0) return [];
  return await database.all<ExternalIdRow>(sql`
    select height, external_id as "externalId"
    from events
    where tenant_no = ${of.tenantNo} and external_id in (${inList(of.externalIds)})`);
}
