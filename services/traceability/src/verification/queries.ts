// Queries of the verification of a lot: the neighbours of blocks, which their links are checked against,
// and the events of the lots around it. Each reads through an index and has a limit.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql, { join, type Sql } from 'sql-template-tag';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../ledger/record/link-basis.ts';
import { MOVE_TYPES, ORIGIN_TYPES, SALE_TYPES } from '../ledger/record/event-types.ts';
import type { EventType } from '../ledger/record/event-types.ts';
import type { LotPlace, Side } from '../lots/queries.ts';

export interface LinkRow {
  readonly height: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** The hash at the end of the text of a block; after any other end it is not a hash. */
const PREV_HASH = sql`substr(canonical, length(canonical) - 65, 64)`;

/** Hashes and links of the blocks at these heights; heights that do not exist are left out. */
export async function linksAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly LinkRow[]> {
  const rows = await askForEach(database, cutSlices(heights), (reader, slice) =>
    reader.all<LinkRow>(sql`
      select height, ${PREV_HASH} as "prevHash", hash
      from blocks
      where height in (${inList(slice)})`),
  );
  return rows.flat();
}

export interface LotEventRow extends LotPlace {
  readonly eventType: EventType;
  readonly occurredAt: string;
}

export interface LotEvents {
  /** An event in which a lot has several lines may come several times. */
  readonly events: readonly LotEventRow[];
  /** The last of the lines looked at; undefined when the lots have fewer than `linesMax`. */
  readonly end: LotPlace | undefined;
}

interface LinesOfLots {
  /** 1 to IN_LIST_MAX lots. */
  readonly lotNos: readonly number[];
  /** Lines looked at, by lot and height. */
  readonly linesMax: number;
}

/**
 * For an event that is found by its height: as the bare column, SQLite would go through all events of the types,
 * which have an index, and look for their lines.
 */
const EVENT_TYPE = sql`(e.event_type || '')`;

/** Events in which lots came to be or were moved, of those that link them to no other lot, or received. */
export async function originsAndMoves(
  database: DatabaseReader,
  page: LinesOfLots,
): Promise<LotEvents> {
  return await eventsOfLots(
    database,
    page,
    sql`
      (first_lines.direction = 'in' and ${EVENT_TYPE} in (${join(ORIGIN_TYPES.in)}))
      or (first_lines.link_basis = ${LINKS_NOTHING} and (
        ${EVENT_TYPE} in (${join(MOVE_TYPES)})
        or (first_lines.direction = 'out' and ${EVENT_TYPE} in (${join(ORIGIN_TYPES.out)}))
      ))`,
  );
}

/** Events in which lots were sold. */
export async function salesOfLots(database: DatabaseReader, page: LinesOfLots): Promise<LotEvents> {
  return await eventsOfLots(database, page, sql`${EVENT_TYPE} in (${join(SALE_TYPES)})`);
}

/**
 * Events in which lots have lines, among the first lines of the lots.
 * @param condition on an event `e` and its line in `first_lines`; what did not happen is left out
 */
async function eventsOfLots(
  database: DatabaseReader,
  { lotNos, linesMax }: LinesOfLots,
  condition: Sql,
): Promise<LotEvents> {
  const rows = await database.all<LotEventRow | EndRow>(sql`
    select first_lines.lot_no as "lotNo", first_lines.height, e.event_type as "eventType",
      e.occurred_at as "occurredAt"
    from (
      select lot_no, height, direction, link_basis
      from lines
      where lot_no in (${inList(lotNos)})
      order by lot_no, height
      limit ${linesMax}
    ) as first_lines
    join events e on e.height = first_lines.height
    where e.voided = 0 and (${condition})
    union all
    select lot_no, height, null, null
    from (
      select lot_no, height
      from lines
      where lot_no in (${inList(lotNos)})
      order by lot_no, height
      limit 1 offset ${linesMax - 1}
    ) as ends`);
  const events: LotEventRow[] = [];
  let end: LotPlace | undefined;
  for (const row of rows) {
    if (row.eventType === null) end = row;
    else events.push(row);
  }
  return { events, end };
}

/** The place of the last line that was read. */
interface EndRow extends LotPlace {
  readonly eventType: null;
}

export interface OneSidedLine extends LotPlace {
  readonly reference: string;
  readonly side: Side;
  readonly occurredAt: string;
}

/**
 * Lines of the one-sided events of a tenant that link by 1 to IN_LIST_MAX references, unordered. Looks at
 * the first `eventsMax` events by reference and height.
 */
export async function oneSidedLines(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly references: readonly string[];
    readonly eventsMax: number;
    readonly limit: number;
  },
): Promise<readonly OneSidedLine[]> {
  return await database.all<OneSidedLine>(sql`
    select ends.reference, l.direction as side, ends.occurred_at as "occurredAt",
      l.lot_no as "lotNo", l.height
    from (
      select height, reference, occurred_at
      from events
      where tenant_no = ${page.tenantNo} and reference in (${inList(page.references)})
        and link_basis = ${LINKS_BY_REFERENCE}
      order by reference, height
      limit ${page.eventsMax}
    ) as ends
    join lines l on l.height = ends.height
    limit ${page.limit}`);
}
