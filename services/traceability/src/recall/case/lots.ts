// The lots that a case covers, read page by page.
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns } from '@lothub/kit/in-turns';
import { lotsOfCase, type LotOfCase } from './lot-queries.ts';

/** Lots that are read in one query. */
const LOTS_PER_PAGE = 1_000;

/** Reads the lots of a case, by the number of the lot. */
export async function readLotsOfCase(
  database: DatabaseReader,
  caseId: number,
): Promise<Map<number, LotOfCase>> {
  const known = new Map<number, LotOfCase>();
  const pages = pagesInTurns({
    start: { lotNo: 0 },
    limit: LOTS_PER_PAGE,
    read: ({ lotNo: after }, limit) => lotsOfCase(database, { caseId, after, limit }),
  });
  for await (const page of pages) for (const row of page) known.set(row.lotNo, row);
  return known;
}
