// GET /v1/lots, GET /v1/lots/{lot_code}, and holds set and ended by hand
// (docs/interface/traceability.md#lots).
import type { Clock } from '@lothub/kit/clock';
import { Type } from '@lothub/kit/json-schema';
import { CSV_FORM, csvAnswer, sendCsv } from '../csv-answer.ts';
import {
  LotCodeParams,
  NOT_FOUND,
  PAGE_DEFAULT,
  SEVERAL_LOTS,
  TOO_LARGE,
  V1_ERRORS,
  V1_SECURITY,
  buildCaller,
} from '../http.ts';
import type { App } from '../http.ts';
import { MANUAL_HOLD } from '../ledger/draft.ts';
import type { LedgerReader } from '../ledger/read.ts';
import type { LedgerStore } from '../ledger/store.ts';
import { LOT_COLUMNS, lotRows } from './csv.ts';
import { changeHold } from './holds.ts';
import { listLots } from './list.ts';
import {
  HoldAnswerSchema,
  HoldRequestSchema,
  LotListQuerySchema,
  LotListSchema,
  LotRecordSchema,
  ReleaseRequestSchema,
} from './lot-schema.ts';
import { lotRecord } from './record.ts';

export function lotRoutes(
  app: App,
  deps: { readonly store: LedgerStore; readonly reader: LedgerReader; readonly clock: Clock },
): void {
  const { store, reader } = deps;

  app.get(
    '/v1/lots',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'listLots',
        summary: 'List or search the lots of the tenant, newest first',
        description:
          'A lot whose code is exactly `q` comes first. `total` is exact up to a limit; above it ' +
          'the answer says `total_is_exact: false`.',
        security: V1_SECURITY,
        querystring: LotListQuerySchema,
        response: { 200: LotListSchema, ...V1_ERRORS },
      },
    },
    async (request) => {
      const { q, status, hold_status: holdStatus, limit, offset } = request.query;
      return await listLots(
        { database: reader.database, lotSearch: store.lotSearch },
        {
          tenantId: request.tenantId,
          q,
          status,
          holdStatus,
          limit: limit ?? PAGE_DEFAULT,
          offset: offset ?? 0,
        },
      );
    },
  );

  app.get(
    '/v1/lots.csv',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'exportLots',
        summary: 'The lots of the tenant as CSV, newest first',
        description: `All that match, one row for each SKU and unit. ${CSV_FORM}`,
        security: V1_SECURITY,
        querystring: Type.Omit(LotListQuerySchema, ['limit', 'offset']),
        response: { 200: csvAnswer('Rows of lots'), ...V1_ERRORS },
      },
    },
    async ({ tenantId, query }, reply) => {
      const { q, status, hold_status: holdStatus } = query;
      const deps = { database: reader.database, lotSearch: store.lotSearch };
      return await sendCsv(reply, {
        name: 'lots',
        columns: LOT_COLUMNS,
        pages: lotRows(deps, { tenantId, q, status, holdStatus }),
      });
    },
  );

  app.get(
    '/v1/lots/:lot_code',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Lots'],
        operationId: 'getLot',
        summary: 'What is known of a lot: state, quantities, holds, where it came from',
        security: V1_SECURITY,
        params: LotCodeParams,
        response: { 200: LotRecordSchema, ...NOT_FOUND, ...SEVERAL_LOTS, ...V1_ERRORS },
      },
    },
    async (request) =>
      await lotRecord(reader, {
        tenantId: request.tenantId,
        lotCode: request.params.lot_code,
      }),
  );

  app.post(
    '/v1/lots/:lot_code/hold',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Lots'],
        operationId: 'holdLot',
        summary: 'Put a lot on hold by hand',
        description:
          'The lot may not be used until it is released. Events on it are accepted, with the ' +
          'warning `lot_on_hold`. A lot that is held by hand already stays as it is.',
        security: V1_SECURITY,
        params: LotCodeParams,
        body: HoldRequestSchema,
        response: {
          200: HoldAnswerSchema,
          ...NOT_FOUND,
          ...SEVERAL_LOTS,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) =>
      await changeHold(deps, {
        state: 'held',
        tenantId: request.tenantId,
        lotCode: request.params.lot_code,
        caseNo: null,
        reason: request.body.reason,
        caller: buildCaller(request, request.body.by),
      }),
  );

  app.post(
    '/v1/lots/:lot_code/release',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: ['Lots'],
        operationId: 'releaseLot',
        summary: 'End a hold of a lot by hand',
        description:
          'The lot is free when its last hold is gone. A hold that is not there is not ended: ' +
          'the answer says what still holds the lot.',
        security: V1_SECURITY,
        params: LotCodeParams,
        body: ReleaseRequestSchema,
        response: {
          200: HoldAnswerSchema,
          ...NOT_FOUND,
          ...SEVERAL_LOTS,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) =>
      await changeHold(deps, {
        state: 'released',
        tenantId: request.tenantId,
        lotCode: request.params.lot_code,
        caseNo: findCaseNo(request.body.case_no),
        reason: request.body.reason ?? null,
        caller: buildCaller(request, request.body.by),
      }),
  );
}

/** A hold by hand is called so where the numbers of cases are. */
function findCaseNo(caseNo: string | null | undefined): string | null {
  return caseNo === undefined || caseNo === MANUAL_HOLD ? null : caseNo;
}
