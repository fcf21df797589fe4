// GET /health: is the process alive, can it read its database, does the chain verify.
import { DatabaseError } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { STATUS_OF_DATABASE_ERROR } from '../errors.ts';
import { WarningSchema } from '../events/schema.ts';
import type { App } from '../http.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { SHARED_KEY_WARNING } from '../keys/key-tenants.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { ClockWatch } from '../ledger/clock-watch.ts';
import type { LedgerReader } from '../ledger/read.ts';

export const HEALTH_PATH = '/health';

/** When whoever asked should ask again. */
const RETRY_AFTER_SECONDS = 1;

const CONDITION = {
  chain_valid: Type.Boolean(),
  first_bad_height: Type.Union([Type.Integer(), Type.Null()]),
  verified_through: Type.Integer(),
  verified_at: Type.Union([Type.String(), Type.Null()]),
};

/** What the process knows without its database. */
const PROCESS = {
  warnings: Type.Array(WarningSchema, {
    description: 'What an operator should look at; details are in the admin overview',
  }),
  clock: Type.Object({
    trusted: Type.Boolean(),
    code: Type.Union([Type.String(), Type.Null()], { examples: ['clock_jumped', null] }),
    message: Type.Union([Type.String(), Type.Null()]),
  }),
};

/** The answer while the database does not answer. */
const Unknown = Type.Object(
  {
    status: Type.Literal('unknown'),
    detail: Type.String(),
    chain: Type.Object(
      { height: Type.Null(), ...CONDITION },
      { description: 'As it was known when the database answered last' },
    ),
    ...PROCESS,
  },
  { description: 'The database refuses, or did not answer in time' },
);

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
        tags: ['Operation'],
        operationId: 'getHealth',
        summary: 'Liveness check',
        description:
          '`status` is `ok` as long as the service serves; a chain that does not verify shows in ' +
          '`chain`, because facts are still accepted then. While `clock.trusted` is false nothing is ' +
          'written; reading goes on. Answered within two seconds, with 503 while the database does ' +
          'not answer.',
        response: {
          200: Type.Object({
            status: Type.String({ examples: ['ok'] }),
            chain: Type.Object({ height: Type.Integer(), ...CONDITION }),
            ...PROCESS,
          }),
          503: Unknown,
        },
      },
    },
    async (request, reply) => {
      const head = await deps.reader.head({ timeoutMs: HEALTH_WAIT_MS }).catch((error: unknown) => {
        if (!isPassing(error)) throw error;
        request.log.error({ err: error }, 'reading the database for /health failed');
        return undefined;
      });
      const { condition } = deps.state;
      const { fault } = deps.clockWatch;
      const chain = {
        chain_valid: condition.valid,
        first_bad_height: condition.firstBadHeight,
        verified_through: condition.verifiedThrough,
        verified_at: condition.verifiedAt,
      };
      const ofProcess = {
        warnings: keyWarnings(deps.keys.shared.length),
        clock: {
          trusted: fault === undefined,
          code: fault?.code ?? null,
          message: fault?.message ?? null,
        },
      };
      if (head !== undefined) {
        return { status: 'ok', chain: { height: head.height, ...chain }, ...ofProcess };
      }
      return await reply
        .code(503)
        .header('Retry-After', RETRY_AFTER_SECONDS)
        .send({
          status: 'unknown',
          detail: 'The database does not answer: whether events are taken now is not known',
          chain: { height: null, ...chain },
          ...ofProcess,
        });
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

function isPassing(error: unknown): boolean {
  return error instanceof DatabaseError && STATUS_OF_DATABASE_ERROR[error.code] === 503;
}
