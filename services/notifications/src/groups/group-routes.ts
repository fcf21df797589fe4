// Groups over HTTP: GET and POST groups, GET and PATCH groups/{group_id}, POST groups/{group_id}/test.
import { instantText } from '@lothub/kit/clock';
import { getPerson } from '../access/gate.ts';
import { SESSION_WRITE_PROBLEMS, TOKEN_READ_PROBLEMS } from '../access/gate-problems.ts';
import { toActor } from '../access/person.ts';
import { API_PREFIX, PAGE_DEFAULT, optionalBody, problemAnswers, type App } from '../http.ts';
import {
  GroupChangeSchema,
  GroupListQuery,
  GroupListSchema,
  GroupParams,
  GroupSchema,
  NewGroupSchema,
  TestAnswerSchema,
  TestPostSchema,
} from './group-schema.ts';
import { changeGroup, createGroup, getGroup, listGroups, type GroupDeps } from './groups.ts';
import { postTest } from './test-post.ts';

const TAGS = ['Groups'];

export function groupRoutes(app: App, deps: GroupDeps): void {
  const { reader } = deps.store;

  app.get(
    `${API_PREFIX}/groups`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listGroups',
        summary: 'The groups of the person who asks, by name, with what is unread',
        querystring: GroupListQuery,
        response: { 200: GroupListSchema, ...problemAnswers(...TOKEN_READ_PROBLEMS) },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { after, limit } = request.query;
      return await listGroups(reader, { accountId, after, limit: limit ?? PAGE_DEFAULT });
    },
  );

  app.post(
    `${API_PREFIX}/groups`,
    {
      schema: {
        tags: TAGS,
        operationId: 'makeGroup',
        summary: 'Make a group; whoever makes it owns it',
        body: NewGroupSchema,
        response: {
          201: GroupSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'limit_reached'),
        },
      },
    },
    async (request, reply) => {
      const { name, retention_days: retentionDays, retention_rows: retentionRows } = request.body;
      const values = { name, retentionDays, retentionRows };
      const group = await createGroup(deps, getPerson(request), values);
      return await reply
        .code(201)
        .header('Location', `${API_PREFIX}/groups/${group.id}`)
        .send(group);
    },
  );

  app.get(
    `${API_PREFIX}/groups/:group_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'getGroup',
        summary: 'One group, with what is unread',
        params: GroupParams,
        response: { 200: GroupSchema, ...problemAnswers(...TOKEN_READ_PROBLEMS, 'not_found') },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      return await getGroup(reader, { accountId, groupId: request.params.group_id });
    },
  );

  app.patch(
    `${API_PREFIX}/groups/:group_id`,
    {
      schema: {
        tags: TAGS,
        operationId: 'changeGroup',
        summary: 'Rename, pause or resume a group, or set what it keeps (owners)',
        description:
          'What is not given stays. A paused group refuses posts with 403 `group_paused`.',
        params: GroupParams,
        body: GroupChangeSchema,
        response: {
          200: GroupSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only'),
        },
      },
    },
    async (request) => {
      const person = getPerson(request);
      const { group_id: groupId } = request.params;
      const {
        name,
        paused,
        retention_days: retentionDays,
        retention_rows: retentionRows,
      } = request.body;
      const values = { name, paused, retentionDays, retentionRows };
      await changeGroup(deps, { actor: toActor(person), groupId }, values);
      return await getGroup(reader, { accountId: person.accountId, groupId });
    },
  );

  app.post(
    `${API_PREFIX}/groups/:group_id/test`,
    {
      schema: {
        tags: TAGS,
        operationId: 'postTestNotification',
        summary: 'Send a test notification into a group (owners)',
        description:
          'It goes the way of every notification: to all readers and webhooks of the group. It ' +
          'comes from the person, not from a key.',
        params: GroupParams,
        body: optionalBody(TestPostSchema),
        response: {
          201: TestAnswerSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'owner_only', 'group_paused'),
        },
      },
    },
    async (request, reply) => {
      const { group_id: groupId } = request.params;
      const severity = request.body?.severity ?? 'info';
      const posted = await postTest(deps, getPerson(request), { groupId, severity });
      const location = `${API_PREFIX}/groups/${groupId}/notifications/${posted.seq}`;
      return await reply
        .code(201)
        .header('Location', location)
        .send({
          id: posted.id,
          group_id: groupId,
          seq: posted.seq,
          command: 'notify',
          title: posted.title,
          body: posted.body,
          severity: posted.severity,
          created_at: instantText(posted.createdAt),
        });
    },
  );
}
