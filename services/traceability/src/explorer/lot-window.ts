// The chain of one lot for people: every block whose event names it, corrects one that does, or says what was decided
// about it, in the order of the chain and both ways. Without its relatives: those are in `lot-blocks.ts`.
import type { LedgerReader } from '../ledger/read.ts';
import { newestDecidedHeights } from '../lots/decided/heights.ts';
import { heightsOfLot } from '../lots/queries.ts';
import { readWindow, type BlockWindow, type FindHeights, type WindowQuery } from './block-pages.ts';
import { newestHeightsOfLots } from './pages.ts';

/**
 * Blocks of decisions that are looked through for what lies right above a height: they are found from the newest
 * one down. Of a lot with more of them a step to what is newer leads to the oldest of these, and the way to what is
 * older continues from there.
 */
const DECIDED_MAX = 10_000;

export async function windowOfLot(
  reader: LedgerReader,
  { lotNo, ...query }: WindowQuery & { readonly lotNo: number },
): Promise<BlockWindow> {
  return await readWindow(reader, buildHeightFinder(reader, lotNo), query);
}

function buildHeightFinder({ database }: LedgerReader, lotNo: number): FindHeights {
  return async ({ end, behind, limit }) => {
    if (end === 'newest') {
      const page = { below: behind, limit };
      const recorded = await newestHeightsOfLots(database, {
        lotNos: [lotNo],
        before: behind,
        limit,
      });
      const decided = await newestDecidedHeights(database, { lotNo, ...page });
      return inOrder([...recorded, ...decided], (a, b) => b - a).slice(0, limit);
    }
    const below = Number.MAX_SAFE_INTEGER;
    const all = await newestDecidedHeights(database, { lotNo, below, limit: DECIDED_MAX });
    const lowest = all.length < DECIDED_MAX ? undefined : all.at(-1);
    const above = lowest === undefined ? behind : Math.max(behind, lowest - 1);
    const recorded = await heightsOfLot(database, { lotNo, above, limit });
    const decided = all.filter((height) => height > above);
    return inOrder([...recorded, ...decided], (a, b) => a - b).slice(0, limit);
  };
}

function inOrder(
  heights: readonly number[],
  order: (a: number, b: number) => number,
): readonly number[] {
  return [...new Set(heights)].sort(order);
}
