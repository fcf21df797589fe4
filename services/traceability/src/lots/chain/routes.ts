// GET /v1/lots/{lot_code}/chain (docs/interface/traceability.md#the-chain-of-a-lot).
import { Type } from '@lothub/kit/json-schema';
import {
  LimitQuery,
  LotCodeParams,
  NOT_FOUND,
  PAGE_DEFAULT,
  V1_ERRORS,
  V1_SECURITY,
} from '../../http.ts';
import type { App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import { CHAIN_PLACE_PATTERN, LotChainSchema } from './schema.ts';
import { lotChain, readPlace } from './lot-chain.ts';

export function lotChainRoutes(app: App, deps: { readonly reader: LedgerReader }): void {
  app.get(
    '/v1/lots/:lot_code/chain',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'getLotChain',
        summary: 'Everything that happened to a lot and the lots related to it',
        description:
          'Events of the lot, its ancestors and its descendants, oldest first, each as it was ' +
          'sealed and as it counts now. A code that only a supplier uses stands for the lots ' +
          'received under it and what was made from them. A page of very large events holds ' +
          'fewer than `limit`: follow `next`.',
        security: V1_SECURITY,
        params: LotCodeParams,
        querystring: Type.Object({
          limit: LimitQuery,
          after: Type.Optional(
            Type.String({
              pattern: CHAIN_PLACE_PATTERN,
              description:
                'Only events behind this place, as `occurred_at~id`; `next` of the page before',
              examples: ['2026-03-02T06:15:00Z~17'],
            }),
          ),
        }),
        response: { 200: LotChainSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async (request) =>
      await lotChain(deps.reader, {
        tenantId: request.tenantId,
        lotCode: request.params.lot_code,
        after: request.query.after === undefined ? undefined : readPlace(request.query.after),
        limit: request.query.limit ?? PAGE_DEFAULT,
      }),
  );
}
