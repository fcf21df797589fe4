// Reads which open cases cover some lots, and which exclude them.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { pagesInTurns, slicesInTurns } from '@lothub/kit/in-turns';
import { cutRowSlices } from '@lothub/kit/rows/value-rows';
import { casesExcludingLots, casesOfLots, coveredAmong, excludedAmong } from './queries.ts';
import type { CoveredLot, ExcludedLot } from './queries.ts';

/** Rows of a page of lots and their cases. */
const ROWS_PER_PAGE = 1_000;

/** Open cases that exclude lots. */
export function readExcluding(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly ExcludedLot[]> {
  return readCases(database, lotNos, { among: excludedAmong, readCases: casesExcludingLots });
}

/** Open cases that cover lots. */
export function readCovered(
  database: DatabaseReader,
  lotNos: readonly number[],
): Promise<readonly CoveredLot[]> {
  return readCases(database, lotNos, { among: coveredAmong, readCases: casesOfLots });
}

/** Most lots are in no case: those that are in one are found first, each by a look-up. */
async function readCases<Row extends Pick<CoveredLot, 'lotNo' | 'caseId'>>(
  database: DatabaseReader,
  lotNos: readonly number[],
  queries: {
    readonly among: typeof coveredAmong;
    readonly readCases: (
      database: DatabaseReader,
      page: {
        readonly lotNos: readonly number[];
        readonly after: Pick<CoveredLot, 'lotNo' | 'caseId'>;
        readonly limit: number;
      },
    ) => Promise<readonly Row[]>;
  },
): Promise<readonly Row[]> {
  const found = await askForEach(database, cutRowSlices(lotNos), queries.among);
  const rows: Row[] = [];
  for await (const slice of slicesInTurns(found.flat().map(({ lotNo }) => lotNo))) {
    const pages = pagesInTurns<Pick<CoveredLot, 'lotNo' | 'caseId'>, Row>({
      start: { lotNo: 0, caseId: 0 },
      limit: ROWS_PER_PAGE,
      read: (after, limit) => queries.readCases(database, { lotNos: slice, after, limit }),
    });
    for await (const page of pages) rows.push(...page);
  }
  return rows;
}
