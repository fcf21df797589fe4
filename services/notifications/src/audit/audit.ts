// What was done in a group and by whom, for its owners; all of it for the operator.
import { instantText } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutPage } from '@lothub/kit/rows/cut-page';
import type { Static } from 'typebox';
import { assertOwner } from '../groups/ownership.ts';
import type { OwnedGroup } from '../groups/ownership.ts';
import { auditEntries } from './audit-queries.ts';
import type { AuditPage, AuditRow } from './audit-queries.ts';
import type { AuditEntrySchema, AuditListSchema } from './audit-schema.ts';

export type AuditEntry = Static<typeof AuditEntrySchema>;
export type AuditList = Static<typeof AuditListSchema>;

/** @throws Problem `not_found`, `owner_only` */
export async function auditOfGroup(
  reader: DatabaseReader,
  page: OwnedGroup & { readonly after?: number | undefined; readonly limit: number },
): Promise<AuditList> {
  await assertOwner(reader, page);
  return await auditPage(reader, { groupId: page.groupId, after: page.after, limit: page.limit });
}

/** For the operator: asks nobody. */
export async function auditPage(reader: DatabaseReader, page: AuditPage): Promise<AuditList> {
  const found = await auditEntries(reader, { ...page, limit: page.limit + 1 });
  const { rows, last } = cutPage(found, page.limit);
  return { items: rows.map(entryFrom), next: last?.id ?? null };
}

function entryFrom(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: instantText(row.at),
    account_id: row.accountId,
    actor: row.actor,
    action: row.action,
    group_id: row.groupId,
    subject: row.subject,
    details: detailsOf(row.details),
  };
}

function detailsOf(json: string): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(json);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
