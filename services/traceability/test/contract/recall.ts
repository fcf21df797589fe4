// What the contracts of both engines ask of the impact of a recall: each query for its answers, and those
// that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import * as impactQueries from '../../src/recall/trace/impact-queries.ts';
import * as pastQueries from '../../src/recall/past/queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantNos: readonly number[];
  readonly lotNos: readonly number[];
  readonly lotCodes: readonly string[];
  readonly heights: readonly number[];
}

const LIMITS = [1, 3, 1_000];
/** Before, among and after the holds of the ledger. */
const MOMENTS = ['2000-01-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];

/** Rows without their order, for queries that promise none. */
function unordered(rows: readonly unknown[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort();
}

function* varyList<Value>(values: readonly Value[], stranger: Value): Generator<readonly Value[]> {
  yield values.slice(0, 1);
  yield [stranger];
  yield [...values.slice(3, 8).toReversed(), stranger];
  yield values.slice(0, IN_LIST_MAX);
}

export function recallContracts(given: () => Given) {
  const lotLists = () => varyList(given().lotNos, 1_000_000);
  const heightLists = () => varyList(given().heights, 1_000_000);
  return [
    {
      file: 'recall/trace/impact-queries.ts',
      subjects: impactQueries,
      questions: {
        *impactLots(): Iterable<Question> {
          for (const list of lotLists())
            yield async ({ database }) => unordered(await impactQueries.impactLots(database, list));
        },
        *accountsPage(): Iterable<Question> {
          for (const lotNos of lotLists())
            for (const after of [
              { productSku: '', unit: '' },
              { productSku: 'FLOUR', unit: 'kg' },
            ])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  impactQueries.accountsPage(database, { lotNos, after, limit });
        },
        *linePlacesOfLots(): Iterable<Question> {
          for (const lotNos of lotLists())
            for (const above of [0, 10])
              yield async ({ database }) =>
                (
                  await impactQueries.linePlacesOfLots(database, { lotNos, above, limit: 10_000 })
                ).map(({ lotNo, places }) => ({ lotNo, places: places.split(',').sort() }));
        },
        *deliveredLots(): Iterable<Question> {
          for (const lotNos of lotLists())
            yield async ({ database }) =>
              unordered(await impactQueries.deliveredLots(database, lotNos));
        },
        *impactEvents(): Iterable<Question> {
          for (const heights of heightLists())
            yield async ({ database }) =>
              unordered(await impactQueries.impactEvents(database, heights));
        },
        *linesOfEvents(): Iterable<Question> {
          for (const heights of heightLists())
            yield async ({ database }) =>
              unordered(await impactQueries.linesOfEvents(database, heights));
        },
        *linesAt(): Iterable<Question> {
          for (const heights of heightLists())
            for (const lineNo of [0, 1, 999]) {
              const places = heights
                .slice(0, impactQueries.PLACES_PER_QUERY)
                .map((height) => ({ height, lineNo }));
              yield async ({ database }) =>
                unordered(await impactQueries.linesAt(database, places));
            }
        },
        *committingBlocks(): Iterable<Question> {
          for (const heights of heightLists())
            yield async ({ database }) =>
              unordered(await impactQueries.committingBlocks(database, heights));
        },
        *privateChangesAt(): Iterable<Question> {
          for (const heights of heightLists())
            yield async ({ database }) =>
              unordered(await impactQueries.privateChangesAt(database, heights));
        },
      },
    },
    {
      file: 'recall/past/queries.ts',
      subjects: pastQueries,
      questions: {
        *correctionsAbove(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const above of [0, 20])
              for (const limit of LIMITS)
                yield ({ database }) =>
                  pastQueries.correctionsAbove(database, { tenantNo, above, limit });
        },
        *lotsOfCodes(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const lotCodes of varyList(given().lotCodes, 'nothing'))
              yield async ({ database }) =>
                unordered(await pastQueries.lotsOfCodes(database, { tenantNo, lotCodes }));
        },
        *lotsAtMoment(): Iterable<Question> {
          for (const lotNos of lotLists())
            for (const moment of MOMENTS)
              yield async ({ database }) =>
                unordered(await pastQueries.lotsAtMoment(database, { lotNos, moment }));
        },
      },
    },
  ];
}

const many = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index + 60);

export const RECALL_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'lots of an impact': (database) => impactQueries.impactLots(database, many(500)),
  'accounts of an impact': (database) =>
    impactQueries.accountsPage(database, {
      lotNos: many(500),
      after: { productSku: '', unit: '' },
      limit: 200,
    }),
  'places of a busy lot and others': (database) =>
    impactQueries.linePlacesOfLots(database, { lotNos: many(500), above: 0, limit: 400 }),
  'places of a busy lot': (database) =>
    impactQueries.linePlacesOfLots(database, { lotNos: [77], above: 20_000, limit: 400 }),
  'events of an impact': (database) => impactQueries.impactEvents(database, many(128)),
  'lines of events of an impact': (database) => impactQueries.linesOfEvents(database, many(128)),
  'lines of an impact': (database) =>
    impactQueries.linesAt(
      database,
      many(128).map((height) => ({ height, lineNo: 0 })),
    ),
  'delivered ones of some lots': (database) => impactQueries.deliveredLots(database, many(500)),
  'blocks that commit to something': (database) =>
    impactQueries.committingBlocks(database, many(500)),
  'private changes of corrections': (database) =>
    impactQueries.privateChangesAt(database, many(500)),
  'corrections above a height': (database) =>
    pastQueries.correctionsAbove(database, { tenantNo: 1, above: 70_000, limit: 200 }),
  'lots of codes': (database) =>
    pastQueries.lotsOfCodes(database, {
      tenantNo: 1,
      lotCodes: many(500).map((number) => `LOT-${number}`),
    }),
};
