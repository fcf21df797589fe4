// GET /health: is the process alive, can it read its database, does the chain verify.
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { WarningSchema } from '../events/schema.ts';
import type { App } from '../http.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { SHARED_KEY_WARNING } from '../keys/key-tenants.ts';
import type { ChainState } from '../ledger/chain-state.ts';
import type { ClockWatch } from '../ledger/clock-watch.ts';
import type { LedgerReader } from '../ledger/read.ts';

export const HEALTH_PATH = '/health';

export function healthRoutes(
  app: App,
  deps: {
    readonly reader: LedgerReader;
    readonly state: ChainState;
    readonly keys: Pick<KeyRing, 'shared'>;
    readonly clockWatch: Pick<ClockWatch, 'fault'>;
  },
): void {
  app.get(
    HEALTH_PATH,
    {
      schema: {
        tags: ['Public'],
        summary: 'Liveness check',
        description:
          '`status` is `ok` as long as the service serves; a chain that does not verify shows in ' +
          '`chain`, because facts are still accepted then. While `clock.trusted` is false nothing is ' +
          'written; reading goes on.',
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
            warnings: Type.Array(WarningSchema, {
              description: 'What an operator should look at; details are in the admin overview',
            }),
            clock: Type.Object({
              trusted: Type.Boolean(),
              code: Type.Union([Type.String(), Type.Null()], { examples: ['clock_jumped', null] }),
              message: Type.Union([Type.String(), Type.Null()]),
            }),
          }),
        },
      },
    },
    async () => {
      const head = await deps.reader.head();
      const { condition } = deps.state;
      const { fault } = deps.clockWatch;
      return {
        status: 'ok',
        chain: {
          height: head.height,
          chain_valid: condition.valid,
          first_bad_height: condition.firstBadHeight,
          verified_through: condition.verifiedThrough,
          verified_at: condition.verifiedAt,
        },
        warnings: keyWarnings(deps.keys.shared.length),
        clock: {
          trusted: fault === undefined,
          code: fault?.code ?? null,
          message: fault?.message ?? null,
        },
      };
    },
  );
}

/** Everybody reads this: neither keys nor tenants are named. */
function keyWarnings(shared: number): readonly Static<typeof WarningSchema>[] {
  if (shared === 0) return [];
  const keys = shared === 1 ? '1 key that is' : `${shared} keys that are`;
  const message = `Several tenants write with ${keys} bound to none; the operating guide says what to do`;
  return [{ code: SHARED_KEY_WARNING, message }];
}
