// Reads the lots that people have added to a case or excluded from it.
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { lotsByHand } from './queries.ts';

/** Lots that are read in one query. */
const LOTS_PER_PAGE = 1_000;

/** By the numbers of the lots. */
export interface LotsByHand {
  /** Further seeds. */
  readonly added: ReadonlySet<number>;
  /** Lots that the case never covers, whatever a trace finds. */
  readonly excluded: ReadonlySet<number>;
}

export const NOTHING_BY_HAND: LotsByHand = { added: new Set(), excluded: new Set() };

export async function readLotsByHand(
  database: DatabaseReader,
  caseId: number,
): Promise<LotsByHand> {
  const found = { added: new Set<number>(), excluded: new Set<number>() };
  const pages = pagesInTurns({
    start: { lotNo: 0 },
    limit: LOTS_PER_PAGE,
    read: ({ lotNo: after }, limit) => lotsByHand(database, { caseId, after, limit }),
  });
  for await (const page of pages) for (const { lotNo, said } of page) found[said].add(lotNo);
  return found;
}
