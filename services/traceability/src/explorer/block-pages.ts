// Pages of blocks, of the whole chain or narrowed: walked one way by programs, both ways by people. Whatever
// narrows the list, the heights of a page are read along an index; days are first put into heights.
import type { LedgerReader } from '../ledger/read.ts';
import { findTenant } from '../lots/queries.ts';
import { heightsOfBlocks, type HeightsPage, type WantedBlocks } from './block-queries.ts';
import { readRange } from './height-range.ts';
import type { BlockFilter } from './filter.ts';
import { ABOVE_ALL, type ListQuery } from './list-query.ts';
import { readPage, toBlockItems, type BlockPage, type FoundBlocks } from './pages.ts';

/** Blocks in one order, from one end. */
export async function pageOfBlocks(reader: LedgerReader, query: ListQuery): Promise<BlockPage> {
  const { blocks, steps, next } = await loadPage(
    reader,
    await openHeights(reader, query.filter),
    query,
  );
  return { blocks: toBlockItems({ blocks, steps }), next };
}

/** A page of blocks, and where the pages on both sides of it begin. */
export interface BlockWindow extends Pick<FoundBlocks, 'blocks' | 'steps'> {
  /** What to send as `after` for the blocks that are newer than these; null when there are none. */
  readonly newer: number | null;
  /** What to send as `before` for the blocks that are older than these; null when there are none. */
  readonly older: number | null;
}

export interface WindowQuery {
  readonly before: number | undefined;
  readonly after: number | undefined;
  readonly limit: number;
}

/** Blocks, newest first: right above `after`; otherwise the newest, or the newest below `before`. */
export async function windowOfBlocks(
  reader: LedgerReader,
  { filter, ...query }: WindowQuery & { readonly filter: BlockFilter },
): Promise<BlockWindow> {
  return await readWindow(reader, await openHeights(reader, filter), query);
}

/** @param find finds the heights of the list; `BELOW_ALL` and `ABOVE_ALL` are before its first and after its last */
export async function readWindow(
  reader: LedgerReader,
  find: FindHeights,
  { before, after, limit }: WindowQuery,
): Promise<BlockWindow> {
  const offset = 0;
  const isEmpty = async (end: ListQuery['end'], behind: number): Promise<boolean> =>
    (await find({ end, behind, limit: 1, offset })).length === 0;
  if (after !== undefined) {
    const above = await loadPage(reader, find, { end: 'oldest', behind: after, limit, offset });
    // Fewer than a page are newer: the newest page, which is full.
    if (above.next !== null) {
      const { blocks, steps, next } = above;
      const lowest = blocks[0]?.height ?? next;
      const older = (await isEmpty('newest', lowest)) ? null : lowest;
      return { blocks: blocks.toReversed(), steps, newer: next, older };
    }
  }
  const behind = after === undefined ? (before ?? ABOVE_ALL) : ABOVE_ALL;
  const { blocks, steps, next } = await loadPage(reader, find, {
    end: 'newest',
    behind,
    limit,
    offset,
  });
  if (behind === ABOVE_ALL) return { blocks, steps, newer: null, older: next };
  const highest = blocks[0]?.height ?? behind - 1;
  const newer = (await isEmpty('oldest', highest)) ? null : highest;
  return { blocks, steps, newer, older: next };
}

/** Heights of a list in one order, from one end or from behind a height. */
export type FindHeights = (page: Omit<ListQuery, 'filter'>) => Promise<readonly number[]>;

async function loadPage(
  reader: LedgerReader,
  find: FindHeights,
  page: Omit<ListQuery, 'filter'>,
): Promise<FoundBlocks> {
  const { limit } = page;
  return await readPage(reader, await find({ ...page, limit: limit + 1 }), limit);
}

async function openHeights(reader: LedgerReader, filter: BlockFilter): Promise<FindHeights> {
  const { height } = await reader.head();
  const range = await readRange(reader, filter, height);
  const find = await makeFinder(reader, filter);
  return ({ end, behind, limit, offset }) =>
    find({
      above: end === 'oldest' ? Math.max(behind, range.above) : range.above,
      below: end === 'newest' ? Math.min(behind, range.below) : range.below,
      end,
      limit,
      offset,
    });
}

async function makeFinder(
  { database }: LedgerReader,
  { brand, type }: BlockFilter,
): Promise<(page: HeightsPage) => Promise<readonly number[]>> {
  if (brand === undefined && type === undefined) return (page) => Promise.resolve(heightsIn(page));
  if (type === 'GENESIS') {
    const below = brand === undefined ? 1 : 0;
    return (page) => Promise.resolve(heightsIn({ ...page, below: Math.min(page.below, below) }));
  }
  const tenant = brand === undefined ? undefined : await findTenant(database, brand);
  const wanted: WantedBlocks = {
    brand: brand === undefined ? undefined : { tenantId: brand, tenantNo: tenant?.tenantNo },
    type,
  };
  return (page) => heightsOfBlocks(database, { ...wanted, ...page });
}

/** All of a range: the heights of a chain have no gaps, so that an offset costs nothing. */
function heightsIn({ above, below, end, limit, offset }: HeightsPage): readonly number[] {
  const first = end === 'newest' ? below - 1 - offset : above + 1 + offset;
  const left = end === 'newest' ? first - above : below - first;
  const step = end === 'newest' ? -1 : 1;
  const count = Math.max(0, Math.min(limit, left));
  return Array.from({ length: count }, (_, index) => first + index * step);
}
