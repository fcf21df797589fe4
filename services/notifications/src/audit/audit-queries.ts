// Reads of the audit.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';
import type { AuditAction } from '../store/audit.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly accountId: string | null;
  readonly actor: string;
  readonly action: AuditAction;
  readonly groupId: string | null;
  readonly subject: string | null;
  /** JSON. */
  readonly details: string;
}

export interface AuditPage {
  /** undefined: of everything. */
  readonly groupId: string | undefined;
  /** Only what is older than this entry. */
  readonly after: number | undefined;
  readonly limit: number;
}

/** The newest first. */
export function auditEntries(
  reader: DatabaseReader,
  { groupId, after, limit }: AuditPage,
): Promise<readonly AuditRow[]> {
  return reader.all<AuditRow>(sql`
    select
      id as "id",
      at as "at",
      account_id as "accountId",
      actor as "actor",
      action as "action",
      group_id as "groupId",
      subject as "subject",
      details as "details"
    from audit
    where id < ${after ?? Number.MAX_SAFE_INTEGER}
      ${groupId === undefined ? empty : sql`and group_id = ${groupId}`}
    order by id desc
    limit ${limit}`);
}
