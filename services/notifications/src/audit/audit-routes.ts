// GET groups/{group_id}/audit: what was done in a group, for its owners.
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { API_PREFIX, PAGE_DEFAULT, problemAnswers, type App } from '../http.ts';
import type { NotificationStore } from '../store/store.ts';
import { AuditListSchema, AuditParams, AuditQuery } from './audit-schema.ts';
import { auditOfGroup } from './audit.ts';

export function auditRoutes(app: App, { store }: { readonly store: NotificationStore }): void {
  app.get(
    `${API_PREFIX}/groups/:group_id/audit`,
    {
      schema: {
        tags: ['Audit'],
        operationId: 'listGroupAudit',
        summary: 'What was done in a group and by whom, the newest first (owners)',
        params: AuditParams,
        querystring: AuditQuery,
        response: {
          200: AuditListSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) => {
      const { after, limit } = request.query;
      return await auditOfGroup(store.reader, {
        actor: toActor(getPerson(request)),
        groupId: request.params.group_id,
        after,
        limit: limit ?? PAGE_DEFAULT,
      });
    },
  );
}
