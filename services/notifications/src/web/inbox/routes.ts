// The inbox on pages: lists, one notification, marking and acknowledging.
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from '@lothub/kit/json-schema';
import type { Static } from 'typebox';
import { getPerson } from '../../access/gate.ts';
import { toActor } from '../../access/person.ts';
import { redactNotification } from '../../duties/redact.ts';
import { Problem } from '../../errors.ts';
import { readFeedPosition } from '../../feed/feed-queries.ts';
import type { Group } from '../../groups/groups.ts';
import { PAGES_PREFIX, type App } from '../../http.ts';
import { acknowledgeItem } from '../../inbox/acknowledge.ts';
import { COMMENT_LENGTH_MAX, type Notification } from '../../inbox/inbox-schema.ts';
import { listAll } from '../../inbox/list-all.ts';
import { getNotification, listNotifications } from '../../inbox/list.ts';
import { listOccurrences } from '../../inbox/occurrences.ts';
import { markAllReadUpTo } from '../../inbox/read-all.ts';
import { markItemRead, markItemUnread } from '../../inbox/read-item.ts';
import { markReadUpTo } from '../../inbox/read-state.ts';
import { SEVERITIES, type Severity } from '../../store/post.ts';
import { doneWords, withDone, type Done } from '../done.ts';
import { readFormValues } from '../forms.ts';
import { SEARCH_LENGTH_MAX, inboxPage } from './page.ts';
import type { Cursor, Filters, InboxView } from './view.ts';
import { inboxPath, listQuery } from './paths.ts';
import { detailPage } from './notification-page.ts';
import { groupsOfPerson, sendFramed, type WebDeps } from '../web-deps.ts';

const ITEMS_PER_PAGE = 50;
/** Notifications of one item that are listed beside one of them. */
const OCCURRENCES_PER_PAGE = 10;
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
  ack: Type.Optional(Type.String({ enum: ['', 'open'] })),
  before: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  after: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
  /** `all`: the list is the one of all groups. */
  in: Type.Optional(Type.String({ enum: ['all'] })),
  /** Lists the notifications of an item before this seq. */
  earlier: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
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
      await markAllReadUpTo(deps, getPerson(request).accountId, readUpTo(request.body));
      return await backToList(reply, { groupId: undefined, query: request.query }, 'all-read');
    },
  );

  app.post(
    `${PAGES_PREFIX}/groups/:group_id/read`,
    { schema: { ...hide, params: GroupParams, querystring: ListParams } },
    async (request, reply) => {
      const { group_id: groupId } = request.params;
      const { accountId } = getPerson(request);
      await markReadUpTo(deps, { accountId, groupId }, readUpTo(request.body));
      return await backToList(reply, { groupId, query: request.query }, 'all-read');
    },
  );
}

function notificationPages(app: App, deps: WebDeps): void {
  const path = `${PAGES_PREFIX}/groups/:group_id/n/:seq`;
  const schema = { hide: true, params: ItemParams, querystring: ListParams };

  app.get(path, { schema }, async (request, reply) => {
    const { accountId } = getPerson(request);
    const { group_id: groupId, seq } = request.params;
    const { reader } = deps.store;
    const one = await getNotification(reader, { accountId, groupId }, seq);
    const isOfAll = request.query.in === 'all';
    const view = await readView(deps, { request, groupId: isOfAll ? undefined : groupId });
    const group = getGroup(view.groups, groupId);
    const occurrences = await listOccurrences(
      reader,
      { accountId, groupId },
      { seq, before: request.query.earlier, limit: OCCURRENCES_PER_PAGE },
    );
    const beside = neighbours(view, one);
    const page = detailPage(view, {
      ...{ ...one, ...beside, occurrences },
      groupName: group.name,
      mayRedact: group.role === 'owner' && one.redacted_at === undefined,
    });
    return await sendFramed(deps, { request, reply }, page, view);
  });

  app.post(`${path}/read`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await markItemRead(deps, { accountId: getPerson(request).accountId, groupId }, seq);
    return await backFromItem(request, reply);
  });

  app.post(`${path}/unread`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await markItemUnread(deps, { accountId: getPerson(request).accountId, groupId }, seq);
    return await backFromItem(request, reply);
  });

  app.post(`${path}/redact`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    await redactNotification(deps, { actor: toActor(getPerson(request)), groupId, seq });
    const { query } = request;
    const to = { groupId: query.in === 'all' ? undefined : groupId, query };
    return await backToList(reply, to, 'redacted');
  });

  app.post(`${path}/ack`, { schema }, async (request, reply) => {
    const { group_id: groupId, seq } = request.params;
    const comment = readComment(request.body);
    await acknowledgeItem(deps, { person: getPerson(request), groupId, seq, comment });
    return await backFromItem(request, reply);
  });
}

