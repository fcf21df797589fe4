// Queries of the start page of a brand that its dashboard does not have. Each query has a limit and reads
// through an index.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { CaseStatus, Severity } from '../../terms.ts';

export interface OpenCaseRow {
  readonly caseNo: string;
  readonly title: string;
  readonly severity: Severity;
  readonly status: CaseStatus;
  /** Notifications that are to be sent, counted up to `countLimit`. */
  readonly toSend: number;
  /** Those that were sent and not answered, with the same limit. */
  readonly unanswered: number;
}

/** Reads the newest open cases of a tenant, newest first, with the counts of notifications that wait. */
export async function openCasesWaiting(
  database: DatabaseReader,
  page: { readonly tenantNo: number; readonly limit: number; readonly countLimit: number },
): Promise<readonly OpenCaseRow[]> {
  const { tenantNo, limit, countLimit } = page;
  return await database.all<OpenCaseRow>(sql`
    select c.case_no as "caseNo", c.title, c.severity, c.status,
      (select count(*) from (
        select 1 as one from recall_notifications n
        where n.case_id = c.case_id and n.status = 'ready'
        limit ${countLimit}
      ) as ready) as "toSend",
      (select count(*) from (
        select 1 as one from recall_notifications n
        where n.case_id = c.case_id and n.status = 'sent'
        limit ${countLimit}
      ) as sent) as unanswered
    from recall_cases c
    where c.tenant_no = ${tenantNo} and c.ended_at is null
    order by -c.case_id
    limit ${limit}`);
}
