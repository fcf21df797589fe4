// Queries on the stored rows of lots: their state, quantities, holds, provenance. Each reads
// through an index and has a limit.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices, inList } from '@lothub/kit/in-list';
import sql, { empty, join, raw, type Sql } from 'sql-template-tag';
import type { Standing } from '../ledger/record/quantities.ts';
import { PROVENANCE_NAMES, type ProvenanceValues } from '../ledger/record/fields.ts';
import { RECALLED, type LotStatus } from '../terms.ts';
import type { StoredParts } from './balances.ts';
import { IS_LISTED_OPEN, LOT_STATE, type LotStateRow } from './state.ts';

/** A number, or what looks it up (`placeOfOwnLot`). */
export type LotNumber = number | Sql;

export interface StandingRow extends LotStateRow {
  readonly lotNo: number;
  readonly lotCode: string;
  readonly productSku: string;
  readonly firstHeight: number;
}

/** @param lotNos 1 to IN_LIST_MAX */
export async function standingsOfLots(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly StandingRow[]> {
  return await database.all<StandingRow>(sql`
    select lot_no as "lotNo", lot_code as "lotCode", product_sku as "productSku",
      first_height as "firstHeight", ${LOT_STATE}
    from lots
    where lot_no in (${inList(lotNos)})`);
}

/** Reads any number of lots, by their numbers; unknown lots are not in the map. */
export async function readStandings(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<ReadonlyMap<number, StandingRow>> {
  const rows = await askForEach(database, cutSlices(lotNos), standingsOfLots);
  return new Map(rows.flat().map((row) => [row.lotNo, row]));
}

/** The filters of a list of lots; an absent field filters nothing. */
export interface LotFilter {
  readonly status?: LotStatus | undefined;
  readonly onHold?: 0 | 1 | undefined;
}

/** Finds the lots among 1 to IN_LIST_MAX that pass a filter, in any order. */
export async function filterLots(
  database: DatabaseReader,
  lotNos: readonly number[],
  filter: LotFilter,
): Promise<readonly number[]> {
  const status = filter.status === undefined ? empty : sql`and ${hasStatus(filter.status)}`;
  const hold = filter.onHold === undefined ? empty : sql`and on_hold = ${filter.onHold}`;
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select lot_no as "lotNo"
    from lots
    where lot_no in (${inList(lotNos)}) ${status} ${hold}`);
  return rows.map((row) => row.lotNo);
}

function hasStatus(status: LotStatus): Sql {
  return status === RECALLED ? sql`recalled = 1` : sql`recalled = 0 and status = ${status}`;
}

/**
 * Finds the lots among 1 to IN_LIST_MAX of a tenant whose search text contains a text, in any
 * order.
 */
export async function lotsHoldingText(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number;
    readonly lotNos: readonly number[];
    /** The text as `searchable` makes it. */
    readonly text: string;
  },
): Promise<readonly number[]> {
  const pattern = `%${page.text.replace(/[\\%_]/g, '\\$&')}%`;
  // The query does not compare the text itself: PostgreSQL would search its index for all lots that
  // have the pattern.
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select lot_no as "lotNo"
    from lot_texts
    where tenant_no = ${page.tenantNo} and lot_no in (${inList(page.lotNos)})
      and text || '' like ${pattern} escape ${'\\'}`);
  return rows.map((row) => row.lotNo);
}

/**
 * Finds the lots among 1 to IN_LIST_MAX that were recorded with one of 1 to IN_LIST_MAX SKUs, in
 * any order.
 */
export async function lotsWithSkus(
  database: DatabaseReader,
  query: { readonly lotNos: readonly number[]; readonly skus: readonly string[] },
): Promise<readonly number[]> {
  const rows = await database.all<{ readonly lotNo: number }>(sql`
    select distinct lot_no as "lotNo"
    from lot_quantities
    where lot_no in (${inList(query.lotNos)}) and product_sku in (${inList(query.skus)})`);
  return rows.map((row) => row.lotNo);
}

export interface CandidateRow extends LotStateRow {
  readonly lotNo: number;
}

interface LotsBelow {
  readonly tenantNo: number;
  /** Only lots with smaller numbers. */
  readonly below: number;
  readonly limit: number;
}

/** Lots of a tenant, newest first. */
export async function newestLots(
  database: DatabaseReader,
  page: LotsBelow,
): Promise<readonly CandidateRow[]> {
  // Through the texts, of which every lot has one: they are in the order of a tenant's lots.
  return await database.all<CandidateRow>(sql`
    select t.lot_no as "lotNo", ${LOT_STATE}
    from lot_texts t
    join lots l on l.lot_no = t.lot_no
    where t.tenant_no = ${page.tenantNo} and t.lot_no < ${page.below}
    order by t.lot_no desc
    limit ${page.limit}`);
}

/** Lots of a tenant whose balance leads to a status, newest first; of them some may be recalled. */
export async function newestLotsOfStatus(
  database: DatabaseReader,
  page: LotsBelow & { readonly status: Standing['status'] },
): Promise<readonly CandidateRow[]> {
  return await newestLotsWhere(database, page, sql`status = ${page.status}`);
}

/** Lots of a tenant that are recalled, newest first. */
export async function newestRecalledLots(
  database: DatabaseReader,
  page: LotsBelow,
): Promise<readonly CandidateRow[]> {
  return await newestLotsWhere(database, page, sql`recalled = 1`);
}

/** Lots of a tenant that are on hold, newest first; by their open holds, which have an index. */
export async function newestLotsOnHold(
  database: DatabaseReader,
  page: LotsBelow,
): Promise<readonly CandidateRow[]> {
  const held = await database.all<{ readonly newest: number }>(sql`
    select distinct -lot_no as newest
    from lot_holds
    where tenant_no = ${page.tenantNo} and ${IS_LISTED_OPEN} and -lot_no > ${-page.below}
    order by -lot_no
    limit ${page.limit}`);
  // There is no join, because PostgreSQL would read all lots for it.
  const slices = cutSlices(held.map(({ newest }) => -newest));
  return (await askForEach(database, slices, heldLotsAmong)).flat();
}

function heldLotsAmong(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly CandidateRow[]> {
  return database.all<CandidateRow>(sql`
    select lot_no as "lotNo", ${LOT_STATE}
    from lots
    where lot_no in (${inList(lotNos)})
    order by lot_no desc`);
}

/** @param condition of which an index of `lots` is, by tenant and lot */
async function newestLotsWhere(
  database: DatabaseReader,
  page: LotsBelow,
  condition: Sql,
): Promise<readonly CandidateRow[]> {
  return await database.all<CandidateRow>(sql`
    select lot_no as "lotNo", ${LOT_STATE}
    from lots
    where tenant_no = ${page.tenantNo} and ${condition} and lot_no < ${page.below}
    order by lot_no desc
    limit ${page.limit}`);
}

/** Lots whose accounts are read in one query: each is a part of a compound. */
export const LOTS_PER_COMPOUND = 32;
/** No lot has this number; it fills a compound up to a length that is often used. */
const NO_LOT = -1;

export type AccountRow = StoredParts & { readonly lotNo: number };

const PART_COLUMNS = sql`
  received, returned, produced, consumed, packed, packed_from, shipped, sold, disposed, delivered,
  delivered_and_sold`;
const ACCOUNT_ROW = sql`
  lot_no as "lotNo", product_sku as "productSku", unit, ${PART_COLUMNS}`;

/** The first `limit` accounts of each of 1 to LOTS_PER_COMPOUND lots, by SKU and unit. */
export async function accountsOfLots(
  database: DatabaseReader,
  page: { readonly lotNos: readonly LotNumber[]; readonly limit: number },
): Promise<readonly AccountRow[]> {
  const length = 2 ** Math.ceil(Math.log2(page.lotNos.length));
  const padding = new Array<number>(length - page.lotNos.length).fill(NO_LOT);
  const parts = [...page.lotNos, ...padding].map(
    (lotNo: LotNumber): Sql => sql`
      select ${ACCOUNT_ROW} from (
        select lot_no, product_sku, unit, ${PART_COLUMNS}
        from lot_quantities
        where lot_no = ${lotNo}
        order by product_sku, unit
        limit ${page.limit}
      ) as first_accounts`,
  );
  return await database.all<AccountRow>(join(parts, ' union all '));
}

/** The first accounts of one SKU of a lot, by unit. */
export async function accountsOfSku(
  database: DatabaseReader,
  page: { readonly lotNo: number; readonly productSku: string; readonly limit: number },
): Promise<readonly AccountRow[]> {
  return await database.all<AccountRow>(sql`
    select ${ACCOUNT_ROW}
    from lot_quantities
    where lot_no = ${page.lotNo} and product_sku = ${page.productSku}
    order by unit
    limit ${page.limit}`);
}

export interface HoldRow {
  readonly source: string;
  readonly reason: string;
  readonly heldBy: string;
  readonly heldSince: string;
}

/** The holds that a lot is under, by their source. */
export async function openHoldsOfLot(
  database: DatabaseReader,
  page: { readonly lotNo: number; readonly limit: number },
): Promise<readonly HoldRow[]> {
  return await database.all<HoldRow>(sql`
    select source, reason, held_by as "heldBy", held_since as "heldSince"
    from lot_holds
    where lot_no = ${page.lotNo} and released_at is null
    order by source
    limit ${page.limit}`);
}

export interface ProvenanceRow extends ProvenanceValues {
  readonly height: number;
}

/** Reads the origins of the lot, line by line, in the order of the blocks. */
export async function provenancesOfLot(
  database: DatabaseReader,
  page: { readonly lotNo: LotNumber; readonly limit: number },
): Promise<readonly ProvenanceRow[]> {
  return await database.all<ProvenanceRow>(sql`
    select height, ${raw(PROVENANCE_NAMES.join(', '))}
    from provenances
    where lot_no = ${page.lotNo}
    order by height, line_no
    limit ${page.limit}`);
}
