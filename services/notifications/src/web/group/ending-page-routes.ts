// Ending things of a group on pages: deleting it, and what is asked before somebody is removed.
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { listWebhooks } from '../../delivery/webhooks/webhooks.ts';
import { deleteGroup } from '../../duties/delete-group.ts';
import { GroupDeletionSchema } from '../../duties/schema.ts';
import { getGroup } from '../../groups/groups.ts';
import { findMember } from '../../groups/members.ts';
import { PAGES_PREFIX, PAGE_MAX, type App } from '../../http.ts';
import { listKeys } from '../../keys/keys.ts';
import { withDone } from '../done.ts';
import { checked, readFormValues, refusedForm } from '../forms.ts';
import { removalPage } from './ending-panel.ts';
import { sendSettings } from './settings-answers.ts';
import { sendFramed, type WebDeps } from '../web-deps.ts';

const GroupParams = Type.Object({ group_id: Type.String() });
const MemberParams = Type.Object({ ...GroupParams.properties, account_id: Type.String() });

const checkDeletion = compileValueSchema<{ name: string; without_export: boolean }>(
  GroupDeletionSchema,
);

const SETTINGS = `${PAGES_PREFIX}/groups/:group_id/settings`;

export function endingPageRoutes(app: App, deps: WebDeps): void {
  app.post(
    `${SETTINGS}/delete`,
    { schema: { hide: true, params: GroupParams } },
    async (request, reply) => {
      const values = readFormValues(request.body);
      const groupId = request.params.group_id;
      try {
        const asked = checked(checkDeletion, {
          name: values['name'] ?? '',
          without_export: values['without_export'] === 'true',
        });
        await deleteGroup(
          deps,
          { actor: toActor(getPerson(request)), groupId },
          { name: asked.name, isExportWanted: !asked.without_export },
        );
      } catch (error) {
        const refused = refusedForm(error, values);
        if (refused === undefined) throw error;
        const { form, status } = refused;
        return await sendSettings(deps, { request, reply }, { ending: form, status });
      }
      return await reply.redirect(withDone(PAGES_PREFIX, 'group-deleted'), 303);
    },
  );

  app.get(
    `${SETTINGS}/members/:account_id/remove`,
    { schema: { hide: true, params: MemberParams } },
    async (request, reply) => {
      const person = getPerson(request);
      const { group_id: groupId, account_id: accountId } = request.params;
      const { reader } = deps.store;
      const owned = { actor: toActor(person), groupId };
      const member = await findMember(reader, { ...owned, accountId });
      const keys = await listKeys(deps, { ...owned, limit: PAGE_MAX });
      const webhooks = await listWebhooks(deps, owned);
      const isTheirs = (one: { readonly created_by: string | null }): boolean =>
        one.created_by === accountId;
      const page = removalPage({
        group: await getGroup(reader, { accountId: person.accountId, groupId }),
        member,
        keys: keys.items.filter((key) => isTheirs(key) && key.state === 'active'),
        webhooks: webhooks.items.filter(isTheirs),
      });
      return await sendFramed(deps, { request, reply }, page);
    },
  );
}
