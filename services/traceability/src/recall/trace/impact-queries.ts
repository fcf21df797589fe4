// Queries of an impact: what lots are now, and their lines with the recipients. Each reads through
// an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { CUSTOMER } from '../../ledger/record/delivery.ts';
import sql, { join } from 'sql-template-tag';
import type { Direction, EventType } from '../../ledger/record/event-types.ts';
import type { AccountRow } from '../../lots/record-queries.ts';
import { LOT_STATE, type LotStateRow } from '../../lots/state.ts';
import type { QuantityStatus } from '../../terms.ts';

export interface ImpactLotRow extends LotStateRow {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  /** The status by its quantities, also for a recalled lot. */
  readonly quantityStatus: QuantityStatus;
}

/** Reads the present state of 1 to IN_LIST_MAX lots, in any order. */
export async function impactLots(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly ImpactLotRow[]> {
  return await database.all<ImpactLotRow>(sql`
    select lot_no as "lotNo", lot_code as "lotCode", product_sku as "productSku",
      status as "quantityStatus", ${LOT_STATE}
    from lots
    where lot_no in (${inList(lotNos)})`);
}

/** Accounts of 1 to IN_LIST_MAX lots, by lot, SKU and unit. */
export async function accountsPage(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    /** Only accounts after this one, in each of the lots. */
    readonly after: Pick<AccountRow, 'productSku' | 'unit'>;
    readonly limit: number;
  },
): Promise<readonly AccountRow[]> {
  const { productSku, unit } = page.after;
  return await database.all<AccountRow>(sql`
    select lot_no as "lotNo", product_sku as "productSku", unit, received, returned, produced,
      consumed, packed, packed_from, shipped, sold, disposed, delivered, delivered_and_sold
    from lot_quantities
    where lot_no in (${inList(page.lotNos)}) and product_sku >= ${productSku}
      and (product_sku > ${productSku} or unit > ${unit})
    order by lot_no, product_sku, unit
    limit ${page.limit}`);
}

/** The place of a line. */
export interface LotLinePlace {
  readonly lotNo: number;
  readonly height: number;
  readonly lineNo: number;
}

/** More lines than an event can have, so that a place is one number: height * 1,024 + line. */
export const LINES_OF_EVENT = 1_024;

export interface LotPlacesRow {
  readonly lotNo: number;
  /** The places of its lines, divided by commas, in any order: as one text they take a fifth of the time of rows. */
  readonly places: string;
}

/** Finds the lines that name 1 to IN_LIST_MAX lots, by lot, those of the least heights first. */
export async function linePlacesOfLots(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    /** Only lines above this height. */
    readonly above: number;
    /** Places that are found. */
    readonly limit: number;
  },
): Promise<readonly LotPlacesRow[]> {
  return await database.all<LotPlacesRow>(sql`
    select lot_no as "lotNo",
      string_agg(cast(height * cast(${LINES_OF_EVENT} as bigint) + line_no as text), ',') as places
    from (
      select lot_no, height, line_no
      from lines
      where lot_no in (${inList(page.lotNos)}) and height > ${page.above}
      order by lot_no, height, direction, link_basis
      limit ${page.limit}
    ) found
    group by lot_no
    order by lot_no`);
}

export interface ImpactEventRow {
  readonly height: number;
  /** Null when a correction says that the event did not happen. */
  readonly eventType: EventType | null;
  readonly occurredAt: string;
  readonly reference: string;
  readonly corrections: number;
  /** Number of lines of all lots together. */
  readonly lines: number;
}

/** 1 to IN_LIST_MAX events, in any order. */
export async function impactEvents(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly ImpactEventRow[]> {
  return await database.all<ImpactEventRow>(sql`
    select height, case when voided = 0 then event_type end as "eventType",
      occurred_at as "occurredAt", reference, correction_count as corrections, line_count as lines
    from events
    where height in (${inList(heights)})`);
}

/** A line with its original recipient. */
export interface ImpactLineRow extends LotLinePlace {
  readonly productSku: string;
  readonly direction: Direction;
  readonly quantity: string;
  readonly unit: string;
  /** 1: it goes to a consignee. */
  readonly isDelivery: 0 | 1;
  /** The texts as they were sent; both null when neither was sent, or when they are erased. */
  readonly customerRef: string | null;
  readonly channel: string | null;
}

const IMPACT_LINE = sql`
  l.lot_no as "lotNo", l.height, l.line_no as "lineNo", l.product_sku as "productSku",
  l.direction, l.quantity, l.unit, l.is_delivery as "isDelivery", ${CUSTOMER} as "customerRef",
  p.channel`;

/** All lines of 1 to IN_LIST_MAX events, in any order. */
export async function linesOfEvents(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly ImpactLineRow[]> {
  // The heights twice: with one list alone PostgreSQL reads all of a small private_lines.
  const list = inList(heights);
  return await database.all<ImpactLineRow>(sql`
    select ${IMPACT_LINE}
    from lines l
    left join private_lines p on p.height = l.height and p.line_no = l.line_no
      and p.height in (${list})
    where l.height in (${list})`);
}

/** Lines that are read at their places in one query. */
export const PLACES_PER_QUERY = 128;

/** Lines at 1 to PLACES_PER_QUERY places, in any order. */
export async function linesAt(
  database: DatabaseReader,
  places: readonly Pick<LotLinePlace, 'height' | 'lineNo'>[],
): Promise<readonly ImpactLineRow[]> {
  // Padded as in `inList`, so that there are few query texts. In a join, each place may be there
  // only once.
  const length = 2 ** Math.ceil(Math.log2(places.length));
  const padded = Array.from({ length }, (_, index) => places[index] ?? NO_PLACE);
  const values = padded.map(
    ({ height, lineNo }) => sql`(cast(${height} as bigint), cast(${lineNo} as bigint))`,
  );
  // Joined and not looked for `in` the values: of those PostgreSQL expects a hundred times as many rows,
  // and reads all of private_lines for them.
  return await database.all<ImpactLineRow>(sql`
    select ${IMPACT_LINE}
    from (values ${join(values)}) as places
    join lines l on l.height = places.column1 and l.line_no = places.column2
    left join private_lines p on p.height = l.height and p.line_no = l.line_no`);
}

/** No line is there. */
const NO_PLACE = { height: -1, lineNo: -1 };

/**
 * Finds the blocks among 1 to IN_LIST_MAX that commit to private values of a line or of the event.
 */
export async function committingBlocks(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly number[]> {
  // A quote within a text of the block follows a backslash, so only a member matches.
  const rows = await database.all<{ readonly height: number }>(sql`
    select height
    from blocks
    where height in (${inList(heights)})
      and (canonical like ${'%"private":"%'} or canonical like ${'%"consignee":"%'})`);
  return rows.map((row) => row.height);
}

/** Finds the lots among 1 to IN_LIST_MAX that were delivered, at least in part. */
export async function deliveredLots(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select distinct lot_no as "lotNo"
    from lines
    where lot_no in (${inList(lotNos)}) and is_delivery = 1`);
  return rows.map((row) => row.lotNo);
}

/** Private values that 1 to IN_LIST_MAX corrections put in place of others. */
export interface PrivateChangeRow {
  readonly height: number;
  readonly changeNo: number;
  readonly toText: string | null;
}

/** Changes of private values that are not erased, in any order. */
export async function privateChangesAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly PrivateChangeRow[]> {
  return await database.all<PrivateChangeRow>(sql`
    select height, change_no as "changeNo", to_text as "toText"
    from private_changes
    where height in (${inList(heights)})`);
}
