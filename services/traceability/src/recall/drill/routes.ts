// /v1/recall/drills: making a drill, and the evidence of drills made
// (docs/interface/traceability.md#drills).
import { randomInt } from 'node:crypto';
import type { Clock } from '@lothub/kit/clock';
import {
  NOT_FOUND,
  PAGE_DEFAULT,
  RULE_BROKEN,
  SUPPLIER_NEEDED,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../../http.ts';
import type { App } from '../../http.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { LedgerStore } from '../../ledger/store.ts';
import {
  DrillListQuerySchema,
  DrillListSchema,
  DrillParams,
  DrillRequestSchema,
  DrillSchema,
} from './schema.ts';
import { listDrills, makeDrill, readDrill } from './drills.ts';

const TAGS = ['Recall'];

export function drillRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly reader: LedgerReader; readonly clock: Clock },
): void {
  const { database } = deps.reader;

  app.post(
    '/v1/recall/drills',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'makeDrill',
        summary: 'Make a drill: trace a lot against the clock, and keep the result',
        description:
          'Traces as a recall would, in both directions, and adds up the mass balance of what it ' +
          'finds. No case is opened and nothing is held. A block of type `drill` says which lot was ' +
          'traced, when and how fast; who drilled and what was found it only commits to.',
        security: V1_SECURITY,
        body: DrillRequestSchema,
        response: {
          201: DrillSchema,
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...SUPPLIER_NEEDED,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
      // No field of the body is required, so the body may be absent.
      preValidation: (request, _reply, done) => {
        request.body ??= {};
        done();
      },
    },
    async (request, reply) => {
      const { lot_code: lotCode, supplier_name: supplierName, drilled_by: person } = request.body;
      const drill = await makeDrill(
        { ...deps, randomInt },
        {
          tenantId: request.tenantId,
          lotCode: lotCode ?? undefined,
          supplierName: supplierName ?? undefined,
          caller: buildCaller(request, person ?? undefined),
        },
      );
      return await reply.code(201).send(drill);
    },
  );

  app.get(
    '/v1/recall/drills',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listDrills',
        summary: 'Drills of the tenant, newest first, without their mass balances',
        security: V1_SECURITY,
        querystring: DrillListQuerySchema,
        response: { 200: DrillListSchema, ...V1_ERRORS },
      },
    },
    async ({ query, tenantId }) =>
      await listDrills(database, {
        tenantId,
        before: query.before ?? Number.MAX_SAFE_INTEGER,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );

  app.get(
    '/v1/recall/drills/:id',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'getDrill',
        summary: 'A drill with its mass balance',
        security: V1_SECURITY,
        params: DrillParams,
        response: { 200: DrillSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ params, tenantId }) => await readDrill(database, { tenantId, drillId: params.id }),
  );
}
