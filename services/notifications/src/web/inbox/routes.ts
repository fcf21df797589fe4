// The inbox on pages: lists, one notification, marking and acknowledging.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { personOf } from '../../access/gate.ts';
import { Problem } from '../../errors.ts';
import { readFeedPosition } from '../../feed/feed-queries.ts';
import type { Group } from '../../groups/groups.ts';
import { PAGES_PREFIX } from '../../http.ts';
import type { App } from '../../http.ts';
import { acknowledge } from '../../inbox/acknowledge.ts';
import type { Notification } from '../../inbox/inbox-schema.ts';
import { listAll } from '../../inbox/list-all.ts';
import { getNotification, listNotifications } from '../../inbox/list.ts';
import { markAllReadUpTo } from '../../inbox/read-all.ts';
import { markRead, markReadUpTo, markUnread } from '../../inbox/read-state.ts';
import { SEVERITIES } from '../../store/post.ts';
import type { Severity } from '../../store/post.ts';
import { doneWords, withDone } from '../done.ts';
import type { Done } from '../done.ts';
import { valuesOf } from '../forms.ts';
import { SEARCH_LENGTH_MAX, inboxPage } from './page.ts';
import type { Cursor, Filters, InboxView } from './view.ts';
import { inboxPath, listQuery } from './paths.ts';
import { detailPage } from './notification-page.ts';
import { groupsOfPerson, sendFramed } from '../web-deps.ts';
import type { WebDeps } from '../web-deps.ts';

const ITEMS_PER_PAGE = 50;
/** A cursor, or a position, in a form. */
const COUNT = /^\d{1,15}$/;

const GroupParams = Type.Object({ group_id: Type.String() });
const ItemParams = Type.Object({
  group_id: Type.String(),
  seq: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
});
/** A form sends what was left empty, too. */
const ListParams = Type.Object({
  q: Type.Optional(Type.String({ maxLength: SEARCH_LENGTH_MAX })),
  severity: Type.Optional(Type.String({ enum: ['', ...SEVERITIES] })),
  unread: Type.Optional(Type.String({ enum: ['', 'true'] })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** `all`: the list is the one of all groups. */
  in: Type.Optional(Type.String({ enum: ['all'] })),
  done: Type.Optional(Type.String()),
});
type ListParams = Static<typeof ListParams>;

export function inboxPageRoutes(app: App, deps: WebDeps): void {
  listPages(app, deps);
  notificationPages(app, deps);
}

function listPages(app: App, deps: WebDeps): void {
  const hide = { hide: true };

  app.get(
    PAGES_PREFIX,
    { schema: { ...hide, querystring: ListParams } },
    async (request, reply) => {
      const view = await readView(deps, { request, groupId: undefined });
      return await sendFramed(deps, { request, reply }, inboxPage(view), view);
    },
  );

  app.get(
    `${PAGES_PREFIX}/groups/:group_id`,
    { schema: { ...hide, params: GroupParams, querystring: ListParams } },
    async (request, reply) => {
      const view = await readView(deps, { request, groupId: request.params.group_id });
      return await sendFramed(deps, { request, reply }, inboxPage(view), view);
    },
  );

  app.post(
    `${PAGES_PREFIX}/read`,
    { schema: { ...hide, querystring: ListParams } },
    async (request, reply) => {
      await markAllReadUpTo(deps, personOf(request).accountId, upToOf(request.body));
      return await backToList(reply, { groupId: undefined, query: request.query }, 'all-read');
    },
  );

  app.post(
    `${PAGES_PREFIX}/groups/:group_id/read`,
    { schema: { ...hide, params: GroupParams, querystring: ListParams } },
    async (request, reply) => {
      const { group_id: groupId } = request.params;
      const { accountId } = personOf(request);
      await markReadUpTo(deps, { accountId, groupId }, upToOf(request.body));
      return await backToList(reply, { groupId, query: request.query }, 'all-read');
    },
  );
}

function notificationPages(app: App, deps: WebDeps): void {
  const path = `${PAGES_PREFIX}/groups/:group_id/n/:seq`;
  const schema = { hide: true, params: ItemParams, querystring: ListParams };

  app.get(path, { schema }, async (request, reply) => {
    const { accountId } = personOf(request);
    const { group_id: groupId, seq } = request.params;
    const { reader } = deps.store;
    const one = await getNotification(reader, { accountId, groupId }, seq);
    const isOfAll = request.query.in === 'all';
    const view = await readView(deps, { request, groupId: isOfAll ? undefined : groupId });
    const group = getGroup(view.groups, groupId);
    const page = detailPage(view, { ...one, groupName: group.name, ...neighbours(view, one) });
    return await sendFramed(deps, { request, reply }, page, view);
  });

  app.post(`${path}/read`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await markRead(deps, { accountId: personOf(request).accountId, groupId }, seq);
    return await backFromItem(request, reply);
  });

  app.post(`${path}/unread`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await markUnread(deps, { accountId: personOf(request).accountId, groupId }, seq);
    return await backFromItem(request, reply);
  });

  app.post(`${path}/ack`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await acknowledge(deps, { person: personOf(request), groupId, seq });
    return await backFromItem(request, reply);
  });
}

