// Queries of the verification of a lot: the neighbours of blocks, which their links are checked against,
// and the events of the lots around it. Each reads through an index and has a limit.
import { askForEach } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList, slicesOf } from '@lothub/kit/in-list';
import sql, { join } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../ledger/link-basis.ts';
import type { EventType } from '../ledger/payload.ts';
import { paddedLots } from '../lots/compound.ts';
import type { LotPlace, Side } from '../lots/queries.ts';

export interface LinkRow {
  readonly height: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** Hashes and links of the blocks at these heights; heights that do not exist are left out. */
export async function linksAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly LinkRow[]> {
  const rows = await askForEach(database, slicesOf(heights), (reader, slice) =>
    reader.all<LinkRow>(sql`
      select height, prev_hash as "prevHash", hash
      from blocks
      where height in (${inList(slice)})`),
  );
  return rows.flat();
}

interface LinesOfLots {
  /** 1 to LOTS_PER_COMPOUND lots. */
  readonly lotNos: readonly number[];
  /** Lines looked at of each lot, the lowest heights first. */
  readonly linesMax: number;
}

export interface LotEventRow extends LotPlace {
  readonly eventType: EventType;
  readonly occurredAt: string;
}

export interface LotEvents {
  /** Unordered; an event in which a lot has several lines may come several times. */
  readonly events: readonly LotEventRow[];
  /** True when a lot has more lines than were looked at. */
  readonly isCut: boolean;
}

/** Events in which lots came to be or were moved, of those that link them to no other lot, or received. */
export async function originsAndMoves(
  database: DatabaseReader,
  page: LinesOfLots,
): Promise<LotEvents> {
  return await eventsOfLots(
    database,
    page,
    sql`
      (e.event_type = 'RECEIVE' and f.direction = 'in')
      or (e.event_type = 'TRANSFER' and f.link_basis = ${LINKS_NOTHING})
      or (e.event_type in ('PRODUCE', 'CONSUME', 'PACK') and f.direction = 'out'
        and f.link_basis = ${LINKS_NOTHING})`,
  );
}

/** Events in which lots were sold. */
export async function salesOfLots(database: DatabaseReader, page: LinesOfLots): Promise<LotEvents> {
  return await eventsOfLots(database, page, sql`e.event_type = 'SELL'`);
}

/** @param condition on an event `e` and a line `f` of it; events that did not happen are left out */
async function eventsOfLots(
  database: DatabaseReader,
  { lotNos, linesMax }: LinesOfLots,
  condition: Sql,
): Promise<LotEvents> {
  const parts = paddedLots(lotNos).flatMap((lotNo) => {
    const lines = sql`
      from lines
      where lot_no = ${lotNo}
      order by height`;
    return [
      sql`
        select lot_no, height, direction, link_basis, 0 as is_end
        from (
          select lot_no, height, direction, link_basis ${lines}
          limit ${linesMax}
        ) as first_lines`,
      sql`
        select lot_no, height, direction, link_basis, 1 as is_end
        from (
          select lot_no, height, direction, link_basis ${lines}
          limit 1 offset ${linesMax}
        ) as ends`,
    ];
  });
  const rows = await database.all<LotEventRow & { readonly isEnd: 0 | 1 }>(sql`
    select f.lot_no as "lotNo", f.height, e.event_type as "eventType",
      e.occurred_at as "occurredAt", f.is_end as "isEnd"
    from (${join(parts, ' union all ')}) as f
    join events e on e.height = f.height
    where f.is_end = 1 or (e.voided = 0 and (${condition}))`);
  const events = rows.filter(({ isEnd }) => isEnd === 0);
  return {
    events: events.map(({ isEnd: _isEnd, ...event }) => event),
    isCut: events.length < rows.length,
  };
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
