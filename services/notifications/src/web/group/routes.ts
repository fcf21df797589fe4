// Making and setting groups on pages: name, members, invitations, keys, a test.
import { Type } from '@lothub/kit/json-schema';
import { compileValueSchema } from '@lothub/kit/http/schemas/request-validation';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { GroupChangeSchema, NewGroupSchema } from '../../groups/group-schema.ts';
import { changeGroup, createGroup } from '../../groups/groups.ts';
import { MemberChangeSchema } from '../../groups/member-schema.ts';
import { changeRole, removeMember } from '../../groups/members.ts';
import { postTest } from '../../groups/test-post.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { NewInvitationSchema } from '../../people/invitations/schema.ts';
import { inviteIntoGroup, withdrawGroupInvitation } from '../../people/invitations/invitations.ts';
import { doneWords, withDone } from '../done.ts';
import { checked, parseNumber, readFormValues, refusedForm, textOrNothing } from '../forms.ts';
import { endingPageRoutes } from './ending-page-routes.ts';
import { escalationPageRoutes } from './escalation-page-routes.ts';
import { groupPath } from './frame.ts';
import { sendRefused, sendSettings, submit } from './settings-answers.ts';
import { newGroupPage } from './settings-page.ts';
import { keyPageRoutes } from './key-page-routes.ts';
import { sendFramed, type WebDeps } from '../web-deps.ts';

const GroupParams = Type.Object({ group_id: Type.String() });
const MemberParams = Type.Object({ ...GroupParams.properties, account_id: Type.String() });
const InvitationParams = Type.Object({ ...GroupParams.properties, invitation_id: Type.String() });
const SettingsQuery = Type.Object({
  done: Type.Optional(Type.String()),
  members_after: Type.Optional(Type.String()),
  keys_after: Type.Optional(Type.String()),
});

const checkNewGroup = compileValueSchema<{ name: string }>(NewGroupSchema);
const checkGroupChange = compileValueSchema<{
  name: string;
  paused: boolean;
  retention_days: number;
  retention_rows: number;
}>(GroupChangeSchema);
const checkMemberChange = compileValueSchema<{ role: 'owner' | 'member' }>(MemberChangeSchema);
const checkNewInvitation = compileValueSchema<{ role: 'owner' | 'member'; email?: string }>(
  NewInvitationSchema,
);

const SETTINGS = `${PAGES_PREFIX}/groups/:group_id/settings`;

export function groupPageRoutes(app: App, deps: WebDeps): void {
  newGroupRoutes(app, deps);
  settingsRoutes(app, deps);
  memberRoutes(app, deps);
  invitationRoutes(app, deps);
  keyPageRoutes(app, deps);
  escalationPageRoutes(app, deps);
  endingPageRoutes(app, deps);
}

function newGroupRoutes(app: App, deps: WebDeps): void {
  const path = `${PAGES_PREFIX}/new-group`;
  const schema = { hide: true };

  app.get(path, { schema }, async (request, reply) =>
    sendFramed(deps, { request, reply }, newGroupPage()),
  );

  app.post(path, { schema }, async (request, reply) => {
    const values = readFormValues(request.body);
    try {
      const { name } = checked(checkNewGroup, { name: values['name'] ?? '' });
      const { id } = await createGroup(deps, getPerson(request), { name });
      return await reply.redirect(`${groupPath(id, 'settings')}#keys`, 303);
    } catch (error) {
      const refused = refusedForm(error, values);
      if (refused === undefined) throw error;
      return await sendFramed(deps, { request, reply }, newGroupPage(refused.form), refused);
    }
  });
}

