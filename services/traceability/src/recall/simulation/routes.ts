// POST /v1/recall/simulate (docs/interface/traceability.md#simulation).
import { Readable } from 'node:stream';
import type { Clock } from '@lothub/kit/clock';
import {
  NOT_FOUND,
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
import { recallDirection } from '../direction.ts';
import { simulationText } from './answer.ts';
import { noteSimulation } from './noted.ts';
import { SimulationRequestSchema, SimulationSchema } from './schema.ts';
import { simulateRecall } from './simulation.ts';

export function simulationRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly reader: LedgerReader; readonly clock: Clock },
): void {
  const { store, reader, clock } = deps;

  app.post(
    '/v1/recall/simulate',
    {
      config: { keyNeeds: 'read', changesNothing: true },
      schema: {
        tags: ['Recall'],
        operationId: 'simulateRecall',
        summary: 'Simulate a recall',
        description:
          'Says what a recall of a lot would cover and whom it would concern, and changes nothing. ' +
          'Lots whose rest was disposed of are left out unless `include_disposed` is true; what was ' +
          'made from them and who bought of them is given all the same. With `as_of_height` it ' +
          'answers what was known when that block was the newest: holds as of that moment, ' +
          '`status` as its quantities were, and recalls left aside.',
        security: V1_SECURITY,
        body: SimulationRequestSchema,
        response: {
          200: SimulationSchema,
          ...NOT_FOUND,
          ...SUPPLIER_NEEDED,
          ...RULE_BROKEN,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      request.isDryRun = true;
      const startedMs = performance.now();
      const { body, tenantId } = request;
      const direction = recallDirection(body.direction);
      const asOfHeight = body.as_of_height;
      const simulation = await simulateRecall(reader, {
        tenantId,
        lotCode: body.lot_code,
        supplierName: body.supplier_name ?? undefined,
        direction,
        disposed: body.include_disposed === true ? 'shown' : 'left_out',
        asOfHeight,
      });
      const caller = buildCaller(request);
      await noteSimulation({ store, clock }, { tenantId, caller, direction, simulation });
      const elapsedMs = Math.round((performance.now() - startedMs) * 1_000) / 1_000;
      // A stream is sent as it is made; the schema describes it, and a test compares the two.
      return await reply
        .type('application/json; charset=utf-8')
        .send(Readable.from(simulationText(simulation, { direction, asOfHeight, elapsedMs })));
    },
  );
}
