// Searches in the whole genealogy of a lot.
import { findWaysByText } from '../../lots/genealogy/ways.ts';
import type { LotNode } from './graph.ts';
import { readLots } from './read-lots.ts';
import type { Reading } from './read-lots.ts';

/** Lots that one search shows, the nearest first. */
const HITS_MAX = 20;

export interface FoundLots {
  readonly hits: readonly Pick<LotNode, 'code' | 'spoken'>[];
  /** There may be more. */
  readonly isCut: boolean;
}

export async function searchGenealogy(
  reading: Reading,
  seedNo: number,
  text: string,
): Promise<FoundLots> {
  const { database, tenantNo } = reading;
  const { ways, isCut } = await findWaysByText(
    { database, tenantNo, lotNo: seedNo },
    { text, limit: HITS_MAX },
  );
  const lots = await readLots(
    reading,
    ways.flatMap((way) => way.slice(-1)),
  );
  const own = lots.filter(({ kind }) => kind === 'lot');
  return { hits: own.map(({ code, spoken }) => ({ code, spoken })), isCut };
}
