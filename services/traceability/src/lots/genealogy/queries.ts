// Queries of the walks over the genealogy: the links between lots, and the origins of lots. Each
// reads through an index, and reads a limited number of rows, however many a lot or an event has.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql, { raw } from 'sql-template-tag';
import { LINKS_BY_REFERENCE, type LinkBasis } from '../../ledger/record/link-basis.ts';
import type { EventType } from '../../ledger/record/event-types.ts';
import { PROVENANCE_NAMES, type ProvenanceValues } from '../../ledger/record/fields.ts';
import type { LotPlace, Side } from '../queries.ts';

export interface LinkEvent extends LotPlace {
  readonly linkBasis: LinkBasis;
  /** The reference of an event that links by it; null for any other event. */
  readonly reference: string | null;
}

export interface LinkEvents {
  /** By lot and height. */
  readonly events: readonly LinkEvent[];
  /** The last of the lines that were read; undefined when the lots have fewer than `linesMax`. */
  readonly end: LotPlace | undefined;
}

interface LinesOfLots {
  /** 1 to IN_LIST_MAX lots. */
  readonly lotNos: readonly number[];
  /** Only lines above this height. */
  readonly above: number;
  /**
   * Lines that are read, by lot and height: most lines of a lot that is sold every day link
   * nothing.
   */
  readonly linesMax: number;
}

/** The basis of a link in the row that marks the end of the lines. */
const END_OF_LINES = -1;

interface EndRow extends LotPlace {
  readonly linkBasis: typeof END_OF_LINES;
}

/** Events that link these lots on one side, among the first lines of the lots. */
export async function linkEventsOfLots(
  database: DatabaseReader,
  page: LinesOfLots & { readonly side: Side; readonly limit: number },
): Promise<LinkEvents> {
  // One query reads both, so that the end is that of the lines that it read: lines that are
  // recorded in between are not skipped.
  const lines = sql`
    from lines
    where lot_no in (${inList(page.lotNos)}) and height > ${page.above}`;
  const rows = await database.all<LinkEvent | EndRow>(sql`
    select lot_no as "lotNo", height, link_basis as "linkBasis", reference
    from (
      select lot_no, height, link_basis,
        case
          when link_basis = ${LINKS_BY_REFERENCE}
            then (select e.reference from events e where e.height = first_lines.height)
        end as reference
      from (
        select lot_no, height, direction, link_basis ${lines}
        order by lot_no, height, direction
        limit ${page.linesMax}
      ) as first_lines
      where direction = ${page.side} and link_basis > 0
      order by lot_no, height
      limit ${page.limit}
    ) as linking
    union all
    select lot_no, height, cast(${END_OF_LINES} as bigint), null
    from (
      select lot_no, height ${lines}
      order by lot_no, height
      limit 1 offset ${page.linesMax - 1}
    ) as ends`);
  const events: LinkEvent[] = [];
  let end: LotPlace | undefined;
  for (const row of rows) {
    if (row.linkBasis === END_OF_LINES) end = row;
    else events.push(row);
  }
  return { events: events.sort(byPlace), end };
}

function byPlace(a: LotPlace, b: LotPlace): number {
  return a.lotNo - b.lotNo || a.height - b.height;
}

export interface EventReference {
  readonly height: number;
  readonly reference: string;
}

export interface OneSidedEvent extends EventReference {
  readonly eventType: EventType;
}

/** One-sided events of a tenant above a height, by reference and height; 1 to IN_LIST_MAX references. */
export async function eventsOfReferences(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly references: readonly string[];
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly OneSidedEvent[]> {
  return await database.all<OneSidedEvent>(sql`
    select reference, height, event_type as "eventType"
    from events
    where tenant_no = ${page.tenantNo} and reference in (${inList(page.references)})
      and height > ${page.above} and link_basis = 2
    order by reference, height
    limit ${page.limit}`);
}

/** Lots on one side of these events, line by line, by height; 1 to IN_LIST_MAX heights. */
export async function lotsOfEvents(
  database: DatabaseReader,
  page: { readonly heights: readonly number[]; readonly side: Side; readonly limit: number },
): Promise<readonly LotPlace[]> {
  return await database.all<LotPlace>(sql`
    select lot_no as "lotNo", height
    from lines
    where height in (${inList(page.heights)}) and direction = ${page.side}
    order by height, line_no
    limit ${page.limit}`);
}

export interface EventLabel extends EventReference {
  readonly eventType: EventType;
  readonly occurredAt: string;
}

/** Reads the labels of the events at 1 to IN_LIST_MAX heights. */
export async function eventLabels(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly EventLabel[]> {
  return await database.all<EventLabel>(sql`
    select height, event_type as "eventType", occurred_at as "occurredAt", reference
    from events
    where height in (${inList(heights)})`);
}

/** A line with the origin of its lot. */
export interface DeliveryRow extends LotPlace, ProvenanceValues {
  readonly lineNo: number;
  readonly productSku: string;
  /** 1: an upstream leaf in the genealogy. */
  readonly isLeaf: 0 | 1;
}

const DELIVERY_ROW = sql`
  p.lot_no as "lotNo", p.height, p.line_no as "lineNo", l.product_sku as "productSku",
  p.is_leaf as "isLeaf", ${raw(PROVENANCE_NAMES.map((name) => `p.${name}`).join(', '))}`;

/** Lines that say where these lots came from, by lot, height and line. */
export async function deliveriesOfLots(
  database: DatabaseReader,
  page: {
    /** 1 to IN_LIST_MAX lots. */
    readonly lotNos: readonly number[];
    /** Only lines above this height. */
    readonly above: number;
    readonly limit: number;
  },
): Promise<readonly DeliveryRow[]> {
  return await database.all<DeliveryRow>(sql`
    select ${DELIVERY_ROW}
    from provenances p
    join lines l on l.height = p.height and l.line_no = p.line_no
    where p.lot_no in (${inList(page.lotNos)}) and p.height > ${page.above}
    order by p.lot_no, p.height, p.line_no
    limit ${page.limit}`);
}

/** The line after which the next page of deliveries begins. */
export type DeliveryPlace = Pick<DeliveryRow, 'lotNo' | 'height' | 'lineNo'>;

/** Lines of a tenant that name this lot code of a supplier, by lot, height and line. */
export async function deliveriesOfSupplierLot(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly supplierLotCode: string;
    readonly after: DeliveryPlace;
    readonly limit: number;
  },
): Promise<readonly DeliveryRow[]> {
  const { lotNo, height, lineNo } = page.after;
  return await database.all<DeliveryRow>(sql`
    select ${DELIVERY_ROW}
    from provenances p
    join lines l on l.height = p.height and l.line_no = p.line_no
    where p.tenant_no = ${page.tenantNo} and p.supplier_lot_code = ${page.supplierLotCode}
      and (p.lot_no, p.height, p.line_no) > (${lotNo}, ${height}, ${lineNo})
    order by p.lot_no, p.height, p.line_no
    limit ${page.limit}`);
}
