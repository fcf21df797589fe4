// POST /v1/events, GET /v1/events, GET /v1/events/{id}, POST /v1/events/batch
// (docs/interface/traceability.md#events).
import type { Clock } from '@lothub/kit/clock';
import { compileAllButBody } from '@lothub/kit/http/schemas/compilers';
import { Type } from '@lothub/kit/json-schema';
import { CSV_FORM, csvAnswer, sendCsv } from '../csv-answer.ts';
import { NOT_FOUND, RULE_BROKEN, TOO_LARGE, V1_ERRORS, V1_SECURITY, buildCaller } from '../http.ts';
import type { App } from '../http.ts';
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { MINIMAL_APPLIED, PreferHeader, prefersMinimal, type LogAnswers } from '../log/answers.ts';
import { ON_ERROR_DEFAULT } from '../terms.ts';
import { eventAnswer } from './answers.ts';
import { postEvent } from './post-event.ts';
import { appendBatch, eventsOfBatch } from './batch.ts';
import { EVENT_COLUMNS, eventRows } from './csv.ts';
import {
  EventIdParams,
  EventListQuerySchema,
  EventListSchema,
  readListQuery,
} from './list-query.ts';
import { getEvent, listEvents } from './list.ts';
import {
  BATCH_BYTES_MAX,
  BATCH_CALL,
  BATCH_EVENTS_MAX,
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
  readonly logAnswers: LogAnswers;
}

export function eventRoutes(app: App, deps: EventRouteDeps): void {
  const { store, state, clock, logAnswers } = deps;

  app.post(
    '/v1/events',
    {
      config: { keyNeeds: 'post-events' },
      // `checkEvent` finds wrong values along with wrong shapes.
      validatorCompiler: compileAllButBody,
      schema: {
        tags: ['Events'],
        operationId: 'postEvent',
        summary: 'Post a trace event',
        description:
          'Appends one block. The answer comes once the block is on disk. A retry with the same ' +
          '`external_id` and the same content answers 200 with `Idempotent-Replay: true`.',
        security: V1_SECURITY,
        headers: PreferHeader,
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
      const isMinimal = prefersMinimal(request);
      const posted = await postEvent(
        { store, clock, database: deps.reader.database },
        {
          tenantId: request.tenantId,
          caller: buildCaller(request),
          value: request.body,
          wantsProofs: !isMinimal,
        },
      );
      const { kind, block, log, ...shown } = posted;
      const answer = eventAnswer({
        ...shown,
        ...{ block, state },
        log: isMinimal ? {} : await logAnswers.ofBlock(block.height, log),
      });
      if (isMinimal) void reply.headers(MINIMAL_APPLIED);
      if (kind === 'appended') return await reply.code(201).send(answer);
      return await reply.code(200).header('Idempotent-Replay', 'true').send(answer);
    },
  );

  app.get(
    '/v1/events',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Events'],
        operationId: 'listEvents',
        summary: 'Events of the tenant, newest first',
        description:
          'With `after`, oldest first. Filters narrow by what counts now, and all of them apply. A page ' +
          'may hold fewer events than `limit`, even none, with others behind it: follow `next`.',
        security: V1_SECURITY,
        querystring: EventListQuerySchema,
        response: { 200: EventListSchema, ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }) =>
      await listEvents(deps.reader, { tenantId, ...readListQuery(query) }),
  );

  app.get(
    '/v1/events.csv',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Events'],
        operationId: 'exportEvents',
        summary: 'Events of the tenant as CSV, newest first',
        description:
          'All that match, one row for each line, with the columns of an import. Events that were voided ' +
          `are in it, too: \`status\` says so. ${CSV_FORM}`,
        security: V1_SECURITY,
        querystring: Type.Omit(EventListQuerySchema, ['limit']),
        response: { 200: csvAnswer('Rows of lines'), ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }, reply) =>
      await sendCsv(reply, {
        name: 'events',
        columns: EVENT_COLUMNS,
        pages: eventRows(deps.reader, { tenantId, ...readListQuery(query) }),
      }),
  );

  app.get(
    // The path has only digits, so that `/v1/events/batch` keeps its own route.
    '/v1/events/:id(^[0-9]+$)',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Events'],
        operationId: 'getEvent',
        summary: 'One event of the tenant, as it counts now',
        description:
          'The id is the height of the block of the event. A correction is no event of its own: read ' +
          'the event that it corrects.',
        security: V1_SECURITY,
        params: EventIdParams,
        response: { 200: StoredEventSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params }) => await getEvent(deps.reader, { tenantId, id: params.id }),
  );

  app.post(
    '/v1/events/batch',
    {
      config: { keyNeeds: 'post-events' },
      bodyLimit: BATCH_BYTES_MAX,
      // Event by event: with `on_error=proceed` a bad one does not spoil the rest, and a hostile batch costs
      // little.
      validatorCompiler: compileAllButBody,
      schema: {
        tags: ['Events'],
        operationId: 'postEvents',
        summary: 'Post several events in one call',
        description:
          'All or nothing by default; `on_error=proceed` keeps the good ones. At most ' +
          `${BATCH_EVENTS_MAX} events and ${BATCH_BYTES_MAX} bytes. A duplicate is a success.`,
        ...BATCH_CALL,
        body: BatchBodySchema,
      },
    },
    async (request, reply) => {
      const isMinimal = prefersMinimal(request);
      const answer = await appendBatch({
        tenantId: request.tenantId,
        caller: buildCaller(request),
        events: eventsOfBatch(request.body),
        onError: request.query.on_error ?? ON_ERROR_DEFAULT,
        store,
        reader: deps.reader,
        state,
        clock,
        logAnswers: isMinimal ? undefined : logAnswers,
      });
      if (isMinimal) void reply.headers(MINIMAL_APPLIED);
      return await reply.code(answer.accepted > 0 ? 201 : 200).send(answer);
    },
  );
}
