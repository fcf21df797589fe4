// The inbox on pages: lists, one notification, marking and acknowledging.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Static } from 'typebox';
import { personOf } from '../access/gate.ts';
import { Problem } from '../errors.ts';
import { readFeedPosition } from '../feed/feed-queries.ts';
import type { Group } from '../groups/groups.ts';
import { PAGES_PREFIX } from '../http.ts';
import type { App } from '../http.ts';
import { acknowledge } from '../inbox/acknowledge.ts';
import type { Notification } from '../inbox/inbox-schema.ts';
import { getNotification, listNotifications } from '../inbox/list.ts';
import { chooseOfAll, newestOfAll } from '../inbox/newest-of-all.ts';
import { markRead, markReadUpTo, markUnread } from '../inbox/read-state.ts';
import { SEVERITIES } from '../store/post.ts';
import type { Severity } from '../store/post.ts';
import { doneWords, withDone } from './done.ts';
import { allOf } from './forms.ts';
import { SEARCH_LENGTH_MAX, inboxPage, inboxPath, listQuery } from './inbox-page.ts';
import type { Filters, InboxView } from './inbox-page.ts';
import { detailPage } from './notification-page.ts';
import { groupsOfPerson, sendFramed } from './web-deps.ts';
import type { WebDeps } from './web-deps.ts';

const ITEMS_PER_PAGE = 50;
/** On the page of all groups, which has no further pages. */
const ITEMS_OF_ALL = 100;

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

  app.post(`${PAGES_PREFIX}/read`, { schema: hide }, async (request, reply) => {
    await readAll(deps, request);
    return await reply.redirect(withDone(PAGES_PREFIX, 'all-read'), 303);
  });

  app.post(
    `${PAGES_PREFIX}/groups/:group_id/read`,
    { schema: { ...hide, params: GroupParams } },
    async (request, reply) => {
      await readAll(deps, request);
      return await reply.redirect(withDone(inboxPath(request.params.group_id), 'all-read'), 303);
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
    return await backToList(request, reply);
  });

  app.post(`${path}/unread`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await markUnread(deps, { accountId: personOf(request).accountId, groupId }, seq);
    return await backToList(request, reply);
  });

  app.post(`${path}/ack`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await acknowledge(deps, { person: personOf(request), groupId, seq });
    return await backToList(request, reply);
  });
}

/** To the row in its list. */
async function backToList(
  request: FastifyRequest<{ Params: Static<typeof ItemParams>; Querystring: ListParams }>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { params, query } = request;
  const path = inboxPath(query.in === 'all' ? undefined : params.group_id);
  const list = listQuery({ filters: filtersOf(query), before: query.before });
  return await reply.redirect(`${path}${list}`, 303);
}

/** Marks each group up to where the page showed it. */
async function readAll(deps: WebDeps, request: FastifyRequest): Promise<void> {
  const { accountId } = personOf(request);
  for (const mark of allOf(request.body, 'up_to')) {
    const [, groupId, upTo] = /^(\w+):(\d{1,15})$/.exec(mark) ?? [];
    if (groupId === undefined) throw new Problem('fields_invalid', 'up_to is not well-formed');
    try {
      await markReadUpTo(deps, { accountId, groupId }, Number(upTo));
    } catch (error) {
      // Who has left a group since the page was loaded still reads the others.
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    }
  }
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
  const before = group === undefined ? undefined : query.before;
  const found = await readItems(deps, { accountId, groupId, filters, before });
  return {
    group: group === undefined ? undefined : { ...group, isOwner: group.role === 'owner' },
    groups: groups.map((one) => ({ ...one, isOwner: one.role === 'owner' })),
    ...found,
    filters,
    before,
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
    readonly before: number | undefined;
  },
): Promise<{ readonly items: readonly Notification[]; readonly next: number | undefined }> {
  const { accountId, groupId, filters, before } = of;
  const { reader } = store;
  const q = filters.q === '' ? undefined : filters.q;
  const { severity, unread } = filters;
  if (groupId !== undefined) {
    const page = await listNotifications(
      reader,
      { accountId, groupId },
      { before, limit: ITEMS_PER_PAGE, severity, unread, q },
    );
    return { items: page.items, next: page.next ?? undefined };
  }
  const all = { accountId, limit: ITEMS_OF_ALL };
  const isChosen = q !== undefined || severity !== undefined || unread;
  const items = isChosen
    ? await chooseOfAll(reader, all, { severity, unread, q })
    : await newestOfAll(reader, all);
  return { items, next: undefined };
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
