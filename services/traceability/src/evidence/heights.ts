// Which blocks an evidence file of a lot contains: those of its steps and quantities, all corrections of
// them, and the decisions about the lot.
import { present } from '@lothub/kit/present';
import { placesOfCorrections } from '../ledger/effective-reader.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { newestDecidedHeights } from '../lots/decided/heights.ts';
import { pagesOfLot } from '../lots/queries.ts';
import type { WayToLot } from '../verification/way-reader.ts';

/** Heights of a lot read in one query. */
const HEIGHTS_PER_PAGE = 500;

/**
 * Heights in ascending order, block 0 among them: it shows which chain the others are of.
 * @param blocksMax ends the search as soon as there are more
 */
export async function heightsOfEvidence(
  reader: LedgerReader,
  lot: {
    readonly lotNo: number;
    readonly codesAt: WayToLot['codesAt'];
    readonly blocksMax: number;
  },
): Promise<readonly number[]> {
  const { database } = reader;
  const heights = new Set<number>([0]);
  const add = async (some: readonly number[]): Promise<void> => {
    for (const height of some) heights.add(height);
    for (const { height } of await placesOfCorrections(database, some)) heights.add(height);
  };
  const pages = pagesOfLot(database, { lotNo: lot.lotNo, above: 0, limit: HEIGHTS_PER_PAGE });
  for await (const page of pages) {
    await add(page);
    if (heights.size > lot.blocksMax) break;
  }
  await add([...lot.codesAt.keys()].filter((height) => !heights.has(height)));
  const decided = { lotNo: lot.lotNo, below: Number.MAX_SAFE_INTEGER, limit: lot.blocksMax };
  for (const height of await newestDecidedHeights(database, decided)) heights.add(height);
  return [...heights].sort((a, b) => a - b);
}

/** The largest of heights in ascending order. */
export function getLast(heights: readonly number[]): number {
  return present(heights.at(-1), 'the last height');
}
