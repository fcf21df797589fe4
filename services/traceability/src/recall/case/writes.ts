// The guard of an opening.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** Answers a row as long as no case has a greater number. */
export function isNewestCase(caseId: number): Sql {
  return sql`
    select id
    from head
    where id = 1 and not exists (select 1 from recall_cases where case_id > ${caseId})`;
}
