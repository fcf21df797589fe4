// POST /v1/lots/holds: holds or releases many lots in one call.
import type { Clock } from '@lothub/kit/clock';
import { BATCH_BYTES_MAX } from '../events/schema.ts';
import {
  NOT_FOUND,
  RULE_BROKEN,
  SUPPLIER_NEEDED,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../http.ts';
import type { App } from '../http.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { holdMany } from './many.ts';
import { HELD_LOTS_MAX, HoldsAnswerSchema, HoldsRequestSchema } from './schema.ts';

export function holdsRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly clock: Clock },
): void {
  app.post(
    '/v1/lots/holds',
    {
      config: { keyNeeds: 'all' },
      bodyLimit: BATCH_BYTES_MAX,
      schema: {
        tags: ['Lots'],
        operationId: 'holdLots',
        summary: 'Hold or release many lots by hand',
        description:
          `All or none, in one transaction: \`lots\`, at most ${HELD_LOTS_MAX}, or what a simulation of ` +
          'a recall finds now. Lots that are held or free already stay as they are. Holds of recall ' +
          'cases are not touched.',
        security: V1_SECURITY,
        body: HoldsRequestSchema,
        response: {
          200: HoldsAnswerSchema,
          ...NOT_FOUND,
          ...SUPPLIER_NEEDED,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) =>
      await holdMany(deps, {
        tenantId: request.tenantId,
        caller: buildCaller(request, request.body.by),
        request: request.body,
      }),
  );
}
