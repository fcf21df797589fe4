// GET /v1/dashboard/summary and /v1/dashboard/audit (docs/interface/traceability.md#dashboard-and-audit).
import { PAGE_DEFAULT, V1_ERRORS, V1_SECURITY, type App } from '../http.ts';
import { readAuditPage } from '../ledger/audit-reader.ts';
import { AuditPageSchema, AuditQuerySchema, auditAnswer } from './audit-schema.ts';
import { SummarySchema } from './schema.ts';
import { readSummary, type SummaryDeps } from './summary.ts';

export function dashboardRoutes(app: App, deps: SummaryDeps): void {
  const { reader } = deps;

  app.get(
    '/v1/dashboard/summary',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Dashboard'],
        operationId: 'getDashboard',
        summary: 'What the tenant has, what is wrong with it, and how well it could be traced',
        description:
          'The checks look at the newest events and lots; `looked_at` says whether these are all. ' +
          'Corrections count. `score` is the mean of the checks.',
        security: V1_SECURITY,
        response: { 200: SummarySchema, ...V1_ERRORS },
      },
    },
    async (request) => await readSummary(deps, request.tenantId),
  );

  app.get(
    '/v1/dashboard/audit',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: ['Dashboard'],
        operationId: 'listAudit',
        summary: 'Who did what, newest first',
        description:
          'Entries are only ever added. Keys that were refused are shown to the operator alone.',
        security: V1_SECURITY,
        querystring: AuditQuerySchema,
        response: { 200: AuditPageSchema, ...V1_ERRORS },
      },
    },
    async ({ query, tenantId }) =>
      auditAnswer(
        await readAuditPage(reader.database, {
          tenantId,
          action: query.action,
          entityType: query.entity_type,
          entityId: query.entity_id,
          before: query.before ?? Number.MAX_SAFE_INTEGER,
          limit: query.limit ?? PAGE_DEFAULT,
        }),
      ),
  );
}
