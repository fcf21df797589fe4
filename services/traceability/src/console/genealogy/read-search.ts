// Searches in the whole genealogy of a lot.
import { searchable } from '../../ledger/record/lot-text.ts';
import { lotPagePath } from '../paths.ts';
import type { LotNode } from './graph.ts';
import { from } from './read-answers.ts';
import { readLots, type Reading } from './read-lots.ts';

/** Lots that one search shows, the nearest first. */
const HITS_MAX = 20;

export interface FoundLot extends Pick<LotNode, 'code' | 'spoken'> {
  /** Address of the drawing of a supplier's lot; null for an own lot, to which this drawing draws the way. */
  readonly drawing: string | null;
}

export interface FoundLots {
  readonly hits: readonly FoundLot[];
  /** There may be more. */
  readonly isCut: boolean;
}

export async function searchGenealogy(reading: Reading, text: string): Promise<FoundLots> {
  const { seed, brand } = reading;
  const { ways, isCut } = await reading.ways.findByText(from(reading), {
    ...{ text, limit: HITS_MAX },
    skipped: new Set(seed.kind === 'lot' ? [seed.lotNo] : []),
  });
  const lots = await readLots(
    reading,
    ways.flatMap((way) => way.slice(-1)),
  );
  const wanted = searchable(text);
  const hits = lots.flatMap(({ kind, code, spoken }): readonly FoundLot[] => {
    if (kind === 'lot') return [{ code, spoken, drawing: null }];
    // Of the suppliers' lots beside the found lots, those that match the search themselves.
    if (code === '' || !searchable(spoken).includes(wanted)) return [];
    return [{ code, spoken, drawing: lotPagePath(brand, code, 'genealogy') }];
  });
  return { hits: hits.slice(0, HITS_MAX), isCut: isCut || hits.length > HITS_MAX };
}
