// Queries of the pages about events that the capabilities do not have.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

export interface NamedCase {
  readonly caseNo: string;
  readonly title: string;
}

/** Number and title of 1 to IN_LIST_MAX cases, by number. */
export async function casesOfIds(
  database: DatabaseReader,
  caseIds: readonly number[],
): Promise<readonly NamedCase[]> {
  return await database.all<NamedCase>(sql`
    select case_no as "caseNo", title
    from recall_cases
    where case_id in (${inList(caseIds)})
    order by case_id`);
}
