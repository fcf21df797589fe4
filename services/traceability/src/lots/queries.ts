// Queries on lots: by code, by link, by event. Each reads through an index and has a limit.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import { LOT_STATE, type LotStateRow } from './state.ts';
import { BRAND_NAME, type BrandNameRow } from './profiles/brand-texts.ts';
import type { Direction } from '../ledger/record/event-types.ts';

export type Side = Direction;

export interface TenantRow {
  readonly tenantNo: number;
  readonly events: number;
  readonly corrections: number;
  readonly transactions: number;
  readonly lots: number;
}

export async function findTenant(
  database: DatabaseReader,
  tenantId: string,
): Promise<TenantRow | undefined> {
  return await database.first<TenantRow>(sql`
    select tenant_no as "tenantNo", events, corrections, transactions, lots
    from tenants
    where tenant_id = ${tenantId}`);
}

export interface LotRow extends LotStateRow, BrandNameRow {
  readonly lotNo: number;
  readonly tenantNo: number;
  /** The address at which consumers reach the brand, as the brand says. */
  readonly website: string | null;
  readonly recallContact: string | null;
  readonly lotCode: string;
  readonly productSku: string;
  readonly firstHeight: number;
}

const LOT_ROW = sql`
  l.lot_no as "lotNo", l.tenant_no as "tenantNo", t.tenant_id as "tenantId",
  ${BRAND_NAME}, b.website, b.recall_contact as "recallContact", l.lot_code as "lotCode",
  l.product_sku as "productSku", l.first_height as "firstHeight", ${LOT_STATE}`;

/** Lots with exactly this code, of any tenant, in the order in which they were first recorded. */
export async function lotsOfCode(
  database: DatabaseReader,
  lotCode: string,
  limit: number,
): Promise<readonly LotRow[]> {
  return await database.all<LotRow>(sql`
    select ${LOT_ROW}
    from lots l
    join tenants t on t.tenant_no = l.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where l.lot_code = ${lotCode}
    order by l.first_height
    limit ${limit}`);
}

/** The lot of this code; with a tenant its own, without one, the lot of the tenant that recorded it first. */
export async function findLot(
  database: DatabaseReader,
  lot: { readonly lotCode: string; readonly tenantId: string | undefined },
): Promise<LotRow | undefined> {
  if (lot.tenantId === undefined) {
    const [first] = await lotsOfCode(database, lot.lotCode, 1);
    return first;
  }
  return await database.first<LotRow>(sql`
    select ${LOT_ROW}
    from tenants t
    join lots l on l.tenant_no = t.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where t.tenant_id = ${lot.tenantId} and l.lot_code = ${lot.lotCode}`);
}

/** The first lots that came in under a supplier's lot code, of all tenants or of one. */
export async function lotsReceivedAs(
  database: DatabaseReader,
  search: {
    readonly supplierLotCode: string;
    readonly tenantNo: number | undefined;
    readonly limit: number;
  },
): Promise<readonly LotRow[]> {
  const { supplierLotCode, tenantNo, limit } = search;
  const own = tenantNo === undefined ? empty : sql`and p.tenant_no = ${tenantNo}`;
  return await database.all<LotRow>(sql`
    select ${LOT_ROW}
    from lots l
    join tenants t on t.tenant_no = l.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where l.lot_no in (
      select distinct p.lot_no
      from provenances p
      where p.supplier_lot_code = ${supplierLotCode} ${own}
      order by p.lot_no
      limit ${limit}
    )
    order by l.lot_no`);
}

export interface LotLabel {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
}

