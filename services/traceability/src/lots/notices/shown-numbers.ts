// The numbers of all recalls that are shown, in ranges: for lists of the whole, such as sitemaps.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { CANCELLED } from '../../terms.ts';
import { IS_PUBLIC_CASE } from './queries.ts';

export interface ShownCaseNumber {
  readonly caseNo: string;
  readonly updatedAt: string;
}

/** The highest id of a recall that is open, or was closed since an instant; 0 without one. */
export async function newestShownCaseId(
  database: DatabaseReader,
  closedSince: string,
): Promise<number> {
  // Each part reads through an index of its own.
  const [row] = await database.all<{ readonly newest: number | null }>(sql`
    select max(newest) as newest
    from (
      select max(c.case_id) as newest
      from recall_cases c
      where c.ended_at is null and ${IS_PUBLIC_CASE}
      union all
      select max(c.case_id) as newest
      from recall_cases c
      where c.ended_at >= ${closedSince} and c.status <> ${CANCELLED} and ${IS_PUBLIC_CASE}
    ) as parts`);
  return Number(row?.newest ?? 0);
}

/** Such recalls whose ids are above one and up to another, the newest first. */
export async function shownCasesBetween(
  database: DatabaseReader,
  range: { readonly above: number; readonly upTo: number; readonly closedSince: string },
): Promise<readonly ShownCaseNumber[]> {
  const { above, upTo, closedSince } = range;
  return await database.all<ShownCaseNumber>(sql`
    select c.case_no as "caseNo", c.updated_at as "updatedAt"
    from recall_cases c
    where c.case_id > ${above} and c.case_id <= ${upTo} and ${IS_PUBLIC_CASE}
      and (c.ended_at is null or (c.ended_at >= ${closedSince} and c.status <> ${CANCELLED}))
    order by c.case_id desc`);
}
