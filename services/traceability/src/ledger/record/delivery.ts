// Defines in one place, for everything that counts deliveries and sales, which lines go to a
// customer.
import sql, { raw, type Sql } from 'sql-template-tag';
import { SALE_TYPES, isSale, mayDeliver, type EventType } from './event-types.ts';
import type { ChainLine } from './payload.ts';

/**
 * Returns whether a line is a delivery: it has a commitment to a consignee, erased or not, on a
 * side that allows one.
 */
export function isDelivery(
  eventType: EventType,
  line: Pick<ChainLine, 'consignee' | 'direction'>,
): boolean {
  return line.consignee !== undefined && mayDeliver(eventType, line.direction);
}

/** Returns whether a line goes to a customer: a sale, or a delivery as its row says. */
export function isHandover(line: {
  readonly eventType: EventType;
  readonly isDelivery: boolean | 0 | 1;
}): boolean {
  return Boolean(line.isDelivery) || isSale(line.eventType);
}

/** Words of the table of event types, which hold no quote. */
const SALES = raw(SALE_TYPES.map((type) => `'${type}'`).join(', '));

/** The same condition for a row `l` of lines and the row `e` of its event. */
export const IS_HANDOVER: Sql = sql`(l.is_delivery = 1 or e.event_type in (${SALES}))`;

/**
 * For a row `l` of lines and the row `e` of its event: the reference by which other lines of its
 * lot may be the same goods. Null for a line that goes to no customer, and for a lot without
 * deliveries, so that sums keep no references for those. With `exists` PostgreSQL may read the
 * delivered lines of all lots for each query.
 */
export const HANDOVER_REFERENCE: Sql = sql`
  case
    when ${IS_HANDOVER}
      and (
        select d.lot_no from lines d where d.lot_no = l.lot_no and d.is_delivery = 1 limit 1
      ) is not null
    then e.reference
  end`;

/** The customer in a row `p` of private values: that of a sale, or the consignee of a delivery. */
export const CUSTOMER: Sql = sql`coalesce(p.customer_ref, p.consignee_ref)`;
