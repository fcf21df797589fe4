// What the contracts of both engines ask of recall cases and of their notices: each query for its
// answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import { recallHeights } from '../../src/lots/decided/recalls.ts';
import * as noticeQueries from '../../src/lots/notices/queries.ts';
import * as caseRows from '../../src/recall/case/rows.ts';
import * as pageQueries from '../../src/console/cases/queries.ts';
import { CASE_STATUSES, NOTIFICATION_STATUSES, SEVERITIES } from '../../src/terms.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly tenantNos: readonly number[];
  readonly lotNos: readonly number[];
  readonly lotCodes: readonly string[];
}

const TOP = Number.MAX_SAFE_INTEGER;
const CASE_IDS = [1, 2, 3];
const CASE_NOS = ['RC-2026-0001', 'RC-2026-0002', 'RC-2026-0003', "RC'"];
const NO_FILTER = {
  status: undefined,
  severity: undefined,
  isOpen: undefined,
  seedLotCode: undefined,
};

/** Each filter alone, and some together. */
function* filters(given: Given): Generator<caseRows.CaseFilter> {
  yield NO_FILTER;
  for (const status of CASE_STATUSES) yield { ...NO_FILTER, status };
  for (const severity of SEVERITIES) yield { ...NO_FILTER, severity };
  for (const isOpen of [true, false]) yield { ...NO_FILTER, isOpen, status: 'notification' };
  for (const seedLotCode of given.lotCodes.slice(0, 5)) yield { ...NO_FILTER, seedLotCode };
}

export function caseContracts(given: () => Given) {
  return [
    {
      file: 'console/cases/queries.ts',
      subjects: pageQueries,
      questions: {
        *countsOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => pageQueries.countsOfCase(database, caseId);
        },
        *searchScope(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const part of pageQueries.SCOPE_PARTS)
              for (const text of [undefined, 'LOT', 'ß%', 'lot_'])
                for (const [above, limit] of [
                  [0, 200],
                  [2, 1],
                ] as const) {
                  const page = { caseId, part, text, above, limit };
                  yield ({ database }) => pageQueries.searchScope(database, page);
                }
        },
        *findSender(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            yield async ({ database }) =>
              (await pageQueries.findSender(database, tenantId)) ?? 'none';
        },
        *nextNotification(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const status of NOTIFICATION_STATUSES)
              for (const behind of [0, 2, TOP])
                yield async ({ database }) =>
                  (await pageQueries.nextNotification(database, { caseId, status, behind })) ??
                  'none';
        },
      },
    },
    {
      file: 'lots/notices/queries.ts',
      subjects: noticeQueries,
      questions: {
        *newestOpenCases(): Iterable<Question> {
          for (const tenantId of [undefined, ...given().tenantIds])
            for (const lotCode of [undefined, ...given().lotCodes.slice(0, 9), 'nothing'])
              for (const [below, limit] of [
                [TOP, 50],
                [2, 1],
              ] as const) {
                const page = { tenantId, lotCode, below, limit };
                yield ({ database }) => noticeQueries.newestOpenCases(database, page);
              }
        },
        *newestCasesOfSuppliers(): Iterable<Question> {
          for (const receiver of given().tenantIds)
            for (const state of ['open', 'all'] as const)
              for (const caseNo of [undefined, ...CASE_NOS])
                for (const [below, limit] of [
                  [TOP, 50],
                  [2, 1],
                ] as const) {
                  const page = { receiver, state, caseNo, below, limit };
                  yield ({ database }) => noticeQueries.newestCasesOfSuppliers(database, page);
                }
        },
        *findOpenCase(): Iterable<Question> {
          for (const caseNo of CASE_NOS)
            yield async ({ database }) =>
              (await noticeQueries.findOpenCase(database, caseNo)) ?? 'none';
        },
        *findOpenCaseByNo(): Iterable<Question> {
          for (const caseNo of CASE_NOS)
            yield async ({ database }) =>
              (await noticeQueries.findOpenCaseByNo(database, caseNo)) ?? 'none';
        },
        *findBrandOfNotices(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody']) {
            yield async ({ database }) =>
              (await noticeQueries.findBrandOfNotices(database, tenantId)) ?? 'none';
          }
        },
        *openCasesOfLot(): Iterable<Question> {
          for (const lotNo of given().lotNos)
            for (const limit of [1, 50])
              yield ({ database }) => noticeQueries.openCasesOfLot(database, { lotNo, limit });
        },
        *openCaseCounts(): Iterable<Question> {
          for (const size of [1, 3, 500])
            yield async ({ database }) => {
              const lotNos = given().lotNos.slice(0, size);
              const rows = await noticeQueries.openCaseCounts(database, lotNos);
              return rows.toSorted((a, b) => a.lotNo - b.lotNo);
            };
        },
        *firstLotsOfCases(): Iterable<Question> {
          for (const caseIds of [[1], [2, 1], CASE_IDS])
            for (const above of [0, 12])
              for (const limit of [1, 100])
                yield ({ database }) =>
                  noticeQueries.firstLotsOfCases(database, { caseIds, above, limit });
        },
        *skusOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => noticeQueries.skusOfCase(database, caseId);
        },
      },
    },
    {
      file: 'recall/case/rows.ts',
      subjects: caseRows,
      questions: {
        *findCase(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const caseNo of CASE_NOS)
              yield async ({ database }) =>
                (await caseRows.findCase(database, { tenantId, caseNo })) ?? 'none';
        },
        *newestCases(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const filter of filters(given()))
              for (const [below, offset] of [
                [TOP, 0],
                [TOP, 1],
                [2, 0],
              ] as const) {
                const page = { ...filter, tenantId, below, offset, limit: 50 };
                yield ({ database }) => caseRows.newestCases(database, page);
              }
        },
        *countCases(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const filter of filters(given()))
              for (const limit of [1, 50])
                yield ({ database }) =>
                  caseRows.countCases(database, { ...filter, tenantId, limit });
        },
        *lastErasure(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            yield ({ database }) => caseRows.lastErasure(database, tenantId);
        },
        *lastCaseId(): Iterable<Question> {
          yield ({ database }) => caseRows.lastCaseId(database);
        },
        *openCasesOnSeed(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const seedLotCode of ['lot', ...given().lotCodes.slice(0, 9)])
              for (const limit of [1, 10]) {
                const page = { tenantNo, seedLotCode, limit };
                yield ({ database }) => caseRows.openCasesOnSeed(database, page);
              }
        },
        *movesOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            yield ({ database }) => caseRows.movesOfCase(database, caseId);
        },
        *scopeRows(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const above of [0, 12])
              for (const limit of [2, 1_000])
                yield ({ database }) => caseRows.scopeRows(database, { caseId, above, limit });
        },
        *lotsOfCase(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const which of ['covered', 'left', 'all'] as const)
              for (const limit of [2, 1_000])
                yield ({ database }) =>
                  caseRows.lotsOfCase(database, { caseId, which, above: 6, limit });
        },
        *countScope(): Iterable<Question> {
          for (const caseId of CASE_IDS)
            for (const caseNo of CASE_NOS)
              yield ({ database }) => caseRows.countScope(database, { caseId, caseNo });
        },
      },
    },
  ];
}

