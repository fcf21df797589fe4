// Reading a group over HTTP: its notifications, what of them is read, and who took up critical ones.
import { getPerson } from '../access/gate.ts';
import { SESSION_WRITE_PROBLEMS, TOKEN_READ_PROBLEMS } from '../access/gate-problems.ts';
import { API_PREFIX, problemAnswers, type App } from '../http.ts';
import { acknowledge, acknowledgeItem } from './acknowledge.ts';
import {
  AcknowledgeBody,
  AllNotificationsSchema,
  AllQuery,
  GroupParams,
  GroupedQuery,
  ListQuery,
  NotificationListSchema,
  NotificationParams,
  NotificationSchema,
  OccurrencesQuery,
  OccurrencesSchema,
  ReadAllBody,
  ReadStateBody,
  ReadStateSchema,
  UnreadSchema,
} from './inbox-schema.ts';
import { listAll } from './list-all.ts';
import { getNotification, listNotifications } from './list.ts';
import { listOccurrences } from './occurrences.ts';
import { markAllReadUpTo } from './read-all.ts';
import { markItemRead, markItemUnread } from './read-item.ts';
import { markRead, markReadUpTo, markUnread, readUnread, type ReadingDeps } from './read-state.ts';

const TAGS = ['Reading'];
const LIST = `${API_PREFIX}/groups/:group_id/notifications`;
const ONE = `${LIST}/:seq`;

const READ = problemAnswers(...TOKEN_READ_PROBLEMS, 'not_found');
const WRITE = problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found');

const BOUNDED =
  'With `q` or `unread` a page looks at a bounded number of notifications: it may be short or empty ' +
  'although `next` goes on; `searched_to` then says how far it looked.';

const GROUPED =
  'With `grouped` an item has the position of the newest notification that it stands for: filters and cursors ' +
  'apply to that one, and an item that gets another one moves to its position.';

