// The inbox: notifications of one group or of all, and one of them in detail beside its list.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Notification } from '../inbox/inbox-schema.ts';
import type { Severity } from '../store/post.ts';
import { icon } from './browser/icons.ts';
import { notificationItem } from './browser/notification-item.ts';
import { SEVERITY_WORDS } from './browser/words.ts';
import { emptyNote, flag, message, said } from './fragments.ts';
import type { Page } from './layout.ts';

/** As the API takes them in its query. */
export interface Filters {
  readonly severity: Severity | undefined;
  readonly unread: boolean;
  readonly q: string;
}

export interface InboxGroup {
  readonly id: string;
  readonly name: string;
  readonly paused: boolean;
  readonly isOwner: boolean;
  readonly head_seq: number;
  readonly unread: number;
}

export interface InboxView {
  /** undefined: all groups. */
  readonly group: InboxGroup | undefined;
  readonly groups: readonly InboxGroup[];
  /** Newest first. */
  readonly items: readonly Notification[];
  readonly filters: Filters;
  /** What stands between this page and the newest notifications; undefined on the first page. */
  readonly before: number | undefined;
  /** Where the older ones begin; undefined when there are none. */
  readonly next: number | undefined;
  /** How far the feed is that this shows. */
  readonly position: number;
  /** Words about what was just done. */
  readonly done: string | undefined;
}

/** As long as what is searched for may be. */
export const SEARCH_LENGTH_MAX = 200;
const SEVERITY_CHOICES = ['critical', 'warning', 'info'] as const;

export function inboxPage(view: InboxView): Page {
  const { group } = view;
  const title = group?.name ?? 'All groups';
  return {
    title,
    current: group?.id ?? 'all',
    unread: unreadOf(view),
    position: view.position,
    body: html`
      ${heading(view)} ${view.done === undefined ? '' : message('good', view.done)}
      ${
        group?.paused === true
          ? message('note', 'This group is paused: posts into it are refused.')
          : ''
      }
      ${filterForm(view)} ${listSection(view)}
    `,
  };
}

/** Unread ones of what the page is about. */
export function unreadOf({ group, groups }: InboxView): number {
  return group?.unread ?? groups.reduce((sum, { unread }) => sum + unread, 0);
}

function heading(view: InboxView): Html {
  const { group } = view;
  const unread = unreadOf(view);
  return html`<div class="heading">
    <div>
      <h1>${group === undefined ? 'All groups' : said(group.name)}</h1>
      <p class="summary" data-summary>
        ${unread === 0 ? 'Everything is read' : `${shown(unread)} unread`}
      </p>
    </div>
    <div class="heading-actions">
      ${markAllForm(view, unread)}
      ${
        group === undefined
          ? ''
          : html`<a class="button quiet" href="/inbox/groups/${group.id}/settings"
              >${icon('settings')}Settings</a
            >`
      }
    </div>
  </div>`;
}

function shown(count: number): string {
  return count.toLocaleString('en');
}

/** Says up to where: what comes in meanwhile stays unread. */
function markAllForm({ group, groups }: InboxView, unread: number): Html {
  const marked = group === undefined ? groups : [group];
  const action = group === undefined ? '/inbox/read' : `/inbox/groups/${group.id}/read`;
  return html`<form method="post" action="${action}" data-act="read-all">
    ${marked.map(
      ({ id, head_seq }) => html`<input type="hidden" name="up_to" value="${id}:${head_seq}" />`,
    )}
    <button class="quiet" type="submit" ${flag('disabled', unread === 0)}>
      ${icon('check')}Mark all read
    </button>
  </form>`;
}

export function inboxPath(groupId: string | undefined): string {
  return groupId === undefined ? '/inbox' : `/inbox/groups/${groupId}`;
}