function settingsRoutes(app: App, deps: WebDeps): void {
  app.get(
    SETTINGS,
    { schema: { hide: true, params: GroupParams, querystring: SettingsQuery } },
    async (request, reply) => {
      const { done, members_after: membersAfter, keys_after: keysAfter } = request.query;
      return await sendSettings(
        deps,
        { request, reply },
        { done: doneWords(done), membersAfter, keysAfter },
      );
    },
  );

  app.post(SETTINGS, { schema: { hide: true, params: GroupParams } }, async (request, reply) => {
    const values = readFormValues(request.body);
    const groupId = request.params.group_id;
    return await submit(deps, { request, reply }, values, {
      run: async () => {
        const change = checked(checkGroupChange, {
          name: values['name'] ?? '',
          paused: values['paused'] === 'true',
          retention_days: parseNumber(values['retention_days']) ?? '',
          retention_rows: parseNumber(values['retention_rows']) ?? '',
        });
        await changeGroup(
          deps,
          { actor: toActor(getPerson(request)), groupId },
          {
            name: change.name,
            paused: change.paused,
            retentionDays: change.retention_days,
            retentionRows: change.retention_rows,
          },
        );
      },
      done: 'group-saved',
      refused: (form) => ({ form }),
    });
  });

  app.post(
    `${SETTINGS}/test`,
    { schema: { hide: true, params: GroupParams } },
    async (request, reply) => {
      const groupId = request.params.group_id;
      try {
        await postTest(deps, getPerson(request), { groupId, severity: 'info' });
        return await reply.redirect(withDone(groupPath(groupId), 'test-sent'), 303);
      } catch (error) {
        return await sendRefused(deps, { request, reply }, error);
      }
    },
  );

  app.post(
    `${SETTINGS}/leave`,
    { schema: { hide: true, params: GroupParams } },
    async (request, reply) => {
      const person = getPerson(request);
      const { accountId } = person;
      const groupId = request.params.group_id;
      try {
        await removeMember(deps, toActor(person), { groupId, accountId });
        return await reply.redirect(withDone(PAGES_PREFIX, 'group-left'), 303);
      } catch (error) {
        return await sendRefused(deps, { request, reply }, error);
      }
    },
  );
}

function memberRoutes(app: App, deps: WebDeps): void {
  const path = `${SETTINGS}/members/:account_id`;
  const schema = { hide: true, params: MemberParams };

  app.post(path, { schema }, async (request, reply) => {
    const { group_id: groupId, account_id: accountId } = request.params;
    const values = readFormValues(request.body);
    return await submit(deps, { request, reply }, values, {
      run: async () => {
        const { role } = checked(checkMemberChange, { role: values['role'] });
        await changeRole(deps, toActor(getPerson(request)), { groupId, accountId, role });
      },
      done: 'role-saved',
    });
  });

  app.post(`${path}/remove`, { schema }, async (request, reply) => {
    const { group_id: groupId, account_id: accountId } = request.params;
    return await submit(
      deps,
      { request, reply },
      {},
      {
        run: () => removeMember(deps, toActor(getPerson(request)), { groupId, accountId }),
        done: 'member-removed',
      },
    );
  });
}

function invitationRoutes(app: App, deps: WebDeps): void {
  app.post(
    `${SETTINGS}/invitations`,
    { schema: { hide: true, params: GroupParams } },
    async (request, reply) => {
      const values = readFormValues(request.body);
      const groupId = request.params.group_id;
      try {
        const email = textOrNothing(values['email']);
        const asked = checked(checkNewInvitation, {
          role: values['role'] ?? 'member',
          ...(email === undefined ? {} : { email }),
        });
        const made = await inviteIntoGroup(deps, getPerson(request), {
          groupId,
          role: asked.role,
          email: asked.email ?? null,
        });
        // No redirect: only this answer contains the link.
        return await sendSettings(deps, { request, reply }, { invitations: { made } });
      } catch (error) {
        const refused = refusedForm(error, values);
        if (refused === undefined) throw error;
        const { form, status } = refused;
        return await sendSettings(deps, { request, reply }, { invitations: { form }, status });
      }
    },
  );

  app.post(
    `${SETTINGS}/invitations/:invitation_id/withdraw`,
    { schema: { hide: true, params: InvitationParams } },
    async (request, reply) => {
      const { group_id: groupId, invitation_id: id } = request.params;
      return await submit(
        deps,
        { request, reply },
        {},
        {
          run: () => withdrawGroupInvitation(deps, getPerson(request), { groupId, id }),
          done: 'invitation-revoked',
        },
      );
    },
  );
}
