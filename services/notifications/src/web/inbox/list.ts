// The list of an inbox, with the text that replaces it when it is empty, and the links to its other pages.
import { html, type Html } from '@lothub/kit/html';
import { dayBefore } from '../browser/days.ts';
import { notificationItem, renderTime } from '../browser/notification-item.ts';
import { emptyNote, flag } from '../fragments.ts';
import type { InboxView } from './view.ts';
import { inboxPath, isNewestPage, itemQuery, listQuery } from './paths.ts';

/** @param current id of the one whose detail is shown */
export function listSection(view: InboxView, current?: number): Html {
  const { group, groups, items, filters, nowMs } = view;
  const names = new Map(groups.map(({ id, name }) => [id, name]));
  const query = itemQuery(view);
  return html`<section class="list" aria-label="Notifications">
    <p class="pill-place">
      <a
        class="pill"
        id="pill"
        href="${inboxPath(group?.id)}${listQuery({ ...view, cursor: {} })}"
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
      data-ack="${filters.isOpen ? 'open' : ''}"
      data-q="${filters.q}"
      data-page="${isNewestPage(view.cursor) ? 'first' : 'older'}"
    >
      ${items.map((one, at) => [
        dayBefore(one.created_at, { before: items[at - 1]?.created_at, nowMs }),
        notificationItem(one, {
          groupName: group === undefined ? (names.get(one.group_id) ?? '') : undefined,
          query,
          current: one.id === current,
        }),
      ])}
    </ol>
    ${items.length === 0 ? emptyList(view) : searchedNote(view)} ${renderPages(view)}
  </section>`;
}

/** Where a search ended that did not look at everything. */
function searchedNote({ searchedTo, cursor }: InboxView): Html {
  if (searchedTo === null) return html``;
  const way = cursor.after === undefined ? 'back to' : 'up to';
  return html`<p class="searched" id="searched">Searched ${way} ${renderTime(searchedTo)}.</p>`;
}

function emptyList(view: InboxView): Html {
  const { filters, group, groups, cursor, searchedTo } = view;
  const isFiltered =
    filters.q !== '' || filters.severity !== undefined || filters.unread || filters.isOpen;
  if (searchedTo !== null) {
    return html`<p class="empty" id="empty">No match so far.</p>
      ${searchedNote(view)}`;
  }
  if (!isNewestPage(cursor)) {
    const way = cursor.after === undefined ? 'older' : 'newer';
    const what = isFiltered ? `Nothing ${way} matches.` : `Nothing is ${way}.`;
    return html`<p class="empty" id="empty">${what}</p>`;
  }
  if (filters.isOpen && filters.q === '' && filters.severity === undefined) {
    return html`<p class="empty" id="empty">Nothing critical waits to be acknowledged.</p>`;
  }
  if (isFiltered) {
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

/** The link to older ones is there in any case: a page that stays open drops its oldest rows. */
function renderPages(view: InboxView): Html {
  const { group, filters, cursor, older, newer, searchedTo } = view;
  const pathTo = (to: InboxView['cursor']): string =>
    `${inboxPath(group?.id)}${listQuery({ filters, cursor: to })}`;
  const isSearching = searchedTo !== null;
  const isForward = cursor.after !== undefined;
  const isAlone = isNewestPage(cursor) && older === undefined;
  return html`<nav class="pager" id="pages" aria-label="Pages" ${flag('hidden', isAlone)}>
    ${isNewestPage(cursor) ? '' : html`<a href="${pathTo({})}">Newest</a>`}
    ${
      newer === undefined
        ? ''
        : html`<a href="${pathTo({ after: newer })}"
            >${isSearching && isForward ? 'Search on' : 'Newer'}</a
          >`
    }
    <a
      id="older"
      href="${pathTo(older === undefined ? {} : { before: older })}"
      ${flag('hidden', older === undefined)}
      >${isSearching && !isForward ? 'Search further back' : 'Older'}</a
    >
  </nav>`;
}