function filterForm({ group, filters }: InboxView): Html {
  const isFiltered = filters.severity !== undefined || filters.unread || filters.q !== '';
  return html`<form class="filters" action="${inboxPath(group?.id)}" method="get" role="search">
    <div class="filter-search">
      <label class="hidden" for="q">Search in titles and texts</label>
      ${icon('search')}
      <input
        id="q"
        name="q"
        type="search"
        value="${filters.q}"
        maxlength="${SEARCH_LENGTH_MAX}"
        placeholder="Search"
        autocomplete="off"
      />
    </div>
    <div>
      <label class="hidden" for="severity">Severity</label>
      <select id="severity" name="severity">
        <option value="">All severities</option>
        ${SEVERITY_CHOICES.map(
          (severity) =>
            html`<option value="${severity}" ${flag('selected', severity === filters.severity)}>
              ${SEVERITY_WORDS[severity]}
            </option>`,
        )}
      </select>
    </div>
    <label class="check" for="unread">
      <input
        id="unread"
        name="unread"
        type="checkbox"
        value="true"
        ${flag('checked', filters.unread)}
      />
      Unread
    </label>
    <button class="quiet" type="submit">Filter</button>
    ${isFiltered ? html`<a class="reset" href="${inboxPath(group?.id)}">Show everything</a>` : ''}
  </form>`;
}

/** The filters and the place in the list, as they go on through links. */
export function listQuery(
  { filters, before }: Pick<InboxView, 'filters' | 'before'>,
  more: Readonly<Record<string, string>> = {},
): string {
  const query = new URLSearchParams({
    ...(filters.q === '' ? {} : { q: filters.q }),
    ...(filters.severity === undefined ? {} : { severity: filters.severity }),
    ...(filters.unread ? { unread: 'true' } : {}),
    ...(before === undefined ? {} : { before: String(before) }),
    ...more,
  });
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** What links from a row carry on: the list that it stands in. */
export function itemQuery(view: InboxView): string {
  return listQuery(view, view.group === undefined ? { in: 'all' } : {});
}

/** @param current id of the one whose detail is shown */
export function listSection(view: InboxView, current?: number): Html {
  const { group, groups, items, filters } = view;
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const query = itemQuery(view);
  return html`<section class="list" aria-label="Notifications">
    <h2 class="hidden">Notifications</h2>
    <p class="pill-place">
      <a
        class="pill"
        id="pill"
        href="${inboxPath(group?.id)}${listQuery({ ...view, before: undefined })}"
        hidden
      ></a>
    </p>
    <p class="hidden" id="news" aria-live="polite"></p>
    <ol
      class="items"
      id="items"
      data-scope="${group?.id ?? 'all'}"
      data-query="${query}"
      data-severity="${filters.severity ?? ''}"
      data-q="${filters.q}"
      data-page="${view.before === undefined ? 'first' : 'older'}"
    >
      ${items.map((one) =>
        notificationItem(one, {
          groupName: group === undefined ? (names.get(one.group_id) ?? '') : undefined,
          query,
          current: one.id === current,
        }),
      )}
    </ol>
    ${items.length === 0 ? emptyList(view) : ''} ${pagesOf(view)}
  </section>`;
}

function emptyList(view: InboxView): Html {
  const { filters, group, groups } = view;
  if (filters.q !== '' || filters.severity !== undefined || filters.unread) {
    return html`<p class="empty" id="empty">
      Nothing here matches. <a href="${inboxPath(group?.id)}">Show everything</a>
    </p>`;
  }
  if (group === undefined && groups.length === 0) {
    return emptyNote(
      html`You are in no group yet. <a href="/inbox/new-group">Make one</a>, or ask the owner of one
        for an invitation.`,
    );
  }
  const isOwner = group?.isOwner ?? groups.some((one) => one.isOwner);
  const settings = group ?? groups.find((one) => one.isOwner);
  return html`<p class="empty" id="empty">
    Nothing has come in yet. New notifications appear here by themselves.
    ${
      isOwner && settings !== undefined
        ? html`<a href="/inbox/groups/${settings.id}/settings#keys"
            >Make a key and send the first</a
          >`
        : ''
    }
  </p>`;
}

function pagesOf(view: InboxView): Html {
  const { group, before, next } = view;
  if (before === undefined && next === undefined) return html``;
  const path = inboxPath(group?.id);
  return html`<nav class="pages" aria-label="Pages">
    ${
      before === undefined
        ? ''
        : html`<a href="${path}${listQuery({ ...view, before: undefined })}">Newest</a>`
    }
    ${
      next === undefined
        ? ''
        : html`<a id="older" href="${path}${listQuery({ ...view, before: next })}">Older</a>`
    }
  </nav>`;
}
