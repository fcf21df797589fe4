// What the pages of the explorer are made of: the blocks of a list of heights, the heights of lots, and
// transactions, newest first.
import type { DatabaseReader } from '@lothub/kit/database';
import { nextTurn, slicesInTurns } from '@lothub/kit/in-turns';
import { cutPage } from '@lothub/kit/rows/cut-page';
import { PAGE_CHARS_MAX } from '../http.ts';
import { BLOCKS_PER_TURN, type Block, type LedgerReader } from '../ledger/read.ts';
import { readWholeSteps, type WholeSteps } from '../lots/decided/whole-steps.ts';
import { LOTS_PER_COMPOUND, endsOfLots, findTenant } from '../lots/queries.ts';
import type { EventType } from '../ledger/record/event-types.ts';
import type { BlockFilter } from './filter.ts';
import { readRange } from './height-range.ts';
import { readLotsOfChanges } from './changed-lots.ts';
import { newestTransactionCounts } from './queries.ts';
import { blockItem, listTransactions, type BlockItem, type Transaction } from './views.ts';

/** Blocks whose transactions are counted in one query: about a millisecond. */
const COUNTS_PER_QUERY = 500;

export interface BlockPage {
  readonly blocks: BlockItem[];
  /** The height after which the next page begins; null at the end. */
  readonly next: number | null;
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

export interface FoundBlocks {
  readonly blocks: readonly Block[];
  readonly steps: WholeSteps;
  readonly next: BlockPage['next'];
}

/** @param heights in the order of the list, one more than `limit` when there are more */
export async function readPage(
  reader: LedgerReader,
  heights: readonly number[],
  limit: number,
): Promise<FoundBlocks> {
  const { rows: shown, last } = cutPage(heights, limit);
  const { blocks, isCut } = await readBoundedBlocks(reader, shown);
  const steps = await readWholeSteps(reader.database, blocks);
  return { blocks, steps, next: (isCut ? blocks.at(-1)?.height : last) ?? null };
}

export function toBlockItems({
  blocks,
  steps,
}: Pick<FoundBlocks, 'blocks' | 'steps'>): BlockItem[] {
  return blocks.map((block) => blockItem(block, steps));
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

/** As a filter of blocks; a transaction is a line of an event or a change of a correction. */
export interface TransactionFilter extends Omit<BlockFilter, 'type'> {
  readonly type?: EventType | undefined;
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

/** Newest transactions before one, of the whole chain or of what a filter leaves of it. */
export async function pageOfTransactions(
  reader: LedgerReader,
  query: {
    readonly filter: TransactionFilter;
    readonly before: TransactionPlace | undefined;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<TransactionPage> {
  const { database } = reader;
  const { brand, type } = query.filter;
  const tenant = brand === undefined ? undefined : await findTenant(database, brand);
  if (brand !== undefined && tenant === undefined) return { transactions: [], next: null };
  const { height } = await reader.head();
  const { above, below } = await readRange(reader, query.filter, height);
  const before = query.before ?? { height: Number.MAX_SAFE_INTEGER, index: 0 };
  const places = await newestTransactions(database, {
    tenantNo: tenant?.tenantNo,
    ...{ type, above },
    before: before.height < below ? before : { height: below, index: 0 },
    limit: query.limit + 1,
    offset: query.offset,
  });
  const { rows: shown, last } = cutPage(places, query.limit);
  const blocks = await reader.blocks(shown.map((place) => place.height));
  const lots = await readLotsOfChanges(database, blocks);
  const byHeight = new Map(blocks.map((block) => [block.height, listTransactions(block, lots)]));
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
    readonly type: EventType | undefined;
    readonly above: number;
    readonly before: TransactionPlace;
    readonly limit: number;
    readonly offset: number;
  },
): Promise<readonly TransactionPlace[]> {
  const { tenantNo, type, above, before, limit } = page;
  const places: TransactionPlace[] = [];
  let toSkip = page.offset;
  let atMost = before.height;
  for (;;) {
    // Each block has at least one, so that no more than these are looked at.
    const wanted = Math.min(COUNTS_PER_QUERY, toSkip + limit - places.length);
    const blocks = await newestTransactionCounts(database, {
      ...{ tenantNo, type, above, atMost },
      limit: wanted,
    });
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

/** Reads `height.index`; a height alone is before all transactions of its block. */
export function readPlace(text: string): TransactionPlace | undefined {
  const match = PLACE.exec(text);
  if (match === null) return undefined;
  return { height: Number(match[1]), index: Number(match[2] ?? 0) };
}
