// Serves /v1/admin/* to the operator's own staff, across tenants
// (docs/interface/traceability.md#overview-of-the-operator).
import { AuditPageSchema, auditAnswer } from '../dashboard/audit-schema.ts';
import { ADMIN_SECURITY, PAGE_DEFAULT, V1_ERRORS, type App } from '../http.ts';
import { readAuditPage } from '../ledger/audit-reader.ts';
import { readOverview, type OverviewDeps } from './overview.ts';
import { AdminAuditQuerySchema, OverviewQuerySchema, OverviewSchema } from './schema.ts';

const TAGS = ['Admin'];

export function adminRoutes(app: App, deps: OverviewDeps): void {
  app.get(
    '/v1/admin/overview',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'getAdminOverview',
        summary: 'All tenants with what they have, and the state of the chain and its verifier',
        description: 'Wants the admin key. The header X-Tenant-Id may be left out.',
        security: ADMIN_SECURITY,
        querystring: OverviewQuerySchema,
        response: { 200: OverviewSchema, ...V1_ERRORS },
      },
    },
    async ({ query }) =>
      await readOverview(deps, {
        after: query.after ?? '',
        tenantId: query.tenant_id,
        limit: query.limit ?? PAGE_DEFAULT,
      }),
  );

  app.get(
    '/v1/admin/audit',
    {
      config: { keyNeeds: 'read' },
      schema: {
        tags: TAGS,
        operationId: 'listAdminAudit',
        summary: 'Who did what in the whole hub, newest first; keys that were refused among it',
        description: 'Wants the admin key. The header X-Tenant-Id may be left out.',
        security: ADMIN_SECURITY,
        querystring: AdminAuditQuerySchema,
        response: { 200: AuditPageSchema, ...V1_ERRORS },
      },
    },
    async ({ query }) =>
      auditAnswer(
        await readAuditPage(deps.reader.database, {
          tenantId: query.tenant_id,
          action: query.action,
          entityType: query.entity_type,
          entityId: query.entity_id,
          before: query.before ?? Number.MAX_SAFE_INTEGER,
          limit: query.limit ?? PAGE_DEFAULT,
        }),
      ),
  );
}
