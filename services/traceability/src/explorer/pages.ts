// The pages of the explorer: blocks and transactions, newest first, of the hub, a brand or a lot.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn, slicesInTurns } from '@lothub/kit/in-turns';
import { PAGE_CHARS_MAX } from '../http.ts';
import { BLOCKS_PER_TURN } from '../ledger/read.ts';
import type { Block, LedgerReader } from '../ledger/read.ts';
import { readWholeSteps } from '../lots/decided/whole-steps.ts';
import { LOTS_PER_COMPOUND, endsOfLots, findTenant } from '../lots/queries.ts';
import { readLotsOfChanges } from './changed-lots.ts';
import { newestHeightsOfDecisions } from './decision-queries.ts';
import { newestHeightsOfTenant, newestTransactionCounts } from './queries.ts';
import { blockItem, transactionsOf } from './views.ts';
import type { BlockItem, Transaction } from './views.ts';

/** Blocks whose transactions are counted in one query: about a millisecond. */
const COUNTS_PER_QUERY = 500;

export interface PageQuery {
  readonly brand: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

export interface BlockPage {
  readonly blocks: BlockItem[];
  /** What to send as `before` for the blocks behind these; null at the end. */
  readonly next: number | null;
}

/** Newest blocks below a height: of the whole chain with genesis, or of one brand. */
export async function pageOfBlocks(
  reader: LedgerReader,
  query: PageQuery & { readonly before: number | undefined },
): Promise<BlockPage> {
  const limit = query.limit + 1;
  if (query.brand === undefined) {
    // The heights of a chain have no gaps, so an offset costs nothing.
    const head = await reader.head();
    const newest = Math.min((query.before ?? Infinity) - 1, head.height) - query.offset;
    const count = Math.max(0, Math.min(limit, newest + 1));
    const heights = Array.from({ length: count }, (_, index) => newest - index);
    return await readPage(reader, heights, query.limit);
  }
  const tenant = await findTenant(reader.database, query.brand);
  const below = query.before ?? Number.MAX_SAFE_INTEGER;
  const page = { below, limit, offset: query.offset };
  const heights =
    tenant === undefined
      ? await newestHeightsOfDecisions(reader.database, { ...page, tenantId: query.brand })
      : await newestHeightsOfTenant(reader.database, { ...page, tenantNo: tenant.tenantNo });
  return await readPage(reader, heights, query.limit);
}

/** Heights of the newest blocks below a height that concern any of these lots, newest first. */
export async function newestHeightsOfLots(
  database: DatabaseReader,
  query: {
    readonly lotNos: readonly number[];
    readonly before: number | undefined;
    readonly limit: number;
  },
): Promise<readonly number[]> {
  const { limit } = query;
  let newest: readonly number[] = [];
  for await (const lotNos of slicesInTurns(query.lotNos, LOTS_PER_COMPOUND)) {
    const places = await endsOfLots(database, {
      lotNos,
      blocks: 'concerning',
      end: 'newest',
      // Once the page is full, only what is newer than its last height can still enter it.
      above: newest.length < limit ? 0 : (newest.at(-1) ?? 0),
      below: query.before ?? Number.MAX_SAFE_INTEGER,
      limit,
    });
    const heights = new Set([...newest, ...places.map((place) => place.height)]);
    newest = [...heights].sort((a, b) => b - a).slice(0, limit);
  }
  return newest;
}

/** @param heights newest first, one more than `limit` when there are more */
export async function readPage(
  reader: LedgerReader,
  heights: readonly number[],
  limit: number,
): Promise<BlockPage> {
  const { blocks, isCut } = await readBoundedBlocks(reader, heights.slice(0, limit));
  const last = isCut ? blocks.at(-1)?.height : heights[limit - 1];
  const isEnd = !isCut && heights.length <= limit;
  const steps = await readWholeSteps(reader.database, blocks);
  const items = blocks.map((block) => blockItem(block, steps));
  return { blocks: items, next: isEnd ? null : (last ?? null) };
}

/** Blocks in the order of the heights, at least one, until the page is large enough. */
export async function readBoundedBlocks(
  reader: LedgerReader,
  heights: readonly number[],
): Promise<{ readonly blocks: readonly Block[]; readonly isCut: boolean }> {
  const blocks: Block[] = [];
  let chars = 0;
  for await (const slice of slicesInTurns(heights, BLOCKS_PER_TURN)) {
    const read = new Map((await reader.blocks(slice)).map((block) => [block.height, block]));
    for (const height of slice) {
      const block = read.get(height);
      if (block === undefined) continue;
      chars += block.canonical.length;
      if (blocks.length > 0 && chars > PAGE_CHARS_MAX) return { blocks, isCut: true };
      blocks.push(block);
    }
  }
  return { blocks, isCut: false };
}

export interface TransactionPage {
  readonly transactions: Transaction[];
  /** `height.index`; null at the end. */
  readonly next: string | null;
}

/** A transaction's place on the chain: the height of its block and its number in it. */
export interface TransactionPlace {
  readonly height: number;
  readonly index: number;
}

/** Newest transactions before one, of the whole chain or of one brand. */
export async function pageOfTransactions(
  reader: LedgerReader,
  query: PageQuery & { readonly before: TransactionPlace | undefined },
): Promise<TransactionPage> {
  const { database } = reader;
  const tenant = query.brand === undefined ? undefined : await findTenant(database, query.brand);
  if (query.brand !== undefined && tenant === undefined) return { transactions: [], next: null };
  const places = await newestTransactions(database, {
    tenantNo: tenant?.tenantNo,
    before: query.before ?? { height: Number.MAX_SAFE_INTEGER, index: 0 },
    limit: query.limit + 1,
    offset: query.offset,
  });
  const shown = places.slice(0, query.limit);
  const blocks = await reader.blocks(shown.map((place) => place.height));
  const lots = await readLotsOfChanges(database, blocks);
  const byHeight = new Map(blocks.map((block) => [block.height, transactionsOf(block, lots)]));
  const last = places.length > query.limit ? shown.at(-1) : undefined;
  return {
    transactions: shown.flatMap(({ height, index }) => byHeight.get(height)?.[index] ?? []),
    next: last === undefined ? null : `${last.height}.${last.index}`,
  };
}

/** Places of transactions before one, newest first: blocks from the top, each from its end. */
async function newestTransactions(
  database: DatabaseReader,
  page: {
    readonly tenantNo: number | undefined;
    readonly before: TransactionPlace;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly TransactionPlace[]> {
  const { tenantNo, before, limit } = page;
  const places: TransactionPlace[] = [];
  let toSkip = page.offset;
  let atMost = before.height;
  for (;;) {
    // Each block has at least one, so that no more than these are looked at.
    const wanted = Math.min(COUNTS_PER_QUERY, toSkip + limit - places.length);
    const blocks = await newestTransactionCounts(database, { tenantNo, atMost, limit: wanted });
    for (const { height, count } of blocks) {
      const left = height === before.height ? Math.min(count, before.index) : count;
      const skipped = Math.min(toSkip, left);
      toSkip -= skipped;
      for (let index = left - skipped - 1; index >= 0; index -= 1) {
        places.push({ height, index });
        if (places.length === limit) return places;
      }
      atMost = height - 1;
    }
    if (blocks.length < wanted) return places;
    await nextTurn();
  }
}

const PLACE = /^(\d{1,15})(?:\.(\d{1,4}))?$/;

/** Reads `height.index`; a height alone stands before all transactions of its block. */
export function readPlace(text: string): TransactionPlace | undefined {
  const match = PLACE.exec(text);
  if (match === null) return undefined;
  return { height: Number(match[1]), index: Number(match[2] ?? 0) };
}
