// What the contracts of both engines ask for the pages on which a brand sets what consumers read: each query for its
// answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import * as profileQueries from '../../src/console/profile/queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly tenantNos: readonly number[];
  readonly heights: readonly number[];
}

const TOP = Number.MAX_SAFE_INTEGER;
const SUBJECTS = ['brand', 'product:SKU', 'place:PLANT-1', 'nothing'];
const LIMITS = [1, 50];

export function profileContracts(given: () => Given) {
  return [
    {
      file: 'console/profile/queries.ts',
      subjects: profileQueries,
      questions: {
        *heightsOfSubject(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const subject of SUBJECTS)
              for (const below of [TOP, 9])
                for (const limit of LIMITS)
                  yield ({ database }) =>
                    profileQueries.heightsOfSubject(database, { tenantId, subject, below, limit });
        },
        *changersOfBlocks(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const entityId of [tenantId, 'lot', 'nothing'])
              for (const heights of [given().heights.slice(0, 500), [-1]])
                yield ({ database }) =>
                  profileQueries.changersOfBlocks(database, { tenantId, entityId, heights });
        },
        *skusOfNewestLots(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                profileQueries.skusOfNewestLots(database, { tenantNo, limit });
        },
        *suppliersOfNewestReceipts(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                profileQueries.suppliersOfNewestReceipts(database, { tenantNo, limit });
        },
        *linkedNames(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const names of [['Mill %', 'gone', 'mill %'], ['nothing']])
              yield async ({ database }) =>
                [...(await profileQueries.linkedNames(database, { tenantId, names }))].sort();
        },
        *findNewestLot(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const sku of [undefined, 'SKU', 'nothing'])
              for (const limit of LIMITS)
                yield async ({ database }) =>
                  (await profileQueries.findNewestLot(database, { tenantNo, sku, limit })) ??
                  'none';
        },
        *readNewestEvents(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of LIMITS)
              yield ({ database }) =>
                profileQueries.readNewestEvents(database, { tenantNo, limit });
        },
      },
    },
  ];
}

const ofTenant = { tenantNo: 1, limit: 500 } as const;

/** Queries whose plans look at no more rows than their lists and limits allow. */
export const PROFILE_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'decisions on a subject': (database) =>
    profileQueries.heightsOfSubject(database, {
      ...{ tenantId: 't1', subject: 'brand', below: TOP, limit: 21 },
    }),
  'SKUs of the newest lots': (database) => profileQueries.skusOfNewestLots(database, ofTenant),
  'suppliers of the newest receipts': (database) =>
    profileQueries.suppliersOfNewestReceipts(database, ofTenant),
  'names of suppliers that are linked': (database) =>
    profileQueries.linkedNames(database, { tenantId: 't1', names: ['Mill 3', 'Mill 4'] }),
  'the newest lot of a product': (database) =>
    profileQueries.findNewestLot(database, { ...ofTenant, sku: 'SKU' }),
  'the newest events with their lines': (database) =>
    profileQueries.readNewestEvents(database, ofTenant),
};
