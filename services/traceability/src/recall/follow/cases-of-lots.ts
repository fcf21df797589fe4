// Reads which open cases cover some lots, and which exclude them.
import type { DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { casesExcludingLots, casesOfLots } from './queries.ts';
import type { CoveredLot, ExcludedLot } from './queries.ts';

/** Rows of a page of lots and their cases. */
const ROWS_PER_PAGE = 1_000;

/** Open cases that exclude lots. */
export async function readExcluding(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly ExcludedLot[]> {
  const excluding: ExcludedLot[] = [];
  for await (const slice of slicesInTurns(lotNos)) {
    const pages = pagesInTurns({
      start: { lotNo: 0, caseId: 0 },
      limit: ROWS_PER_PAGE,
      read: (after, limit) => casesExcludingLots(database, { lotNos: slice, after, limit }),
    });
    for await (const page of pages) excluding.push(...page);
  }
  return excluding;
}

export async function readCovered(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly CoveredLot[]> {
  const covered: CoveredLot[] = [];
  for await (const slice of slicesInTurns(lotNos)) {
    const pages = pagesInTurns({
      start: { lotNo: 0, caseId: 0 },
      limit: ROWS_PER_PAGE,
      read: (after, limit) => casesOfLots(database, { lotNos: slice, after, limit }),
    });
    for await (const page of pages) covered.push(...page);
  }
  return covered;
}