/** To the list that a row stands in. */
async function backFromItem(
  request: FastifyRequest<{ Params: Static<typeof ItemParams>; Querystring: ListParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query } = request;
  const groupId = query.in === 'all' ? undefined : params.group_id;
  return await backToList(reply, { groupId, query });
}

async function backToList(
  reply: FastifyReply,
  to: { readonly groupId: string | undefined; readonly query: ListParams },
  done?: Done,
): Promise<FastifyReply> {
  const { groupId, query } = to;
  const list = listQuery({ filters: filtersOf(query), cursor: cursorOf(query) });
  const path = `${inboxPath(groupId)}${list}`;
  return await reply.redirect(done === undefined ? path : withDone(path, done), 303);
}

/** @throws Problem `fields_invalid` */
function upToOf(body: unknown): number {
  const { up_to: upTo } = valuesOf(body);
  if (upTo === undefined || !COUNT.test(upTo)) {
    throw new Problem('fields_invalid', 'up_to is not well-formed');
  }
  return Number(upTo);
}

type ViewRequest = FastifyRequest<{ Querystring: ListParams }>;

async function readView(
  deps: WebDeps,
  of: { readonly request: ViewRequest; readonly groupId: string | undefined },
): Promise<InboxView & { readonly groups: readonly Group[] }> {
  const { request, groupId } = of;
  const { query } = request;
  const { accountId } = personOf(request);
  const { reader } = deps.store;
  // First the position: what is posted from here on, the page hears of, even if it shows it already.
  const position = await readFeedPosition(reader);
  const groups = await groupsOfPerson(deps, accountId);
  const group = groupId === undefined ? undefined : getGroup(groups, groupId);
  const filters = filtersOf(query);
  const cursor = cursorOf(query);
  const found = await readItems(deps, { accountId, groupId, filters, cursor });
  return {
    group: group === undefined ? undefined : { ...group, isOwner: group.role === 'owner' },
    groups: groups.map((one) => ({ ...one, isOwner: one.role === 'owner' })),
    ...found,
    filters,
    cursor,
    position,
    done: doneWords(query.done),
  };
}

async function readItems(
  { store }: WebDeps,
  of: {
    readonly accountId: string;
    readonly groupId: string | undefined;
    readonly filters: Filters;
    readonly cursor: Cursor;
  },
): Promise<Pick<InboxView, 'items' | 'older' | 'newer' | 'searchedTo'>> {
  const { accountId, groupId, filters, cursor } = of;
  const { reader } = store;
  const { severity, unread } = filters;
  const q = filters.q === '' ? undefined : filters.q;
  const options = { ...cursor, limit: ITEMS_PER_PAGE, severity, unread, q };
  const page =
    groupId === undefined
      ? await listAll(reader, accountId, options)
      : await listNotifications(reader, { accountId, groupId }, options);
  const next = page.next ?? undefined;
  const prev = page.prev ?? undefined;
  const searchedTo = page.searched_to;
  return cursor.after === undefined
    ? { items: page.items, older: next, newer: prev, searchedTo }
    : { items: page.items.toReversed(), older: prev, newer: next, searchedTo };
}

function cursorOf({ before, after }: ListParams): Cursor {
  return { before, after };
}

function filtersOf(query: ListParams): Filters {
  return {
    severity: SEVERITIES.find((one): one is Severity => one === query.severity),
    unread: query.unread === 'true',
    q: query.q ?? '',
  };
}

/** @throws Problem `not_found` */
function getGroup<One extends { readonly id: string }>(groups: readonly One[], id: string): One {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new Problem('not_found', 'There is no such group');
  return group;
}

/** Those beside it in the list that is shown. */
function neighbours(
  view: InboxView,
  one: Notification,
): { readonly newer: string | undefined; readonly older: string | undefined } {
  const at = view.items.findIndex(({ id }) => id === one.id);
  const pathAt = (index: number): string | undefined => {
    const item = at === -1 ? undefined : view.items[index];
    return item === undefined ? undefined : `/inbox/groups/${item.group_id}/n/${item.seq}`;
  };
  return { newer: pathAt(at - 1), older: pathAt(at + 1) };
}
