// When a lot is recalled: what `lots.recalled` follows from, as its holds are what `lots.on_hold` does.
import sql, { raw, type Sql } from 'sql-template-tag';
import { CANCELLED } from '../terms.ts';

/** For a row `r` of the lots of a row `c` of a case: the case recalls the lot. */
export const IS_RECALLING: Sql = sql`(
  r.left_at is null and c.notified_at is not null and c.status <> ${raw(`'${CANCELLED}'`)}
)`;

/**
 * A condition that a case covers the lot, has reached `notification` and was not cancelled; a
 * closed case still covers its lots.
 * @param lotNo names the lot, such as `lots.lot_no`
 */
export function isRecalled(lotNo: Sql): Sql {
  return sql`
    exists (
      select 1
      from recall_lots r
      join recall_cases c on c.case_id = r.case_id
      where r.lot_no = ${lotNo} and ${IS_RECALLING}
    )`;
}
