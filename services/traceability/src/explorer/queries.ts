// Queries of the explorer: places on the chain by brand, by line, by reference and by hash. Each
// walks an index from one end and stops at its limit, whatever is stored.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList, slicesOf } from '@lothub/kit/in-list';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** Heights of a tenant's blocks below one, newest first. */
export async function newestHeightsOfTenant(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly below: number;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly number[]> {
  return await heightsOf(
    database,
    sql`
      select height
      from events
      where tenant_no = ${page.tenantNo} and height < ${page.below}
      order by height desc
      limit ${page.limit} offset ${page.offset}`,
  );
}

/** A line's place on the chain: the height of its block and its number in it. */
export interface LinePlace {
  readonly height: number;
  readonly lineNo: number;
}

/** Places of lines before one, newest first; of one tenant or of all. */
export async function newestLines(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number | undefined;
    readonly before: LinePlace;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly LinePlace[]> {
  const { height, lineNo } = page.before;
  if (page.tenantNo === undefined) {
    return await database.all<LinePlace>(sql`
      select height, line_no as "lineNo"
      from lines
      where (height, line_no) < (${height}, ${lineNo})
      order by height desc, line_no desc
      limit ${page.limit} offset ${page.offset}`);
  }
  return await database.all<LinePlace>(sql`
    select e.height, l.line_no as "lineNo"
    from events e
    join lines l on l.height = e.height
    where e.tenant_no = ${page.tenantNo} and e.height <= ${height}
      and (e.height < ${height} or l.line_no < ${lineNo})
    order by e.height desc, l.line_no desc
    limit ${page.limit} offset ${page.offset}`);
}

/** Whether a block was recorded by a tenant. */
export async function isBlockOfTenant(
  database: DatabaseReader,
  block: { readonly height: number; readonly tenantNo: number },
): Promise<boolean> {
  const row = await database.first<{ readonly height: number }>(sql`
    select height
    from events
    where height = ${block.height} and tenant_no = ${block.tenantNo}`);
  return row !== undefined;
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
  return await heightsOf(
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
  return await heightsOf(
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
  database: DatabaseReader,
  search: PrefixSearch,
): Promise<readonly number[]> {
  const { tenantNo } = search;
  const upper = search.above === undefined ? empty : sql`and hash < ${search.above}`;
  const heights = await heightsOf(
    database,
    sql`
      select height
      from blocks
      where hash >= ${search.prefix} ${upper}
      order by hash
      limit ${tenantNo === undefined ? search.limit : HASHES_SCANNED_MAX}`,
  );
  if (tenantNo === undefined) return heights;
  // Asked apart: joined, the planner may begin with all events of the tenant.
  const own = new Set<number>();
  for (const slice of slicesOf(heights)) {
    const found = sql`
      select height
      from events
      where height in (${inList(slice)}) and tenant_no = ${tenantNo}`;
    for (const height of await heightsOf(database, found)) own.add(height);
  }
  return heights.filter((height) => own.has(height)).slice(0, search.limit);
}

function ofTenant(tenantNo: number | undefined): Sql {
  return tenantNo === undefined ? empty : sql`and tenant_no = ${tenantNo}`;
}

async function heightsOf(database: DatabaseReader, query: Sql): Promise<readonly number[]> {
  const rows = await database.all<{ readonly height: number }>(query);
  return rows.map((row) => row.height);
}
