// The condition of a query for the cases of a lot code.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** A condition: a case `c` covers a lot with this code, or a supplier's lot with it. */
export function coveringLot(lotCode: string): Sql {
  return sql`
    and (
      c.case_id in (
        select r.case_id
        from lots l
        join recall_lots r on r.lot_no = l.lot_no and r.left_at is null
        where l.lot_code = ${lotCode}
      )
      or (c.seed_lot_no is null and c.seed_lot_code = ${lotCode})
    )`;
}
