// GET /health: is the process alive, can it read its database, does the chain verify.
import { Type } from 'typebox';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';

export function healthRoutes(
  app: App,
  deps: { readonly reader: LedgerReader; readonly state: ChainState },
): void {
  app.get(
    '/health',
    {
      schema: {
        tags: ['Public'],
        summary: 'Liveness check',
        description:
          '`status` is `ok` as long as the service serves; a chain that does not verify shows in ' +
          '`chain`, because facts are still accepted then.',
        response: {
          200: Type.Object({
            status: Type.String({ examples: ['ok'] }),
            chain: Type.Object({
              height: Type.Integer(),
              chain_valid: Type.Boolean(),
              first_bad_height: Type.Union([Type.Integer(), Type.Null()]),
              verified_through: Type.Integer(),
              verified_at: Type.Union([Type.String(), Type.Null()]),
            }),
          }),
        },
      },
    },
    async () => {
      const head = await deps.reader.head();
      const { condition } = deps.state;
      return {
        status: 'ok',
        chain: {
          height: head.height,
          chain_valid: condition.valid,
          first_bad_height: condition.firstBadHeight,
          verified_through: condition.verifiedThrough,
          verified_at: condition.verifiedAt,
        },
      };
    },
  );
}