/** @throws Problem `fields_invalid` when it is too long */
function readComment(body: unknown): string | undefined {
  const { comment } = readFormValues(body);
  if (comment !== undefined && Array.from(comment).length > COMMENT_LENGTH_MAX) {
    const most = COMMENT_LENGTH_MAX.toLocaleString('en');
    throw new Problem('fields_invalid', `A comment has at most ${most} characters`);
  }
  return comment;
}

/** Redirects to the list that contains a row. */
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
  const list = listQuery({ filters: toFilters(query), cursor: toCursor(query) });
  const path = `${inboxPath(groupId)}${list}`;
  return await reply.redirect(done === undefined ? path : withDone(path, done), 303);
}

/** @throws Problem `fields_invalid` */
function readUpTo(body: unknown): number {
  const { up_to: upTo } = readFormValues(body);
  if (upTo === undefined || !COUNT.test(upTo)) {
    throw new Problem('fields_invalid', 'up_to is not well-formed');
  }
  return Number(upTo);
}

type ViewRequest = FastifyRequest<{ Querystring: ListParams }>;

async function readView(
  deps: WebDeps,
  { request, groupId }: { readonly request: ViewRequest; readonly groupId: string | undefined },
): Promise<InboxView & { readonly groups: readonly Group[] }> {
  const { query } = request;
  const { accountId } = getPerson(request);
  const { reader } = deps.store;
  // The position is read first: the page gets everything that is posted after it, even if it shows it already.
  const position = await readFeedPosition(reader);
  const groups = await groupsOfPerson(deps, accountId);
  const group = groupId === undefined ? undefined : getGroup(groups, groupId);
  const filters = toFilters(query);
  const cursor = toCursor(query);
  const found = await readItems(deps, { accountId, groupId, filters, cursor });
  return {
    group: group === undefined ? undefined : { ...group, isOwner: group.role === 'owner' },
    groups: groups.map((one) => ({ ...one, isOwner: one.role === 'owner' })),
    ...found,
    filters,
    cursor,
    position,
    nowMs: deps.clock.nowMs(),
    done: doneWords(query.done),
  };
}

async function readItems(
  { store }: WebDeps,
  {
    accountId,
    groupId,
    filters,
    cursor,
  }: {
    readonly accountId: string;
    readonly groupId: string | undefined;
    readonly filters: Filters;
    readonly cursor: Cursor;
  },
): Promise<Pick<InboxView, 'items' | 'older' | 'newer' | 'open' | 'searchedTo'>> {
  const { reader } = store;
  const { severity, unread } = filters;
  const q = filters.q === '' ? undefined : filters.q;
  const ack = filters.isOpen ? ('open' as const) : undefined;
  const options = {
    ...cursor,
    ...{ limit: ITEMS_PER_PAGE, severity, unread, ack, q, grouped: true },
  };
  const page =
    groupId === undefined
      ? await listAll(reader, accountId, options)
      : await listNotifications(reader, { accountId, groupId }, options);
  const next = page.next ?? undefined;
  const prev = page.prev ?? undefined;
  const searchedTo = page.searched_to;
  const { open = 0 } = page;
  return cursor.after === undefined
    ? { items: page.items, older: next, newer: prev, open, searchedTo }
    : { items: page.items.toReversed(), older: prev, newer: next, open, searchedTo };
}

function toCursor({ before, after }: ListParams): Cursor {
  return { before, after };
}

function toFilters(query: ListParams): Filters {
  return {
    severity: SEVERITIES.find((one): one is Severity => one === query.severity),
    unread: query.unread === 'true',
    isOpen: query.ack === 'open',
    q: query.q ?? '',
  };
}

/** @throws Problem `not_found` */
function getGroup<One extends { readonly id: string }>(groups: readonly One[], id: string): One {
  const group = groups.find((one) => one.id === id);
  if (group === undefined) throw new Problem('not_found', 'There is no such group');
  return group;
}

/** Whether a row shows the notification, alone or as part of its item. */
function isOfItem(one: Notification, row: Notification): boolean {
  const isSame =
    one.first_seq === undefined ? one.seq === row.seq : one.first_seq === row.first_seq;
  return one.group_id === row.group_id && isSame;
}

/** Those beside it in the list that is shown. */
function neighbours(
  view: InboxView,
  one: Notification,
): {
  readonly rowId: number | undefined;
  readonly newer: string | undefined;
  readonly older: string | undefined;
} {
  const at = view.items.findIndex((item) => isOfItem(one, item));
  const pathAt = (index: number): string | undefined => {
    const item = at === -1 ? undefined : view.items[index];
    return item === undefined ? undefined : `/inbox/groups/${item.group_id}/n/${item.seq}`;
  };
  return { rowId: view.items[at]?.id, newer: pathAt(at - 1), older: pathAt(at + 1) };
}
