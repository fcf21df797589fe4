// Reads the stored private values of one correction, and the lines from which a lot is added up.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { IS_HANDOVER } from '../ledger/record/delivery.ts';
import type { Movement } from '../ledger/record/quantities.ts';

/** A change, or the person who requested the correction: then the number is null and `from` is the person. */
export interface KeptRow {
  readonly changeNo: number | null;
  readonly from: string | null;
  readonly to: string | null;
}

/** A correction has at most a thousand changes. */
export async function keptOfCorrection(
  database: DatabaseReader,
  height: number,
): Promise<readonly KeptRow[]> {
  return await database.all<KeptRow>(sql`
    select change_no as "changeNo", from_text as "from", to_text as "to"
    from private_changes
    where height = ${height}
    union all
    select null, requested_by, null
    from private_requests
    where height = ${height}`);
}

/** A line of a lot that counts, and its place. */
export type MovementRow = Omit<Movement, 'isDelivery'> & {
  readonly lineNo: number;
  readonly isDelivery: 0 | 1;
};

/** Reads lines of a lot that count, after a place, in the order of blocks and lines. */
export async function movementsOfLot(
  database: DatabaseReader,
  page: {
    readonly lotNo: number;
    readonly after: { readonly height: number; readonly lineNo: number };
    readonly limit: number;
  },
): Promise<readonly MovementRow[]> {
  const { after } = page;
  return await database.all<MovementRow>(sql`
    select l.height, l.line_no as "lineNo", e.event_type as "eventType",
      e.occurred_at as "occurredAt", l.product_sku as "productSku", l.direction, l.quantity,
      l.unit, l.is_delivery as "isDelivery",
      case when ${IS_HANDOVER} then e.reference end as "handoverReference"
    from lines l
    join events e on e.height = l.height
    where l.lot_no = ${page.lotNo} and e.voided = 0
      and (l.height, l.line_no) > (${after.height}, ${after.lineNo})
    order by l.height, l.line_no
    limit ${page.limit}`);
}
