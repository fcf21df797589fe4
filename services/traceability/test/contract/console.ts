// What the contracts of both engines ask for the console's frame, its list of brands, its form of one event and its
// imports: each query for its answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import * as hubQueries from '../../src/console/hub/queries.ts';
import * as importQueries from '../../src/console/imports/queries.ts';
import * as frameQueries from '../../src/console/queries.ts';
import * as recordQueries from '../../src/console/record/queries.ts';
import * as postings from '../../src/ledger/postings/find-posting.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly heights: readonly number[];
}

const LIMITS = [1, 50];
/** Before and after whatever the ledger has of imports. */
const MOMENTS = ['', '2026-03-04T00:00:00.000Z', '9999'];

export function consoleContracts(given: () => Given) {
  const tenants = (): readonly string[] => [...given().tenantIds, 'nobody', 'ACME', "o'"];
  return [
    {
      file: 'console/queries.ts',
      subjects: frameQueries,
      questions: {
        *namesOfBrands(): Iterable<Question> {
          for (const tenantIds of [tenants(), tenants().slice(0, 1), []])
            yield async ({ database }) =>
              [...(await frameQueries.namesOfBrands(database, tenantIds))].sort();
        },
        *findBrand(): Iterable<Question> {
          for (const tenantId of tenants())
            yield async ({ database }) =>
              (await frameQueries.findBrand(database, tenantId)) ?? 'none';
        },
      },
    },
    {
      file: 'console/hub/queries.ts',
      subjects: hubQueries,
      questions: {
        *tenantsAfter(): Iterable<Question> {
          for (const after of ['', ...tenants()])
            for (const limit of LIMITS)
              yield ({ database }) => hubQueries.tenantsAfter(database, { after, limit });
        },
      },
    },
    {
      file: 'console/record/queries.ts',
      subjects: recordQueries,
      questions: {
        *findSkuOfGtin(): Iterable<Question> {
          for (const tenantId of tenants())
            for (const gtins of [['04006381333931', '4006381333931'], ['4006381333932']])
              yield async ({ database }) =>
                (await recordQueries.findSkuOfGtin(database, { tenantId, gtins })) ?? 'none';
        },
      },
    },
    {
      file: 'ledger/postings/find-posting.ts',
      subjects: { findPosting: postings.findPosting },
      questions: {
        *findPosting(): Iterable<Question> {
          for (const height of [...given().heights, 1_000_000])
            yield async ({ database }) => (await postings.findPosting(database, height)) ?? 'none';
        },
      },
    },
    {
      file: 'console/imports/queries.ts',
      subjects: importQueries,
      questions: {
        *filesWaiting(): Iterable<Question> {
          for (const tenantId of tenants())
            for (const since of MOMENTS)
              for (const limit of LIMITS)
                yield async ({ database }) =>
                  `${await importQueries.filesWaiting(database, { tenantId, since, limit })} wait`;
        },
        *placesOfEvents(): Iterable<Question> {
          for (const tenantId of tenants())
            yield ({ database }) => importQueries.placesOfEvents(database, tenantId);
        },
      },
    },
  ];
}

/** Queries whose plans look at no more rows than their lists and limits allow. */
export const CONSOLE_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'brands behind one': (database) => hubQueries.tenantsAfter(database, { after: 't1', limit: 50 }),
  'a brand': (database) => frameQueries.findBrand(database, 't1'),
  'the product of a GTIN': (database) =>
    recordQueries.findSkuOfGtin(database, { tenantId: 't1', gtins: ['4006381333931'] }),
  'files of a brand that wait': (database) =>
    importQueries.filesWaiting(database, { tenantId: 't1', since: '', limit: 5 }),
  'who posted an event': (database) => postings.findPosting(database, 77),
  'places that a field proposes': (database) => importQueries.placesOfEvents(database, 't1'),
};
