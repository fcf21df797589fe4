// GET /health: is the process alive, can it read its database, does the chain verify. GET /ready: does it
// write.
import { DatabaseError } from '@lothub/kit/database';
import { HEALTH_WAIT_MS } from '@lothub/kit/http/health';
import { within } from '@lothub/kit/within';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { STATUS_OF_DATABASE_ERROR } from '../errors.ts';
import type { WarningSchema } from '../events/schema.ts';
import { HEALTH_PATH, READY_PATH, type App } from '../http.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { SHARED_KEY_WARNING } from '../keys/key-tenants.ts';
import type { SignedLog } from '../ledger/log/signed-log.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { ClockWatch } from '../ledger/clock-watch.ts';
import type { HeadRow, LedgerReader } from '../ledger/read.ts';
import type { TimeStamper } from '../timestamps/time-stamper.ts';
import { BEHIND_SECONDS_MAX } from '../witnessing/standing.ts';
import type { WitnessedStanding, WitnessWatch } from '../witnessing/standing.ts';
import { CONDITION, HealthOfStart, PROCESS, READY_SCHEMA, Unknown, WITNESSED } from './schema.ts';
import type { TimeStampHealth } from './schema.ts';

/** When the caller should retry. */
const RETRY_AFTER_SECONDS = 1;
const SECONDS_PER_MINUTE = 60;

interface HealthDeps {
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly keys: Pick<KeyRing, 'shared'>;
  readonly clockWatch: Pick<ClockWatch, 'fault'>;
  readonly log: Pick<SignedLog, 'state' | 'identity' | 'building' | 'last'>;
  /** Undefined when no service is set. */
  readonly stamper: Pick<TimeStamper, 'newest' | 'failures'> | undefined;
  readonly witnesses: Pick<WitnessWatch, 'read'>;
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
          '`chain`, because facts are still accepted then. It is `degraded` when the witnesses of the log ' +
          `are more than ${BEHIND_SECONDS_MAX / SECONDS_PER_MINUTE} minutes behind. ` +
          'While `clock.trusted` is false nothing is ' +
          'written; reading goes on. While a newer version upgrades the database at its first start, ' +
          '`status` is `upgrading`. Answered within two seconds, with 503 while the database does ' +
          'not answer.',
        response: {
          200: Type.Union([
            Type.Object({
              status: Type.Union([Type.Literal('ok'), Type.Literal('degraded')]),
              chain: Type.Object({ height: Type.Integer(), ...CONDITION }),
              log: WITNESSED,
              ...PROCESS,
            }),
            HealthOfStart,
          ]),
          503: Type.Union([Unknown, HealthOfStart]),
        },
      },
    },
    async (request, reply) => {
      const [head, witnessed] = await Promise.all([
        findHead(deps.reader, request),
        findWitnessed(deps.witnesses, request),
      ]);
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
        timestamp: timeStampHealth(deps.stamper),
      };
      const log = {
        state: deps.log.state,
        origin: deps.log.identity?.origin ?? null,
        building: deps.log.building ?? null,
        signed: deps.log.last?.size ?? null,
      };
      if (head !== undefined && witnessed !== undefined) {
        const isBehind = (witnessed.behindSeconds ?? 0) > BEHIND_SECONDS_MAX;
        return {
          status: isBehind ? ('degraded' as const) : ('ok' as const),
          chain: { height: head.height, ...chain },
          log: { ...log, size: head.height + 1, ...witnessedMembers(witnessed) },
          ...ofProcess,
        };
      }
      return await reply
        .code(503)
        .header('Retry-After', RETRY_AFTER_SECONDS)
        .send({
          status: 'unknown',
          detail: 'The database does not answer: whether events are taken now is not known',
          chain: { height: null, ...chain },
          log,
          ...ofProcess,
        });
    },
  );
}

function timeStampHealth(stamper: HealthDeps['stamper']): Static<typeof TimeStampHealth> | null {
  if (stamper === undefined) return null;
  const { newest, failures } = stamper;
  return { at: newest?.stamped_at ?? null, size: newest?.size ?? null, failed_tries: failures };
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
  return unlessAway(reader.head({ timeoutMs: HEALTH_WAIT_MS }), request);
}

/** @returns as `findHead` */
function findWitnessed(
  witnesses: Pick<WitnessWatch, 'read'>,
  request: FastifyRequest,
): Promise<WitnessedStanding | undefined> {
  const reading = within(witnesses.read({ timeoutMs: HEALTH_WAIT_MS }), {
    ms: HEALTH_WAIT_MS,
    late: () =>
      new DatabaseError('database_busy', 'reading what witnesses answered takes too long'),
  });
  return unlessAway(reading, request);
}

function unlessAway<Read>(read: Promise<Read>, request: FastifyRequest): Promise<Read | undefined> {
  return read.catch((error: unknown) => {
    if (!isPassing(error)) throw error;
    request.log.error(
      { err: error },
      `reading the database for ${request.routeOptions.url} failed`,
    );
    return undefined;
  });
}

function witnessedMembers(standing: WitnessedStanding) {
  return {
    witnessed_size: standing.size,
    witnessed_at: standing.at,
    quorum: standing.quorum,
    behind_seconds: standing.behindSeconds,
    witnesses: standing.witnesses.map(({ witness, answer, since, size }) => ({
      name: witness.witness.name,
      run_by: witness.operator ?? null,
      counts: !witness.isOwn,
      state: answer,
      since,
      size,
    })),
  };
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
