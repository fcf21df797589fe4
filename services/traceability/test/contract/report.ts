// What the contracts of both engines ask of the report of a recall case: each query for its answers, and
// those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import * as reportQueries from '../../src/recall/report/report-queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly lotNos: readonly number[];
  readonly heights: readonly number[];
}

const CASE_IDS = [1, 2, 3];
const LONG_AGO = '2000-01-01T00:00:00.000Z';

export function reportContracts(given: () => Given) {
  return [
    {
      file: 'recall/report/report-queries.ts',
      subjects: reportQueries,
      questions: {
        *findReportBrand(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            yield async ({ database }) =>
              (await reportQueries.findReportBrand(database, tenantId)) ?? 'none';
        },
        *scopeChanges(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const limit of [1, 1_000])
              yield ({ database }) =>
                reportQueries.scopeChanges(database, { caseId, openedAt: LONG_AGO, limit });
        },
        *mentionsOfLots(): Iterable<Question> {
          const { lotNos } = given();
          for (const after of [
            { lotNo: 0, height: 0 },
            { lotNo: 3, height: 10 },
          ])
            for (const limit of [1, 1_000])
              yield ({ database }) =>
                reportQueries.mentionsOfLots(database, {
                  lotNos: lotNos.slice(0, IN_LIST_MAX),
                  after,
                  limit,
                });
        },
        *correctionsAmong(): Iterable<Question> {
          for (const heights of [[1], given().heights.slice(0, IN_LIST_MAX)])
            yield ({ database }) => reportQueries.correctionsAmong(database, heights);
        },
      },
    },
  ];
}

const MANY_LOTS = Array.from({ length: IN_LIST_MAX }, (_, index) => 10_000 + index);

/** Queries whose plans look at no more rows than their limits and what they ask for allow. */
export const REPORT_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'when the lots of a case changed': (database) =>
    reportQueries.scopeChanges(database, { caseId: 1, openedAt: LONG_AGO, limit: 100 }),
  'mentions of lots': (database) =>
    reportQueries.mentionsOfLots(database, {
      lotNos: MANY_LOTS,
      after: { lotNo: 0, height: 0 },
      limit: 1_000,
    }),
  'corrections among blocks': (database) => reportQueries.correctionsAmong(database, MANY_LOTS),
};
