// The numbers of all open notices, in ranges: for lists of the whole, such as sitemaps.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { IS_PUBLIC_CASE } from './queries.ts';

export interface OpenCaseNumber {
  readonly caseNo: string;
  readonly updatedAt: string;
}

/** The highest id of an open notice; 0 without one. */
export async function newestOpenCaseId(database: DatabaseReader): Promise<number> {
  const [row] = await database.all<{ readonly newest: number | null }>(sql`
    select max(c.case_id) as newest
    from recall_cases c
    where c.ended_at is null and ${IS_PUBLIC_CASE}`);
  return Number(row?.newest ?? 0);
}

/** Open notices whose ids are above one and up to another, the newest first. */
export async function openCasesBetween(
  database: DatabaseReader,
  { above, upTo }: { readonly above: number; readonly upTo: number },
): Promise<readonly OpenCaseNumber[]> {
  return await database.all<OpenCaseNumber>(sql`
    select c.case_no as "caseNo", c.updated_at as "updatedAt"
    from recall_cases c
    where c.ended_at is null and ${IS_PUBLIC_CASE} and c.case_id > ${above} and c.case_id <= ${upTo}
    order by c.case_id desc`);
}