export function inboxRoutes(app: App, deps: ReadingDeps): void {
  const { reader } = deps.store;

  app.get(
    `${API_PREFIX}/unread`,
    {
      schema: {
        tags: TAGS,
        operationId: 'getUnread',
        summary: 'How many notifications you have not read, of each of your groups',
        response: { 200: UnreadSchema, ...problemAnswers(...TOKEN_READ_PROBLEMS) },
      },
    },
    async (request) => await readUnread(reader, getPerson(request).accountId),
  );

  app.get(
    `${API_PREFIX}/notifications`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listAllNotifications',
        summary: 'The notifications of all your groups',
        description:
          'In the order of `id`, which is that of streams: newest first; with `after` those that ' +
          'follow, oldest first. `severity`, `unread` and `q` go through all of your groups. ' +
          `\`next\` is null at the end: everything up to \`head_id\` was gone through. ${BOUNDED} ` +
          GROUPED,
        querystring: AllQuery,
        response: { 200: AllNotificationsSchema, ...problemAnswers(...TOKEN_READ_PROBLEMS) },
      },
    },
    async (request) => await listAll(reader, getPerson(request).accountId, request.query),
  );

  app.get(
    LIST,
    {
      schema: {
        tags: TAGS,
        operationId: 'listNotifications',
        summary: 'The notifications of a group',
        description:
          'Newest first; with `after` those that follow, oldest first. `next` is null at the end: ' +
          'everything up to `head_seq` was gone through, and what comes later follows ' +
          `\`after=head_seq\`. ${BOUNDED} ${GROUPED}`,
        params: GroupParams,
        querystring: ListQuery,
        response: { 200: NotificationListSchema, ...READ },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const key = { accountId, groupId: request.params.group_id };
      return await listNotifications(reader, key, request.query);
    },
  );

  app.get(
    ONE,
    {
      schema: {
        tags: TAGS,
        operationId: 'getNotification',
        summary: 'One notification',
        params: NotificationParams,
        response: { 200: NotificationSchema, ...READ },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { group_id: groupId, seq } = request.params;
      return await getNotification(reader, { accountId, groupId }, seq);
    },
  );

  app.get(
    `${ONE}/occurrences`,
    {
      schema: {
        tags: TAGS,
        operationId: 'listOccurrences',
        summary: 'What one notification belongs together with',
        description: 'Newest first, itself among them; one without a `dedup_key` is alone.',
        params: NotificationParams,
        querystring: OccurrencesQuery,
        response: { 200: OccurrencesSchema, ...READ },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { group_id: groupId, seq } = request.params;
      return await listOccurrences(reader, { accountId, groupId }, { ...request.query, seq });
    },
  );

  app.put(
    `${ONE}/read`,
    {
      schema: {
        tags: TAGS,
        operationId: 'markRead',
        summary: 'Mark one as read; your other devices hear of it',
        description:
          'With `grouped` all before it that it belongs together with are read, too; what came after ' +
          'it stays unread.',
        params: NotificationParams,
        querystring: GroupedQuery,
        response: { 200: ReadStateSchema, ...WRITE },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { group_id: groupId, seq } = request.params;
      const mark = request.query.grouped === true ? markItemRead : markRead;
      return await mark(deps, { accountId, groupId }, seq);
    },
  );

  app.delete(
    `${ONE}/read`,
    {
      schema: {
        tags: TAGS,
        operationId: 'markUnread',
        summary: 'Mark one as unread; your other devices hear of it',
        description: 'With `grouped` the newest of those that it belongs together with is marked.',
        params: NotificationParams,
        querystring: GroupedQuery,
        response: { 200: ReadStateSchema, ...WRITE },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const { group_id: groupId, seq } = request.params;
      const mark = request.query.grouped === true ? markItemUnread : markUnread;
      return await mark(deps, { accountId, groupId }, seq);
    },
  );

  app.put(
    `${API_PREFIX}/groups/:group_id/read-state`,
    {
      schema: {
        tags: TAGS,
        operationId: 'markReadUpTo',
        summary: 'Mark everything up to a seq as read',
        description:
          'It never goes back: what lies above stays as it is, and what is marked as unread below ' +
          'counts as read again.',
        params: GroupParams,
        body: ReadStateBody,
        response: { 200: ReadStateSchema, ...WRITE },
      },
    },
    async (request) => {
      const { accountId } = getPerson(request);
      const key = { accountId, groupId: request.params.group_id };
      return await markReadUpTo(deps, key, request.body.up_to);
    },
  );

  app.put(
    `${API_PREFIX}/read-state`,
    {
      schema: {
        tags: TAGS,
        operationId: 'markAllReadUpTo',
        summary: 'Mark everything of all your groups up to an id as read',
        description: 'As for one group: it never goes back, and what lies above stays as it is.',
        body: ReadAllBody,
        response: { 200: UnreadSchema, ...problemAnswers(...SESSION_WRITE_PROBLEMS) },
      },
    },
    async (request) =>
      await markAllReadUpTo(deps, getPerson(request).accountId, request.body.up_to),
  );

  app.put(
    `${ONE}/ack`,
    {
      schema: {
        tags: TAGS,
        operationId: 'acknowledgeNotification',
        summary: 'Acknowledge a critical notification',
        description:
          'The first one counts and is shown to all; again changes nothing. With `grouped` the newest ' +
          'critical one of those that it belongs together with is meant, up to it; the earlier ones ' +
          'count as acknowledged with it, and one that comes later asks anew.',
        params: NotificationParams,
        querystring: GroupedQuery,
        body: AcknowledgeBody,
        response: {
          200: NotificationSchema,
          ...problemAnswers(...SESSION_WRITE_PROBLEMS, 'not_found', 'conflict'),
        },
      },
    },
    async (request) => {
      const { group_id: groupId, seq } = request.params;
      const comment = request.body?.comment;
      const take = request.query.grouped === true ? acknowledgeItem : acknowledge;
      return await take(deps, { person: getPerson(request), groupId, seq, comment });
    },
  );
}
