// GET /health: is the process alive, can it read its database, does the chain verify. GET /ready: does it
// write.
import { DatabaseError } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { STATUS_OF_DATABASE_ERROR } from '../errors.ts';
import { WarningSchema } from '../events/schema.ts';
import { HEALTH_PATH, READY_PATH } from '../http.ts';
import type { App } from '../http.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { SHARED_KEY_WARNING } from '../keys/key-tenants.ts';
import { LOG_STATES } from '../ledger/log/signed-log.ts';
import type { SignedLog } from '../ledger/log/signed-log.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { ClockWatch } from '../ledger/clock-watch.ts';
import type { HeadRow, LedgerReader } from '../ledger/read.ts';

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
  log: Type.Object(
    {
      state: Type.Enum([...LOG_STATES]),
      origin: Type.Union([Type.String(), Type.Null()], { examples: ['trace.example.com/log/1'] }),
      size: Type.Union([Type.Integer(), Type.Null()], {
        description: 'Blocks of the tree that this process signed last; null before it has',
      }),
    },
    {
      description:
        'The public log. `held`: what is stored contradicts what was signed, or may; nothing is signed',
    },
  ),
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

/** The answer of a process that is not open yet. */
export const HealthOfStart = Type.Object(
  {
    status: Type.Union([Type.Literal('starting'), Type.Literal('upgrading')]),
    percent: Type.Union([Type.Integer({ minimum: 0, maximum: 99 }), Type.Null()], {
      description:
        'How far the upgrade is; null while another process does it, or before one is known of',
    }),
    detail: Type.String(),
  },
  { description: 'The process has not opened its database yet' },
);

const READY_ANSWERS = {
  200: Type.Object({ ready: Type.Literal(true) }, { description: 'It takes events' }),
  503: Type.Object(
    { ready: Type.Literal(false), detail: Type.String() },
    { description: 'It takes none' },
  ),
};

/** What `/ready` is, whoever answers it. */
export const READY_SCHEMA = {
  tags: ['Operation'],
  operationId: 'getReady',
  summary: 'Readiness check',
  description:
    'For proxies and supervisors: 503 until the service takes events, and while it does not, because it ' +
    'upgrades its database, the database does not answer or the clock is not trusted. Answered within ' +
    'two seconds.',
  response: READY_ANSWERS,
};

interface HealthDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly keys: Pick<KeyRing, 'shared'>;
  readonly clockWatch: Pick<ClockWatch, 'fault'>;
  readonly log: Pick<SignedLog, 'state' | 'identity' | 'last'>;
}

export function healthRoutes(app: App, deps: HealthDeps): void {
  readyRoute(app, deps);
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
          'written; reading goes on. While a newer version upgrades the database at its first start, ' +
          '`status` is `upgrading`. Answered within two seconds, with 503 while the database does ' +
          'not answer.',
        response: {
          200: Type.Union([
            Type.Object({
              status: Type.Literal('ok'),
              chain: Type.Object({ height: Type.Integer(), ...CONDITION }),
              ...PROCESS,
            }),
            HealthOfStart,
          ]),
          503: Type.Union([Unknown, HealthOfStart]),
        },
      },
    },
    async (request, reply) => {
      const head = await findHead(deps.reader, request);
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
        log: {
          state: deps.log.state,
          origin: deps.log.identity?.origin ?? null,
          size: deps.log.last?.size ?? null,
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

function readyRoute(app: App, { reader, clockWatch }: HealthDeps): void {
  app.get(READY_PATH, { schema: READY_SCHEMA }, async (request, reply) => {
    const head = await findHead(reader, request);
    if (head === undefined) return await sendNotReady(reply, 'The database does not answer');
    if (clockWatch.fault !== undefined) return await sendNotReady(reply, clockWatch.fault.message);
    return { ready: true };
  });
}

/** @param detail why nothing is written */
export function sendNotReady(reply: FastifyReply, detail: string): FastifyReply {
  return reply.code(503).header('Retry-After', RETRY_AFTER_SECONDS).send({ ready: false, detail });
}

/** @returns undefined when the database does not answer in time */
function findHead(reader: LedgerReader, request: FastifyRequest): Promise<HeadRow | undefined> {
  return reader.head({ timeoutMs: HEALTH_WAIT_MS }).catch((error: unknown) => {
    if (!isPassing(error)) throw error;
    request.log.error(
      { err: error },
      `reading the database for ${request.routeOptions.url} failed`,
    );
    return undefined;
  });
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
