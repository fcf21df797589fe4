// The list of a tenant's lots, and the search in it (docs/interface/traceability.md#lots).
import { askForEach, askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { inTurns } from '@lothub/kit/in-turns';
import { searchable } from '../ledger/record/lot-text.ts';
import type { LotTextPage, LotTextSearch } from '../ledger/store.ts';
import { RECALLED, type HoldStatus, type LotStatus } from '../terms.ts';
import { findLot, findTenant, type LotRow } from './queries.ts';
import {
  filterLots,
  lotsHoldingText,
  lotsWithSkus,
  newestLots,
  newestLotsOfStatus,
  newestLotsOnHold,
  newestRecalledLots,
} from './record-queries.ts';
import type { CandidateRow, LotFilter } from './record-queries.ts';
import { lotItems, type LotItem } from './record.ts';

/**
 * Lots that a filtered list counts, or as far as its page reaches; of more it says that there are
 * more. Counting ten times as many took a common text a tenth of a second among 500,000 lots.
 */
export const COUNTED_MAX = 1_000;
/** Lots read in one query: about a millisecond, so that others get their turn. */
const LOTS_PER_PAGE = COUNTED_MAX + 1;
/** Lots read with their balances at a time. */
const LOTS_PER_ITEMS = 200;
/** Maximum number of hits of the search; for more, the list uses the index of the filter. */
export const LED_BY_SEARCH_MAX = 2_000;

export interface LotWalkQuery {
  readonly tenantId: string;
  /** Part of a lot code, SKU, supplier's name or lot code; upper and lower case alike. */
  readonly q: string | undefined;
  readonly status: LotStatus | undefined;
  readonly holdStatus: HoldStatus | undefined;
  /** Lots that `q` means in addition. */
  readonly also?: AlsoMeant;
}

/** Lots that a text means although their search text does not contain it. */
export interface AlsoMeant {
  /** Lots that were recorded with one of these. */
  readonly skus: readonly string[];
  /** Numbers of lots of the tenant. */
  readonly lotNos: ReadonlySet<number>;
}

export interface LotListQuery extends LotWalkQuery {
  readonly limit: number;
  readonly offset: number;
}

export interface LotList {
  readonly lots: readonly LotItem[];
  readonly total: number;
  /** Only when there are more than `total`. */
  readonly total_is_exact?: false;
  readonly limit: number;
  readonly offset: number;
}

export interface LotListDeps {
  readonly database: DatabaseReader;
  readonly lotSearch: LotTextSearch;
}

/** Newest lots first; before them the lot whose code is exactly `q`. */
export async function listLots(deps: LotListDeps, query: LotListQuery): Promise<LotList> {
  const { limit, offset } = query;
  const [tenant, exact] = await askTogether(deps.database, (one) =>
    Promise.all([findTenant(one, query.tenantId), findExactly(one, query)]),
  );
  if (tenant === undefined) return { lots: [], total: 0, limit, offset };
  const asked = { ...query, tenantNo: tenant.tenantNo, filter: buildFilter(query), exact };
  const isWhole = asked.q === undefined && isEmpty(asked.filter);
  const countedMax = Math.max(COUNTED_MAX, offset + limit);
  const found = await findPage(deps, asked, isWhole ? offset + limit : countedMax + 1);
  const lots = await lotItems(deps.database, found.lotNos);
  // The number of all lots of a tenant is stored, so it has no limit.
  const count = isWhole ? tenant.lots : found.count;
  if (isWhole || count <= countedMax) return { lots, total: count, limit, offset };
  return { lots, total: countedMax, total_is_exact: false, limit, offset };
}

interface Asked extends LotWalkQuery {
  readonly tenantNo: number;
  readonly filter: LotFilter;
  /** The lot whose code is the text that is searched. */
  readonly exact: LotRow | undefined;
}

function buildFilter({ status, holdStatus }: LotWalkQuery): LotFilter {
  if (holdStatus === undefined) return { status };
  return { status, onHold: holdStatus === 'on_hold' ? 1 : 0 };
}

function isEmpty({ status, onHold }: LotFilter): boolean {
  return status === undefined && onHold === undefined;
}

/**
 * Reads pages of all lots that match, in the order of the list; an empty page may have others after
 * it.
 */
export async function* walkLots(
  deps: LotListDeps,
  query: LotWalkQuery,
): AsyncGenerator<readonly LotItem[]> {
  const { database } = deps;
  const tenant = await findTenant(database, query.tenantId);
  if (tenant === undefined) return;
  const exact = await findExactly(database, query);
  const filter = buildFilter(query);
  const first = exact !== undefined && isLeft(exact, filter) ? exact.lotNo : undefined;
  if (first !== undefined) yield await lotItems(database, [first]);
  const asked = { ...query, tenantNo: tenant.tenantNo, filter, exact };
  for await (const page of inTurns(matchingLots(deps, asked, LOTS_PER_ITEMS))) {
    yield await lotItems(
      database,
      page.filter((lotNo) => lotNo !== first),
    );
  }
}

/** Walks over the lots that match until `enough` of them are counted, and takes out the page. */
async function findPage(
  deps: LotListDeps,
  asked: Asked & Pick<LotListQuery, 'limit' | 'offset'>,
  enough: number,
): Promise<{ readonly lotNos: readonly number[]; readonly count: number }> {
  const { limit, offset, exact, filter } = asked;
  const lotNos: number[] = [];
  let count = 0;
  const take = (lotNo: number): void => {
    if (count >= offset && lotNos.length < limit) lotNos.push(lotNo);
    count += 1;
  };
  const first = exact !== undefined && isLeft(exact, filter) ? exact.lotNo : undefined;
  if (first !== undefined) take(first);
  const pages = matchingLots(deps, asked, Math.min(LOTS_PER_PAGE, enough));
  for await (const page of inTurns(pages)) {
    for (const lotNo of page) if (lotNo !== first) take(lotNo);
    if (count >= enough) break;
  }
  return { lotNos, count };
}

async function findExactly(
  database: DatabaseReader,
  { tenantId, q }: LotWalkQuery,
): Promise<LotRow | undefined> {
  return q === undefined ? undefined : await findLot(database, { tenantId, lotCode: q });
}

/**
 * Reads pages of the lots that match, newest first; an empty page may have others after it. It uses
 * the search while that finds few lots. A text of very many lots selects little: after these it
 * uses the index of the filter, so that a common text with a rare status does not read all lots.
 */
async function* matchingLots(
  deps: LotListDeps,
  asked: Asked,
  limit: number,
): AsyncGenerator<readonly number[]> {
  const { database } = deps;
  const { tenantNo, filter } = asked;
  const text = asked.q === undefined ? undefined : searchable(asked.q);
  let below: number | null = Number.MAX_SAFE_INTEGER;
  let found = 0;
  while (text !== undefined && below !== null && found <= LED_BY_SEARCH_MAX) {
    const page: LotTextPage = await pageOfText(deps, asked, { text, below, limit });
    found += page.lotNos.length;
    yield isEmpty(filter)
      ? page.lotNos
      : await narrowed(database, page.lotNos, (one, lotNos) => filterLots(one, lotNos, filter));
    below = page.next;
  }
  while (below !== null) {
    const rows = await candidates(database, filter, { tenantNo, below, limit });
    const lotNos = rows.filter((row) => isLeft(row, filter)).map((row) => row.lotNo);
    yield text === undefined
      ? lotNos
      : await narrowed(database, lotNos, (one, slice) => meantAmong(one, asked, { slice, text }));
    below = rows.length < limit ? null : (rows.at(-1)?.lotNo ?? null);
  }
}

type TextQuery = Omit<Parameters<LotTextSearch['lotsWithText']>[0], 'tenantNo'>;

/**
 * Reads a page of the lots that a text means: those whose texts contain it, and those that it means
 * in addition.
 */
async function pageOfText(
  { database, lotSearch }: LotListDeps,
  { tenantNo, also }: Asked,
  { text, below, limit }: TextQuery,
): Promise<LotTextPage> {
  const page = await lotSearch.lotsWithText({ tenantNo, text, below, limit });
  if (also === undefined) return page;
  const pages = [page, { lotNos: [...also.lotNos].filter((lotNo) => lotNo < below), next: null }];
  for (const sku of also.skus) {
    const query = { tenantNo, text: searchable(sku), below, limit };
    const found = await lotSearch.lotsWithText(query);
    const lotNos = await narrowed(database, found.lotNos, (one, slice) =>
      lotsWithSkus(one, { lotNos: slice, skus: [sku] }),
    );
    pages.push({ lotNos, next: found.next });
  }
  // Only the part that every page has read: further down one of them may have lots that were not
  // read yet.
  const through = Math.max(...pages.map(({ next }) => next ?? 0));
  const lotNos = pages.flatMap((one) => one.lotNos.filter((lotNo) => lotNo >= through));
  return {
    lotNos: [...new Set(lotNos)].sort((a, b) => b - a),
    next: through === 0 ? null : through,
  };
}

/** Finds the lots among 1 to IN_LIST_MAX that a text means, in any order. */
async function meantAmong(
  database: DatabaseReader,
  { tenantNo, also }: Asked,
  { slice, text }: { readonly slice: readonly number[]; readonly text: string },
): Promise<readonly number[]> {
  const holding = await lotsHoldingText(database, { tenantNo, lotNos: slice, text });
  if (also === undefined) return holding;
  const { skus, lotNos } = also;
  const ofSkus = skus.length === 0 ? [] : await lotsWithSkus(database, { lotNos: slice, skus });
  return [...holding, ...ofSkus, ...slice.filter((lotNo) => lotNos.has(lotNo))];
}

/** Filters lots and keeps their order. */
async function narrowed(
  database: DatabaseReader,
  lotNos: readonly number[],
  query: (reader: DatabaseReader, slice: readonly number[]) => Promise<readonly number[]>,
): Promise<readonly number[]> {
  const left = new Set((await askForEach(database, cutSlices(lotNos), query)).flat());
  return lotNos.filter((lotNo) => left.has(lotNo));
}

function isLeft(
  row: Pick<CandidateRow, 'status' | 'onHold'>,
  { status, onHold }: LotFilter,
): boolean {
  return row.status === (status ?? row.status) && row.onHold === (onHold ?? row.onHold);
}

/** Reads through the index that finds the fewest lots. */
async function candidates(
  database: DatabaseReader,
  filter: LotFilter,
  page: { readonly tenantNo: number; readonly below: number; readonly limit: number },
): Promise<readonly CandidateRow[]> {
  if (filter.onHold === 1) return await newestLotsOnHold(database, page);
  if (filter.status === undefined) return await newestLots(database, page);
  if (filter.status === RECALLED) return await newestRecalledLots(database, page);
  return await newestLotsOfStatus(database, { ...page, status: filter.status });
}
