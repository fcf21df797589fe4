// The audit of a group as a page.
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { AuditQuery } from '../../audit/audit-schema.ts';
import { auditOfGroup } from '../../audit/audit.ts';
import { getGroup } from '../../groups/groups.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { auditPage } from './audit-page.ts';
import { sendFramed, type WebDeps } from '../web-deps.ts';

const ENTRIES_PER_PAGE = 50;

export function auditPageRoutes(app: App, deps: WebDeps): void {
  app.get(
    `${PAGES_PREFIX}/groups/:group_id/audit`,
    {
      schema: {
        hide: true,
        params: Type.Object({ group_id: Type.String() }),
        querystring: Type.Object({ after: AuditQuery.properties.after }),
      },
    },
    async (request, reply) => {
      const person = getPerson(request);
      const groupId = request.params.group_id;
      const { reader } = deps.store;
      const list = await auditOfGroup(reader, {
        actor: toActor(person),
        groupId,
        after: request.query.after,
        limit: ENTRIES_PER_PAGE,
      });
      const group = await getGroup(reader, { accountId: person.accountId, groupId });
      return await sendFramed(deps, { request, reply }, auditPage({ group, list }));
    },
  );
}
