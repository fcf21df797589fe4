// What the contracts of both engines ask of GTINs and of the recalls that pages and feeds show: each query for its
// answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import * as linkQueries from '../../src/digital-link/queries.ts';
import * as shownQueries from '../../src/lots/notices/shown-queries.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly lotCodes: readonly string[];
}

const TOP = Number.MAX_SAFE_INTEGER;
const GTINS = [['4006381333931', '04006381333931'], ['96385074']];
const SINCE = ['2020-01-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z', '2999-01-01T00:00:00.000Z'];
const CASE_NOS = ['RC-2026-0001', 'RC-2026-0002', 'RC-2026-0003', "RC'"];

export function packageContracts(given: () => Given) {
  const tenants = () => [undefined, ...given().tenantIds];
  const codes = () => given().lotCodes.slice(0, 12);
  return [
    {
      file: 'digital-link/queries.ts',
      subjects: linkQueries,
      questions: {
        *claimsOfGtin(): Iterable<Question> {
          for (const gtins of GTINS)
            for (const tenantId of tenants())
              for (const limit of [1, 50])
                yield ({ database }) =>
                  linkQueries.claimsOfGtin(database, { gtins, tenantId, limit });
        },
        *lotsOfClaimants(): Iterable<Question> {
          for (const gtins of GTINS)
            for (const tenantId of tenants())
              for (const lotCode of codes())
                yield ({ database }) =>
                  linkQueries.lotsOfClaimants(database, { gtins, lotCode, tenantId, limit: 5 });
        },
      },
    },
    {
      file: 'lots/notices/shown-queries.ts',
      subjects: shownQueries,
      questions: {
        *shownCases(): Iterable<Question> {
          for (const closedSince of SINCE)
            for (const tenantId of tenants())
              for (const lotCode of [undefined, ...codes(), 'nothing'])
                for (const [side, caseId, limit] of [
                  ['below', TOP, 50],
                  ['below', 2, 1],
                  ['above', 0, 1],
                  ['above', 1, 50],
                ] as const) {
                  const page = { closedSince, tenantId, lotCode, side, caseId, limit };
                  yield ({ database }) => shownQueries.shownCases(database, page);
                }
        },
        *findPublicCase(): Iterable<Question> {
          for (const caseNo of CASE_NOS)
            yield async ({ database }) =>
              (await shownQueries.findPublicCase(database, caseNo)) ?? 'none';
        },
        *lastChangedCases(): Iterable<Question> {
          for (const endedSince of SINCE)
            for (const updatedAt of [undefined, ...SINCE])
              for (const limit of [1, 50]) {
                const after = updatedAt === undefined ? undefined : { updatedAt, caseId: 2 };
                yield ({ database }) =>
                  shownQueries.lastChangedCases(database, { endedSince, after, limit });
              }
        },
        *casesCoveringLots(): Iterable<Question> {
          for (const lotCodes of [codes(), ['nothing'], codes().slice(0, 1)])
            for (const limit of [1, 50])
              yield ({ database }) => shownQueries.casesCoveringLots(database, { lotCodes, limit });
        },
      },
    },
  ];
}

/** One product in a hundred claims the GTIN that is requested, beside those of other brands. */
export const PACKAGE_FILL = `
  insert into products (tenant_id, sku, names, gtin, updated_at, height)
    select 't' || 1 + n % 3, 'SKU-' || n, '{}',
      case when n % 100 = 0 then '4006381333931' else lpad(n::text, 13, '0') end, '', n
    from generate_series(1, 20000) n;
`;

export const PACKAGE_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'claims of a GTIN': (database) =>
    linkQueries.claimsOfGtin(database, {
      gtins: ['4006381333931', '04006381333931'],
      tenantId: undefined,
      limit: 101,
    }),
  'lots of claimants': (database) =>
    linkQueries.lotsOfClaimants(database, {
      gtins: ['4006381333931', '04006381333931'],
      lotCode: 'LOT-11',
      tenantId: undefined,
      limit: 101,
    }),
  'cases that are shown': (database) =>
    shownQueries.shownCases(database, {
      closedSince: '2999',
      tenantId: undefined,
      lotCode: undefined,
      side: 'below',
      caseId: TOP,
      limit: 21,
    }),
  'a public case': (database) => shownQueries.findPublicCase(database, 'RC-3600'),
  'cases that changed last': (database) =>
    shownQueries.lastChangedCases(database, { endedSince: '2999', after: undefined, limit: 51 }),
  'cases that cover lots': (database) =>
    shownQueries.casesCoveringLots(database, { lotCodes: ['LOT-11', 'LOT-12'], limit: 2_000 }),
};
