// Queries of the explorer: places on the chain by brand, by transaction, by reference and by hash, and
// what corrections correct. Each walks an index from one end and stops at its limit, whatever is stored.
// Each of two tables that are walked as one has the limit: PostgreSQL would read and sort all of both.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { slicesInTurns } from '@lothub/kit/in-turns';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { EventType } from '../ledger/record/event-types.ts';
import { readHeights } from '../ledger/read.ts';
import type { HashSearch } from '../ledger/store.ts';
import { within, withinType } from './within-heights.ts';

export interface TransactionCount {
  readonly height: number;
  /** Lines of an event, changes of a correction; at least one. */
  readonly count: number;
}

/** How many transactions the newest blocks have, from a height down; of one tenant or of all. */
export async function newestTransactionCounts(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number | undefined;
    /** Only of events of this type; of `CORRECTION` also what corrections change. */
    readonly type: EventType | undefined;
    readonly above: number;
    readonly atMost: number;
    readonly limit: number;
  },
): Promise<readonly TransactionCount[]> {
  const { type, above, atMost, limit } = page;
  const tenant = ofTenant(page.tenantNo);
  const bounds = { above, below: atMost + 1 };
  const column = sql`event_type`;
  const ofType =
    type === undefined
      ? { where: within(bounds), order: empty }
      : { where: withinType({ column, value: type }, bounds), order: sql`${column} desc,` };
  const events = sql`
    select height, "count"
    from (
      select height, line_count as "count"
      from events
      where ${ofType.where} ${tenant}
      order by ${ofType.order} height desc
      limit ${limit}
    ) as ends`;
  const corrections = sql`
    select height, "count"
    from (
      select height, change_count as "count"
      from corrections
      where ${within(bounds)} ${tenant}
      order by height desc
      limit ${limit}
    ) as ends`;
  const parts = type === undefined || type === CORRECTION ? [events, corrections] : [events];
  return await database.all<TransactionCount>(sql`
    ${join(parts, ' union all ')}
    order by height desc
    limit ${limit}`);
}

/** Events of this type, and blocks that correct events. */
const CORRECTION = 'CORRECTION';

/** Whether a block was recorded by a tenant. */
export async function isBlockOfTenant(
  database: DatabaseReader,
  block: { readonly height: number; readonly tenantNo: number },
): Promise<boolean> {
  const own = await heightsOfTenant(database, [block.height], block.tenantNo);
  return own.length > 0;
}

/** The ones among 1 to IN_LIST_MAX heights whose blocks are of a tenant. */
async function heightsOfTenant(
  database: DatabaseReader,
  heights: readonly number[],
  tenantNo: number,
): Promise<readonly number[]> {
  return await readHeights(
    database,
    sql`
      select height
      from events
      where height in (${inList(heights)}) and tenant_no = ${tenantNo}
      union all
      select height
      from corrections
      where height in (${inList(heights)}) and tenant_no = ${tenantNo}
      union all
      select height
      from decisions
      where height in (${inList(heights)})
        and tenant_id = (select tenant_id from tenants where tenant_no = ${tenantNo})`,
  );
}

