// Which lines go to a customer, said once for all who count them: deliveries and sales.
import sql, { raw } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { SALE_TYPES, isSale, mayDeliver } from './event-types.ts';
import type { EventType } from './event-types.ts';
import type { ChainLine } from './payload.ts';

/** Whether a line is a delivery: it commits to a consignee, erased or not, on the side that may. */
export function isDelivery(
  eventType: EventType,
  line: Pick<ChainLine, 'consignee' | 'direction'>,
): boolean {
  return line.consignee !== undefined && mayDeliver(eventType, line.direction);
}

/** Whether a line goes to a customer: a sale, or a delivery as its row says. */
export function isHandover(line: {
  readonly eventType: EventType;
  readonly isDelivery: boolean | 0 | 1;
}): boolean {
  return Boolean(line.isDelivery) || isSale(line.eventType);
}

/** Words of the table of event types, which hold no quote. */
const SALES = raw(SALE_TYPES.map((type) => `'${type}'`).join(', '));

/** The same of a row `l` of lines and the row `e` of its event. */
export const IS_HANDOVER: Sql = sql`(l.is_delivery = 1 or e.event_type in (${SALES}))`;

/**
 * Of a row `l` of lines and the row `e` of its event: the reference under which it may be one with
 * other lines of its lot. Null of a line that goes to no customer, and of a lot that was never
 * delivered: whoever adds up remembers no reference of those. With `exists` PostgreSQL may read all lines
 * that were delivered, of every lot, for each query.
 */
export const HANDOVER_REFERENCE: Sql = sql`
  case
    when ${IS_HANDOVER}
      and (
        select d.lot_no from lines d where d.lot_no = l.lot_no and d.is_delivery = 1 limit 1
      ) is not null
    then e.reference
  end`;

/** Whom a row `p` of private values names: the customer of a sale, or the consignee of a delivery. */
export const CUSTOMER: Sql = sql`coalesce(p.customer_ref, p.consignee_ref)`;
