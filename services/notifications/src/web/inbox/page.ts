// The inbox: notifications of one group or of all, and one of them in detail beside its list.
import { html, type Html } from '@lothub/kit/html';
import { icon } from '@lothub/design/icons';
import { renderTime } from '../browser/notification-item.ts';
import { SEVERITY_WORDS, shortCount } from '../browser/words.ts';
import { flag, message, said } from '../fragments.ts';
import { listSection } from './list.ts';
import { inboxPath, listQuery } from './paths.ts';
import type { InboxView } from './view.ts';
import type { Page } from '../layout.ts';

/** As long as what is searched for may be. */
export const SEARCH_LENGTH_MAX = 200;
const SEVERITY_CHOICES = ['critical', 'warning', 'info'] as const;

export function inboxPage(view: InboxView): Page {
  const { group } = view;
  const title = group?.name ?? 'All groups';
  return {
    title,
    current: group?.id ?? 'all',
    unread: countUnread(view),
    position: view.position,
    body: html`
      ${heading(view)} ${view.done === undefined ? '' : message('good', view.done)}
      ${
        group?.paused === true
          ? message('note', 'This group is paused: posts into it are refused.')
          : ''
      }
      ${renderTabs(view)} ${filterForm(view)} ${listSection(view)}
    `,
  };
}

/** Unread ones of what the page is about. */
export function countUnread({ group, groups }: InboxView): number {
  return group?.unread ?? groups.reduce((sum, { unread }) => sum + unread, 0);
}

function heading(view: InboxView): Html {
  const { group } = view;
  const unread = countUnread(view);
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

/**
 * Marks everything from the first row on, which is what the list and its older pages show. What came in
 * later and is not listed stays unread. A list that leaves some out has no such button.
 */
function markAllForm(view: InboxView, unread: number): Html {
  const { group, filters, items } = view;
  if (filters.severity !== undefined || filters.q !== '' || filters.isOpen) return html``;
  const [newest] = items;
  const upTo = newest === undefined ? '' : group === undefined ? newest.id : newest.seq;
  const isOff = unread === 0 || newest === undefined;
  return html`<form
    method="post"
    action="${inboxPath(group?.id)}/read${listQuery(view)}"
    data-act="read-all"
    data-scope="${group?.id ?? 'all'}"
  >
    <input type="hidden" name="up_to" value="${upTo}" />
    <button class="quiet" type="submit" aria-describedby="reach" ${flag('disabled', isOff)}>
      ${icon('check')}Mark all read
    </button>
    <p class="reach" id="reach" ${flag('hidden', isOff)}>
      ${group === undefined ? 'in all groups, ' : ''}up to
      ${newest === undefined ? html`<time data-time="exact"></time>` : renderTime(newest.created_at)},
      older pages included
    </p>
  </form>`;
}

/** The views of the list, each with its count; they keep what is searched for. */
function renderTabs(view: InboxView): Html {
  const { group, filters, open } = view;
  const { severity, q } = filters;
  const tab = (name: string, count: Html, chosen: { unread?: true; isOpen?: true }): Html => {
    const to = { severity, q, unread: chosen.unread ?? false, isOpen: chosen.isOpen ?? false };
    const isCurrent = to.unread === filters.unread && to.isOpen === filters.isOpen;
    const path = `${inboxPath(group?.id)}${listQuery({ filters: to, cursor: {} })}`;
    return html`<a href="${path}" ${isCurrent ? html` aria-current="page"` : ''}
      >${name} ${count}</a
    >`;
  };
  const unread = countUnread(view);
  return html`<nav class="tabs" aria-label="Views">
    ${tab('All', html``, {})} ${tab('Unread', tabCount('unread', unread), { unread: true })}
    ${tab('To acknowledge', tabCount('open', open), { isOpen: true })}
  </nav>`;
}

function tabCount(kind: 'unread' | 'open', count: number): Html {
  return html`<span class="tab-count ${kind}" data-tab-count="${kind}"
    >${count === 0 ? '' : shortCount(count)}</span
  >`;
}

function filterForm({ group, filters }: InboxView): Html {
  const isFiltered = filters.severity !== undefined || filters.q !== '';
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
    ${filters.unread ? html`<input type="hidden" name="unread" value="true" />` : ''}
    ${filters.isOpen ? html`<input type="hidden" name="ack" value="open" />` : ''}
    <button class="quiet" type="submit">Filter</button>
    ${isFiltered ? html`<a class="reset" href="${inboxPath(group?.id)}">Show everything</a>` : ''}
  </form>`;
}
