// POST /v1/events, GET /v1/events, POST /v1/events/batch (interface document, sections 2 and 4).
import type { Clock } from '@lothub/kit/clock';
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';
import { compileRequestSchema } from '@lothub/kit/http/request-validation';
import { at } from '@lothub/kit/present';
import { newSalt } from '@lothub/kit/secrets/secrets';
import type { FastifySchema, FastifySchemaCompiler } from 'fastify';
import { Type } from 'typebox';
import { FieldsRefusal } from '../errors.ts';
import {
  PAGE_DEFAULT,
  PAGE_MAX,
  RULE_BROKEN,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  callerOf,
} from '../http.ts';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { ON_ERROR_CHOICES, ON_ERROR_DEFAULT } from '../terms.ts';
import { eventAnswer, ledgerWarnings, refuseConflict } from './answers.ts';
import { checkEvent } from './check-event.ts';
import { withoutUnfit } from './fit.ts';
import { appendBatch, eventsOfBatch } from './batch.ts';
import { listEvents } from './list.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_EVENTS_MAX,
  BatchAnswerSchema,
  BatchBodySchema,
  EventAnswerSchema,
  EventSchema,
  StoredEventSchema,
} from './schema.ts';

export interface EventRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly state: ChainState;
  readonly clock: Clock;
}

/**
 * Bodies are checked by `checkEvent`, event by event: it finds wrong values along with wrong shapes,
 * with `on_error=proceed` a bad event does not spoil the rest, and a hostile batch costs little.
 */
const withoutBody: FastifySchemaCompiler<FastifySchema> = (route) =>
  route.httpPart === 'body' ? () => true : compileRequestSchema(route);

export function eventRoutes(app: App, deps: EventRouteDeps): void {
  const { store, state, clock } = deps;

  app.post(
    '/v1/events',
    {
      validatorCompiler: withoutBody,
      schema: {
        tags: ['Events'],
        summary: 'Post a trace event',
        description:
          'Appends one block. The answer comes once the block is on disk. A retry with the same ' +
          '`external_id` and the same content answers 200 with `Idempotent-Replay: true`.',
        security: V1_SECURITY,
        body: EventSchema,
        response: {
          200: EventAnswerSchema,
          201: EventAnswerSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const checked = checkEvent(request.body, {
        root: ['body'],
        errors: 'all',
        nowMs: clock.nowMs(),
        newSalt,
        identity: 'external_id',
      });
      const fit = await withoutUnfit([checked], {
        database: deps.reader.database,
        tenantId: request.tenantId,
      });
      const prepared = at(fit, 0);
      if (prepared.kind === 'invalid')
        throw new FieldsRefusal(prepared.errors.slice(0, FIELD_ERRORS_MAX));
      const { outcomes, tip } = await store.append({
        tenantId: request.tenantId,
        caller: callerOf(request),
        drafts: [prepared.draft],
        unit: 'all',
      });
      const [first] = outcomes;
      if (first === undefined) throw new Error('the ledger answered no outcome for one draft');
      const outcome = refuseConflict(first);
      if (outcome.kind === 'withheld') throw new Error('a single draft cannot be withheld');
      const answer = eventAnswer({
        event: prepared.event,
        externalId: prepared.draft.externalId,
        block: { height: outcome.height, hash: outcome.hash },
        tip,
        warnings: [...prepared.warnings, ...ledgerWarnings(outcome)],
        state,
      });
      if (outcome.kind === 'appended') return await reply.code(201).send(answer);
      return await reply.code(200).header('Idempotent-Replay', 'true').send(answer);
    },
  );

  app.get(
    '/v1/events',
    {
      schema: {
        tags: ['Events'],
        summary: 'Recent events of the tenant, newest first',
        security: V1_SECURITY,
        querystring: Type.Object({
          limit: Type.Optional(
            Type.Integer({ minimum: 1, maximum: PAGE_MAX, default: PAGE_DEFAULT }),
          ),
          before: Type.Optional(
            Type.Integer({
              minimum: 0,
              maximum: Number.MAX_SAFE_INTEGER,
              description: 'Only events with a smaller id',
            }),
          ),
        }),
        response: {
          200: Type.Object({
            events: Type.Array(StoredEventSchema),
            next: Type.Union([Type.Integer(), Type.Null()], {
              description: 'Give it as `before` for the next page; null at the end',
            }),
          }),
          ...V1_ERRORS,
        },
      },
    },
    async (request) => {
      const { limit, before } = request.query;
      return await listEvents(deps.reader, {
        tenantId: request.tenantId,
        before: before ?? Number.MAX_SAFE_INTEGER,
        limit: limit ?? PAGE_DEFAULT,
      });
    },
  );

  app.post(
    '/v1/events/batch',
    {
      bodyLimit: BATCH_BYTES_MAX,
      validatorCompiler: withoutBody,
      schema: {
        tags: ['Events'],
        summary: 'Post several events in one call',
        description:
          'All or nothing by default; `on_error=proceed` keeps the good ones. At most ' +
          `${BATCH_EVENTS_MAX} events and ${BATCH_BYTES_MAX} bytes. A duplicate is a success.`,
        security: V1_SECURITY,
        querystring: Type.Object({
          on_error: Type.Optional(Type.Enum([...ON_ERROR_CHOICES], { default: ON_ERROR_DEFAULT })),
        }),
        body: BatchBodySchema,
        response: {
          200: BatchAnswerSchema,
          201: BatchAnswerSchema,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const answer = await appendBatch({
        tenantId: request.tenantId,
        caller: callerOf(request),
        events: eventsOfBatch(request.body),
        onError: request.query.on_error ?? ON_ERROR_DEFAULT,
        store,
        reader: deps.reader,
        state,
        clock,
      });
      return await reply.code(answer.accepted > 0 ? 201 : 200).send(answer);
    },
  );
}