/** Heights of events with exactly this reference, newest first. */
export async function heightsOfReference(
  database: DatabaseReader,
  search: {
    readonly reference: string;
    readonly tenantNo: number | undefined;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  return await readHeights(
    database,
    sql`
      select height
      from events
      where reference = ${search.reference} ${ofTenant(search.tenantNo)}
      order by height desc
      limit ${search.limit}`,
  );
}

export interface PrefixSearch {
  readonly prefix: string;
  /** Smallest text above all that start with the prefix; undefined when there is none. */
  readonly above: string | undefined;
  readonly tenantNo: number | undefined;
  readonly limit: number;
}

/** Heights of events whose reference starts with a text and is longer, in the order of references. */
export async function heightsWithReferencePrefix(
  database: DatabaseReader,
  search: PrefixSearch,
): Promise<readonly number[]> {
  const upper = search.above === undefined ? empty : sql`and reference < ${search.above}`;
  const order =
    search.tenantNo === undefined ? sql`reference, height` : sql`tenant_no, reference, height`;
  return await readHeights(
    database,
    sql`
      select height
      from events
      where reference > ${search.prefix} ${upper} ${ofTenant(search.tenantNo)}
      order by ${order}
      limit ${search.limit}`,
  );
}

/** Hashes looked at for one tenant: there is no index of hashes by tenant. */
const HASHES_SCANNED_MAX = 1_000;

/** Heights of blocks whose hash starts with some hex digits, in the order of hashes. */
export async function heightsWithHashPrefix(
  { database, hashSearch }: { readonly database: DatabaseReader; readonly hashSearch: HashSearch },
  search: PrefixSearch,
): Promise<readonly number[]> {
  const { prefix, tenantNo } = search;
  const limit = tenantNo === undefined ? search.limit : HASHES_SCANNED_MAX;
  const heights = await hashSearch.heightsWithPrefix({ prefix, limit });
  if (tenantNo === undefined) return heights;
  // Asked apart: joined, the planner may begin with all events of the tenant.
  const own = new Set<number>();
  for await (const slice of slicesInTurns(heights)) {
    for (const height of await heightsOfTenant(database, slice, tenantNo)) own.add(height);
  }
  return heights.filter((height) => own.has(height)).slice(0, search.limit);
}

export interface EventStanding {
  readonly correctionCount: number;
  readonly voided: 0 | 1;
}

/** What corrections have made of an event. */
export async function findEventStanding(
  database: DatabaseReader,
  height: number,
): Promise<EventStanding | undefined> {
  return await database.first<EventStanding>(sql`
    select correction_count as "correctionCount", voided
    from events
    where height = ${height}`);
}

export interface CorrectionPlace {
  readonly height: number;
  readonly hash: string;
}

/** The first corrections of an event, oldest first. */
export async function correctionsOfEvent(
  database: DatabaseReader,
  page: { readonly height: number; readonly limit: number },
): Promise<readonly CorrectionPlace[]> {
  const places = await database.all<CorrectionPlace>(sql`
    select ends.height, b.hash
    from (
      select height
      from corrections
      where corrects_height = ${page.height}
      order by height
      limit ${page.limit}
    ) as ends
    join blocks b on b.height = ends.height`);
  return places.toSorted((a, b) => a.height - b.height);
}

/** A line of an event: the height of its block and its number in it. */
export interface LinePlace {
  readonly height: number;
  readonly lineNo: number;
}

export interface LotOfLine extends LinePlace {
  readonly lotCode: string;
  readonly productSku: string;
}

/** Lines whose lots are read in one query. */
export const LINES_PER_QUERY = 256;

/** The lots that lines name now; 1 to LINES_PER_QUERY lines, unordered. */
export async function lotsOfLines(
  database: DatabaseReader,
  places: readonly LinePlace[],
): Promise<readonly LotOfLine[]> {
  // As in `inList`: the last one is repeated, so that there are few query texts.
  const last = places.slice(-1);
  const length = 2 ** Math.ceil(Math.log2(places.length));
  const padding = new Array<readonly LinePlace[]>(length - places.length).fill(last).flat();
  const values = [...places, ...padding].map(
    ({ height, lineNo }) => sql`(cast(${height} as bigint), cast(${lineNo} as bigint))`,
  );
  return await database.all<LotOfLine>(sql`
    select l.height, l.line_no as "lineNo", o.lot_code as "lotCode", l.product_sku as "productSku"
    from lines l
    join lots o on o.lot_no = l.lot_no
    where (l.height, l.line_no) in (values ${join(values)})`);
}

function ofTenant(tenantNo: number | undefined): Sql {
  return tenantNo === undefined ? empty : sql`and tenant_no = ${tenantNo}`;
}
