// Members over HTTP: GET groups/{group_id}/members, PATCH and DELETE groups/{group_id}/members/{account_id}.
import { Type } from '@lothub/kit/json-schema';
import { getPerson } from '../access/gate.ts';
import { SESSION_READ_PROBLEMS, SESSION_WRITE_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { API_PREFIX, PAGE_DEFAULT, problemAnswers, type App } from '../http.ts';
import { GroupParams } from './group-schema.ts';
import type { GroupDeps } from './groups.ts';
import {
  MemberChangeSchema,
  MemberListQuery,
  MemberListSchema,
  MemberParams,
  MemberSchema,
} from './member-schema.ts';
import { changeRole, listMembers, removeMember } from './members.ts';

const TAGS = ['Members'];

export function memberRoutes(app: App, deps: GroupDeps): void {
  app.get(
    `${API_PREFIX}/groups/:group_id/members`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listMembers',
        summary: 'Who is in a group, by name',
        params: GroupParams,
        querystring: MemberListQuery,
        response: {
          200: MemberListSchema,
          ...problemAnswers(...SESSION_READ_PROBLEMS, 'not_found'),
        },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { after, limit } = request.query;
      return await listMembers(deps.store.reader, {
        groupId: request.params.group_id,
        accountId,
        after,
        limit: limit ?? PAGE_DEFAULT,
      });
    },
  );

  app.patch(
    `${API_PREFIX}/groups/:group_id/members/:account_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeMember',
        summary: 'Give a member another role (owners)',
        description: 'The last owner stays one: 409 `conflict`.',
        params: MemberParams,
        body: MemberChangeSchema,
        response: {
          200: MemberSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'conflict'),
        },
      },
    },
    async (request) => {
      const { group_id: groupId, account_id: accountId } = request.params;
      const { role } = request.body;
      return await changeRole(deps, toActor(getPerson(request)), { groupId, accountId, role });
    },
  );

  app.delete(
    `${API_PREFIX}/groups/:group_id/members/:account_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'removeMember',
        summary: 'Take somebody out of a group (owners), or leave it',
        description:
          'Streams of that person end or leave the group out within a second. The last owner ' +
          'cannot leave: 409 `conflict`.',
        params: MemberParams,
        response: {
          204: Type.Null({ description: 'Out of the group' }),
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'conflict'),
        },
      },
    },
    async (request, reply) => {
      const { group_id: groupId, account_id: accountId } = request.params;
      await removeMember(deps, toActor(getPerson(request)), { groupId, accountId });
      return await reply.code(204).send();
    },
  );
}
