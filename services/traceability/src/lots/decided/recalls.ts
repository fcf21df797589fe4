// The blocks of recall cases that cover a lot or covered it: the steps of the whole case, and of the parts
// that name lots those that name this one.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { IS_PUBLIC_CASE } from '../notices/queries.ts';
import type { DecidedHeights } from './source.ts';

/**
 * The sums with 0 have what names the lot read before the parts: the other way round, SQLite went through all parts
 * of a case.
 */
export const recallHeights: DecidedHeights = async (database, { lotNo, below, limit }) => {
  const heightsWhere = (parts: Sql): Sql => sql`
    select p.height
    from covered r
    ${parts} and p.height < ${below}`;
  const rows = await database.all<{ readonly height: number }>(sql`
    with covered as (
      ${casesWhere(lotNo, sql`r.left_at is null`)}
      union all
      ${casesWhere(lotNo, sql`r.left_at is not null`)}
    )
    ${heightsWhere(sql`join recall_parts p on p.case_id = r.case_id and p.of_case = 1`)}
    union
    ${heightsWhere(sql`
      join recall_parts p on p.case_id = r.case_id and p.step_no = r.named_step
        and p.part = r.named_part`)}
    union
    ${heightsWhere(sql`
      join recall_lots_named n on n.case_id = r.case_id and n.lot_no = ${lotNo}
      join recall_parts p on p.case_id = n.case_id and p.step_no = n.step_no + 0
        and p.part = n.part + 0`)}
    order by height desc
    limit ${limit}`);
  return rows.map(({ height }) => height);
};

/** Public cases that cover a lot, or covered it: two halves, each with an index of its own. */
function casesWhere(lotNo: number, condition: Sql): Sql {
  return sql`
    select r.case_id, r.named_step, r.named_part
    from recall_lots r
    join recall_cases c on c.case_id = r.case_id
    where r.lot_no = ${lotNo} and ${condition} and ${IS_PUBLIC_CASE}`;
}
