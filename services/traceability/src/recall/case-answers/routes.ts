// /v1/recall/cases: opening, listing, reading and moving recall cases
// (docs/interface/traceability.md#cases).
import type { Clock } from '@lothub/kit/clock';
import {
  CaseNoParams,
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
import { listCases, pageOfCaseLots, withTimeline } from './answers.ts';
import { readDetail, detailOfOpened } from './detail.ts';
import { CaseDetailSchema, OpenedCaseSchema } from './detail-schema.ts';
import {
  CaseListQuerySchema,
  CaseListSchema,
  CaseLotsQuerySchema,
  CaseLotsSchema,
  CaseMoveSchema,
  CaseRequestSchema,
  MovedCaseSchema,
} from '../case/schema.ts';
import { getCase, moveCase } from '../case/move-case.ts';
import { CaseOpener } from '../case/open-case.ts';
import { warnOfUnknownKeys } from '../unknown-keys.ts';

const TAGS = ['Recall'];

export interface CaseRouteDeps {
  readonly store: LedgerStore;
  readonly reader: LedgerReader;
  readonly clock: Clock;
}

export function caseRoutes(app: App, deps: CaseRouteDeps): void {
  const { reader } = deps;
  const { database } = reader;
  const opener = new CaseOpener(deps);

  app.post(
    '/v1/recall/cases',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'openCase',
        summary: 'Open a recall case',
        description:
          'The case covers the lot, what it was made from and what was made from it, and goes on ' +
          'covering what is recorded later. Its notice is public at once. A second open case on the ' +
          'same lot is allowed, with the warning `case_already_open`.',
        security: V1_SECURITY,
        body: CaseRequestSchema,
        response: {
          201: OpenedCaseSchema,
          ...SUPPLIER_NEEDED,
          ...NOT_FOUND,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request, reply) => {
      const opened = await opener.open({
        tenantId: request.tenantId,
        caller: buildCaller(request, request.body.opened_by),
        request: request.body,
      });
      return await reply.code(201).send(await detailOfOpened(reader, opened));
    },
  );

  app.get(
    '/v1/recall/cases',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listCases',
        summary: 'Recall cases of the tenant, newest first',
        security: V1_SECURITY,
        querystring: CaseListQuerySchema,
        response: { 200: CaseListSchema, ...V1_ERRORS },
      },
    },
    ({ tenantId, query }) =>
      listCases(database, {
        tenantId,
        status: query.status,
        severity: query.severity,
        isOpen: query.open,
        seedLotCode: query.seed_lot_code,
        before: query.before,
        offset: query.offset ?? 0,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );

  app.get(
    '/v1/recall/cases/:case_no',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'getCase',
        summary: 'A recall case with its impact now and its notifications',
        description:
          'The impact is computed from what counts now, beside what it was at the opening. Of a case ' +
          'that has ended it is that of the lots that it covered.',
        security: V1_SECURITY,
        params: CaseNoParams,
        response: { 200: CaseDetailSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params }) =>
      readDetail(reader, await getCase(database, { tenantId, caseNo: params.case_no })),
  );

  app.patch(
    '/v1/recall/cases/:case_no/status',
    {
      config: { keyNeeds: 'all' },
      schema: {
        tags: TAGS,
        operationId: 'moveCase',
        summary: 'Move a recall case to another status',
        description:
          '`investigation`, `notification`, `containment`, `closed`, one step at a time; `cancelled` ' +
          'from the first three. The status that the case has changes nothing. From `notification` ' +
          'on its lots are recalled and its notifications ready. Unknown keys are ignored ' +
          'and named in `warnings`.',
        security: V1_SECURITY,
        params: CaseNoParams,
        body: CaseMoveSchema,
        response: {
          200: MovedCaseSchema,
          ...RULE_BROKEN,
          ...NOT_FOUND,
          ...TOO_LARGE,
          ...V1_ERRORS,
        },
      },
    },
    async (request) => {
      const { tenantId, params, body } = request;
      const moved = await moveCase(deps, {
        tenantId,
        caseNo: params.case_no,
        to: body.status,
        note: body.note ?? null,
        releaseHolds: body.release_holds ?? false,
        caller: buildCaller(request, body.changed_by ?? undefined),
      });
      return {
        ...(await withTimeline(database, moved)),
        ...warnOfUnknownKeys(body, CaseMoveSchema),
      };
    },
  );

  app.get(
    '/v1/recall/cases/:case_no/lots',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listCaseLots',
        summary: 'The lots that a recall case covers, and those that it covered once',
        security: V1_SECURITY,
        params: CaseNoParams,
        querystring: CaseLotsQuerySchema,
        response: { 200: CaseLotsSchema, ...NOT_FOUND, ...V1_ERRORS },
      },
    },
    async ({ tenantId, params, query }) =>
      pageOfCaseLots(database, {
        tenantId,
        recallCase: await getCase(database, { tenantId, caseNo: params.case_no }),
        which: query.which ?? 'all',
        after: query.after,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );
}
