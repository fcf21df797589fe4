// What the contracts of both engines ask of the links of suppliers and of what came in from them: each query for
// its answers, and those that could grow for their plans.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import * as inboundQueries from '../../src/recall/inbound/queries.ts';
import * as supplierQueries from '../../src/suppliers/queries.ts';
import { STRANGE_CODES } from '../rich-ledger.ts';

type Question = (side: { readonly database: DatabaseReader }) => Promise<unknown>;

/** What there is to ask for; known when the ledger has been built. */
export interface Given {
  readonly tenantIds: readonly string[];
  readonly tenantNos: readonly number[];
  readonly lotNos: readonly number[];
}

const NAMES = ['Mill %', 'Mühle\t"3"\\N', 'gone', 'mill %'];
const CODES = [...STRANGE_CODES, ...STRANGE_CODES.map((code) => `S ${code}`)];

export function supplierContracts(given: () => Given) {
  return [
    {
      file: 'suppliers/queries.ts',
      subjects: supplierQueries,
      questions: {
        *findLink(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const name of NAMES)
              yield async ({ database }) =>
                (await supplierQueries.findLink(database, { tenantId, name })) ?? 'none';
        },
        *linksBehind(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const after of [undefined, ...NAMES])
              for (const limit of [1, 50])
                yield ({ database }) =>
                  supplierQueries.linksBehind(database, { tenantId, after, limit });
        },
        *countLinks(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            yield ({ database }) => supplierQueries.countLinks(database, tenantId);
        },
        *isBrand(): Iterable<Question> {
          for (const tenantId of [...given().tenantIds, 'nobody'])
            yield ({ database }) => supplierQueries.isBrand(database, tenantId);
        },
      },
    },
    {
      file: 'recall/inbound/queries.ts',
      subjects: inboundQueries,
      questions: {
        *codesReceived(): Iterable<Question> {
          for (const tenantId of given().tenantIds)
            for (const tenantNo of given().tenantNos)
              for (const brand of given().tenantIds)
                for (const lotNos of [given().lotNos.slice(0, 500), [1_000_000]])
                  yield async ({ database }) => {
                    const asked = { tenantId, tenantNo, brand, lotNos };
                    return (await inboundQueries.codesReceived(database, asked)).toSorted();
                  };
        },
        *receivedUnderCodes(): Iterable<Question> {
          const size = inboundQueries.CODES_PER_COMPOUND;
          for (const tenantId of given().tenantIds)
            for (const tenantNo of given().tenantNos)
              for (const brand of given().tenantIds)
                for (const codes of [...cutSlices(CODES, size), ['nothing']])
                  yield async ({ database }) => {
                    const asked = { tenantId, tenantNo, brand, codes, limit: 1_000 };
                    const rows = await inboundQueries.receivedUnderCodes(database, asked);
                    return rows.map((row) => JSON.stringify(row)).toSorted();
                  };
        },
        *newestOwnCases(): Iterable<Question> {
          for (const tenantNo of given().tenantNos)
            for (const limit of [1, 50])
              yield ({ database }) => inboundQueries.newestOwnCases(database, { tenantNo, limit });
        },
      },
    },
  ];
}

/** Rows for `SUPPLIER_PLANS`, beside what the plans of other queries need. */
export const SUPPLIER_FILL = `
  insert into suppliers (tenant_id, name, brand, linked_at)
    select 't' || n % 3 + 1, 'Mill ' || n, 't' || (n + 1) % 3 + 1, '' from generate_series(1, 20000) n;
`;

const MANY_LOTS = Array.from({ length: 500 }, (_, index) => 1_000 + index);
const MANY_CODES = MANY_LOTS.slice(0, 32).map((lotNo) => `LOT-${lotNo}`);

/** Queries whose plans look at no more rows than their lists and limits allow. */
export const SUPPLIER_PLANS: Readonly<
  Record<string, (database: DatabaseReader) => Promise<unknown>>
> = {
  'a link of a supplier': (database) =>
    supplierQueries.findLink(database, { tenantId: 't1', name: 'Mill 3' }),
  'links of suppliers': (database) =>
    supplierQueries.linksBehind(database, { tenantId: 't1', after: 'Mill 3', limit: 200 }),
  'lots under whose codes something came in': (database) =>
    inboundQueries.codesReceived(database, {
      ...{ tenantId: 't1', tenantNo: 1, brand: 't2', lotNos: MANY_LOTS },
    }),
  'what came in under many codes': (database) =>
    inboundQueries.receivedUnderCodes(database, {
      ...{ tenantId: 't1', tenantNo: 1, brand: 't2', codes: MANY_CODES, limit: 2_000 },
    }),
  'newest own cases': (database) =>
    inboundQueries.newestOwnCases(database, { tenantNo: 1, limit: 200 }),
};