/** @param lotNos 1 to IN_LIST_MAX */
export async function lotLabels(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly LotLabel[]> {
  return await database.all<LotLabel>(sql`
    select lot_no as "lotNo", lot_code as "lotCode", product_sku as "productSku"
    from lots
    where lot_no in (${inList(lotNos)})`);
}

/** The codes of lots by their numbers, however many. */
export async function readLotCodes(
  database: DatabaseReader,
  lotNos: Iterable<number>,
): Promise<ReadonlyMap<number, string>> {
  const codes = new Map<number, string>();
  for await (const slice of slicesInTurns(new Set(lotNos))) {
    for (const { lotNo, lotCode } of await lotLabels(database, slice)) codes.set(lotNo, lotCode);
  }
  return codes;
}

/** Lots whose ends are read in one query: each is two parts of a compound, which SQLite limits to 500. */
export const LOTS_PER_COMPOUND = 32;
/** No lot has this number; it fills a compound up to a length that is often used. */
const NO_LOT = -1;

export interface LotPlace {
  readonly lotNo: number;
  readonly height: number;
}

/**
 * `carrying`: blocks of events whose lines name the lot now. `concerning`: these, corrections that
 * concern it, and events that named it until they were corrected.
 */
export type BlocksOfLot = 'carrying' | 'concerning';

/**
 * Finds the `limit` oldest or newest heights inside the bounds, of each of 1 to LOTS_PER_COMPOUND
 * lots, unordered. It reads no more than twice as many places, however many blocks there are.
 */
export async function endsOfLots(
  database: DatabaseReader,
  page: {
    readonly lotNos: readonly number[];
    readonly blocks: BlocksOfLot;
    readonly end: 'oldest' | 'newest';
    /** Only heights between these two, both excluded. */
    readonly above: number;
    readonly below: number;
    readonly limit: number;
  },
): Promise<readonly LotPlace[]> {
  const length = 2 ** Math.ceil(Math.log2(page.lotNos.length));
  const padding = new Array<number>(length - page.lotNos.length).fill(NO_LOT);
  const order = page.end === 'newest' ? sql`height desc` : sql`height`;
  const parts = [...page.lotNos, ...padding].flatMap((lotNo): readonly Sql[] => {
    const bounds = sql`
      where lot_no = ${lotNo} and height > ${page.above} and height < ${page.below}
      order by ${order}
      limit ${page.limit}`;
    const lines = sql`
      select lot_no as "lotNo", height from (
        select distinct lot_no, height
        from lines ${bounds}
      ) as ends`;
    if (page.blocks === 'carrying') return [lines];
    return [
      lines,
      sql`
        select lot_no as "lotNo", height from (
          select lot_no, height
          from lot_mentions ${bounds}
        ) as ends`,
    ];
  });
  const rows = await database.all<LotPlace>(join(parts, ' union all '));
  return page.blocks === 'carrying' ? rows : firstOfEach(rows, page);
}

/** A lot's lines and mentions may both name a block, and both have filled the limit. */
function firstOfEach(
  rows: readonly LotPlace[],
  page: { readonly end: 'oldest' | 'newest'; readonly limit: number },
): readonly LotPlace[] {
  const heightsOf = new Map<number, Set<number>>();
  for (const { lotNo, height } of rows) {
    const heights = heightsOf.get(lotNo);
    if (heights === undefined) heightsOf.set(lotNo, new Set([height]));
    else heights.add(height);
  }
  const sign = page.end === 'newest' ? -1 : 1;
  return [...heightsOf].flatMap(([lotNo, heights]) =>
    [...heights]
      .sort((a, b) => sign * (a - b))
      .slice(0, page.limit)
      .map((height) => ({ lotNo, height })),
  );
}

/** Heights above one of the blocks that concern a lot, ascending. */
export async function heightsOfLot(
  database: DatabaseReader,
  page: { readonly lotNo: number; readonly above: number; readonly limit: number },
): Promise<readonly number[]> {
  const places = await endsOfLots(database, {
    lotNos: [page.lotNo],
    blocks: 'concerning',
    end: 'oldest',
    above: page.above,
    below: Number.MAX_SAFE_INTEGER,
    limit: page.limit,
  });
  return places.map((place) => place.height).sort((a, b) => a - b);
}

/** Pages of the heights that `heightsOfLot` finds, to their end, with a turn after each. */
export function pagesOfLot(
  database: DatabaseReader,
  { lotNo, above: start, limit }: Parameters<typeof heightsOfLot>[1],
): AsyncGenerator<readonly number[]> {
  const read = (above: number): Promise<readonly number[]> =>
    heightsOfLot(database, { lotNo, above, limit });
  return pagesInTurns({ start, limit, read });
}

/** Lots whose code starts with a text, in the order of their codes. */
export async function lotsWithPrefix(
  database: DatabaseReader,
  search: {
    readonly prefix: string;
    /** Smallest text above all with the prefix; undefined when there is none. */
    readonly above: string | undefined;
    readonly tenantNo: number | undefined;
    readonly limit: number;
  },
): Promise<readonly LotRow[]> {
  const upper = search.above === undefined ? empty : sql`and l.lot_code < ${search.above}`;
  const tenant = search.tenantNo === undefined ? empty : sql`and l.tenant_no = ${search.tenantNo}`;
  const order =
    search.tenantNo === undefined ? sql`l.lot_code, l.first_height` : sql`l.tenant_no, l.lot_code`;
  return await database.all<LotRow>(sql`
    select ${LOT_ROW}
    from lots l
    join tenants t on t.tenant_no = l.tenant_no
    left join brands b on b.tenant_id = t.tenant_id
    where l.lot_code >= ${search.prefix} ${upper} ${tenant}
    order by ${order}
    limit ${search.limit}`);
}