/** Open, like every ninth of the cases that the dashboard's plans fill in. */
const BIG_CASE = 3_600;
const CASES = 5_000;

/** Rows for `CASE_PLANS`, beside what the plans of other queries need. */
export const CASE_FILL = `
  insert into recall_lots (case_id, lot_no, relation, distance, in_snapshot, entered_at,
      entered_height)
    select case when n % 2 = 0 then ${BIG_CASE} else 1 + n % ${CASES} end, n, 'downstream', 1, 1,
      '', n
    from generate_series(1, 20000) n
    on conflict do nothing;
  insert into recall_lots (case_id, lot_no, relation, distance, in_snapshot, entered_at,
      entered_height)
    select n, 7, 'downstream', 1, 1, '', n from generate_series(1, ${CASES}) n
    on conflict do nothing;
  insert into recall_moves (case_id, move_no, to_status, moved_at)
    select n, 1, 'investigation', '' from generate_series(1, ${CASES}) n;
`;

const MANY_LOTS = Array.from({ length: 500 }, (_, index) => 10_000 + index);

/** Queries whose plans look at no more rows than their limits and the number of open cases allow. */
export const CASE_PLANS: Readonly<Record<string, (database: DatabaseReader) => Promise<unknown>>> =
  {
    'open cases': (database) =>
      noticeQueries.newestOpenCases(database, {
        tenantId: undefined,
        lotCode: undefined,
        below: TOP,
        limit: 201,
      }),
    'open cases that cover a lot code': (database) =>
      noticeQueries.newestOpenCases(database, {
        tenantId: 't1',
        lotCode: 'LOT-11',
        below: TOP,
        limit: 50,
      }),
    'blocks of the cases of a lot': (database) =>
      recallHeights(database, { lotNo: 8, below: TOP, limit: 201 }),
    'cases of suppliers': (database) =>
      noticeQueries.newestCasesOfSuppliers(database, {
        ...{ receiver: 't1', state: 'all', caseNo: undefined, below: TOP, limit: 50 },
      }),
    'an open case': (database) => noticeQueries.findOpenCase(database, 'RC-3600'),
    'open cases of a lot': (database) =>
      noticeQueries.openCasesOfLot(database, { lotNo: 12, limit: 51 }),
    'open cases of many lots': (database) => noticeQueries.openCaseCounts(database, MANY_LOTS),
    'first lots of cases': (database) =>
      noticeQueries.firstLotsOfCases(database, {
        caseIds: [BIG_CASE, 9, 18],
        above: 5_000,
        limit: 101,
      }),
    'a case': (database) => caseRows.findCase(database, { tenantId: 't1', caseNo: 'RC-3600' }),
    'newest cases': (database) =>
      caseRows.newestCases(database, {
        ...NO_FILTER,
        tenantId: 't1',
        below: TOP,
        offset: 0,
        limit: 51,
      }),
    'counting cases': (database) =>
      caseRows.countCases(database, { ...NO_FILTER, tenantId: 't1', limit: 1_001 }),
    'the last erasure': (database) => caseRows.lastErasure(database, 't1'),
    'the last case': (database) => caseRows.lastCaseId(database),
    'moves of a case': (database) => caseRows.movesOfCase(database, BIG_CASE),
    'lots of a case': (database) =>
      caseRows.lotsOfCase(database, {
        caseId: BIG_CASE,
        which: 'covered',
        above: 5_000,
        limit: 51,
      }),
    'a part of the scope of a case': (database) =>
      pageQueries.searchScope(database, {
        ...{ caseId: BIG_CASE, part: 'covered', text: undefined, above: 5_000, limit: 51 },
      }),
    'rows of a scope': (database) =>
      caseRows.scopeRows(database, { caseId: BIG_CASE, above: 5_000, limit: 1_000 }),
  };
