// Reads of the audit of people.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { AuditAction } from './audit.ts';

export interface AuditRow {
  readonly id: number;
  readonly at: number;
  readonly accountId: string | null;
  readonly actor: string;
  readonly action: AuditAction;
  /** Text of a place; null: of an account. */
  readonly place: string | null;
  readonly subject: string | null;
  /** JSON. */
  readonly details: string;
}

/**
 * The newest first.
 * @param page `after`: only what is older than this entry
 */
export function auditEntries(
  reader: DatabaseReader,
  page: { readonly after: number | undefined; readonly limit: number },
): Promise<readonly AuditRow[]> {
  return reader.all<AuditRow>(sql`
    select
      id as "id",
      at as "at",
      account_id as "accountId",
      actor as "actor",
      action as "action",
      place as "place",
      subject as "subject",
      details as "details"
    from audit
    where id < ${page.after ?? Number.MAX_SAFE_INTEGER}
    order by id desc
    limit ${page.limit}`);
}
