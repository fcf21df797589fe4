// One notification in detail, beside the list that contains it.
import { html, type Html } from '@lothub/kit/html';
import type { Notification, Occurrences } from '../../inbox/inbox-schema.ts';
import { icon } from '@lothub/design/icons';
import { linkedText } from '@lothub/design/linked-text';
import {
  isOpen,
  renderLink,
  notificationPath,
  readForm,
  severityMark,
  stateMark,
  renderTime,
  renderTitle,
} from '../browser/notification-item.ts';
import { acknowledgeForm, acknowledgedNote } from '../browser/acknowledging.ts';
import { REDACTED_WORDS, STATUS_WORDS } from '../browser/words.ts';
import { actionButton, said } from '../fragments.ts';
import { listSection } from './list.ts';
import { countUnread } from './page.ts';
import type { InboxView } from './view.ts';
import { inboxPath, itemQuery, listQuery } from './paths.ts';
import type { Page } from '../layout.ts';

export interface Detail extends Notification {
  /** For owners, while there is a text. */
  readonly mayRedact: boolean;
  readonly groupName: string;
  /** Id of its row in the list; undefined when the page of the list has none. */
  readonly rowId: number | undefined;
  /** What it belongs together with. */
  readonly occurrences: Occurrences;
  /** Paths of its neighbours in the list; undefined when there are none. */
  readonly newer: string | undefined;
  readonly older: string | undefined;
}

/** The list with one of it in detail. */
export function detailPage(view: InboxView, detail: Detail): Page {
  return {
    title: detail.redacted_at === undefined ? detail.title : REDACTED_WORDS,
    current: view.group?.id ?? 'all',
    unread: countUnread(view),
    position: view.position,
    body: html`<div class="split">
      <div class="split-list">${listSection(view, detail.rowId)}</div>
      ${renderDetail(view, detail)}
    </div>`,
  };
}

function renderDetail(view: InboxView, one: Detail): Html {
  const query = itemQuery(view);
  const back = `${inboxPath(view.group?.id)}${listQuery(view)}`;
  const beside = (path: string | undefined, label: string) =>
    path === undefined ? html`` : html`<a href="${path}${query}">${label}</a>`;
  const isRedacted = one.redacted_at !== undefined;
  return html`<article
    class="detail ${one.severity}${one.status === 'resolved' ? ' resolved' : ''}"
    data-detail="${one.id}"
    data-group="${one.group_id}"
    data-seq="${one.seq}"
    data-first="${one.first_seq ?? one.seq}"
    data-read="${one.read ? 'yes' : 'no'}"
  >
    <nav class="detail-nav" aria-label="This notification">
      <a class="back" href="${back}">${icon('back')}Back to the list</a>
      <span class="beside">${beside(one.newer, 'Newer')}${beside(one.older, 'Older')}</span>
    </nav>
    <p class="detail-marks">${severityMark(one.severity)} ${stateMark(one)}</p>
    <h1>${renderTitle(one)}</h1>
    ${one.url === undefined ? '' : html`<p class="detail-link">${renderLink(one.url, 'detail-url')}</p>`}
    <dl class="facts across">
      <div>
        <dt>Received</dt>
        <dd>
          ${renderTime(one.created_at, 'exact')}
          <span class="relative" data-ago="${one.created_at}"></span>
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>${renderSender(one)}</dd>
      </div>
      <div>
        <dt>Group</dt>
        <dd><a href="/inbox/groups/${one.group_id}">${said(one.groupName)}</a></dd>
      </div>
      <div>
        <dt>Number</dt>
        <dd>${one.seq}</dd>
      </div>
      ${
        one.first_at === undefined || one.first_seq === one.seq
          ? ''
          : html`<div>
              <dt>First</dt>
              <dd>${renderTime(one.first_at)}</dd>
            </div>`
      }
    </dl>
    ${
      one.redacted_at === undefined
        ? ''
        : html`<p class="empty">
            An owner of the group removed its text, ${renderTime(one.redacted_at)}.
          </p>`
    }
    ${
      one.body === null
        ? isRedacted
          ? ''
          : html`<p class="empty">It has no further text.</p>`
        : html`<div class="text"><bdi>${linkedText(one.body)}</bdi></div>`
    }
    ${one.acknowledged === null ? '' : acknowledgedNote(one.acknowledged)}
    ${isOpen(one) ? acknowledgeForm(one, query) : ''}
    <div class="detail-actions">
      ${readForm(one, query)}
      ${
        one.mayRedact
          ? actionButton({
              action: `${notificationPath(one)}/redact${query}`,
              label: 'Remove the text',
              kind: 'danger',
              confirm:
                'Remove the text of this notification for everybody? Nothing brings it back.',
            })
          : ''
      }
    </div>
    ${renderOccurrences(view, one)}
  </article>`;
}

/** What it belongs together with, page by page; nothing of one that is alone. */
function renderOccurrences(view: InboxView, one: Detail): Html {
  const { items, next } = one.occurrences;
  if ((one.count ?? 1) === 1) return html``;
  const query = itemQuery(view);
  const more = `${notificationPath(one)}${listQuery(view, {
    ...(view.group === undefined ? { in: 'all' } : {}),
    earlier: String(next),
  })}#occurrences`;
  return html`<section class="occurrences" id="occurrences" aria-labelledby="occurrences-title">
    <h2 id="occurrences-title">Each time</h2>
    <ol>
      ${items.map((each) => {
        const isThis = each.seq === one.seq;
        return html`<li ${isThis ? html` class="this"` : ''}>
          <a href="${notificationPath(each)}${query}" ${isThis ? html` aria-current="true"` : ''}
            >${renderTime(each.created_at)}</a
          >
          <span class="occurrence-state"
            >${each.status === undefined ? '' : STATUS_WORDS[each.status]}</span
          >
          ${isSameTitle(each, one) ? '' : html`<span class="occurrence-title">${renderTitle(each)}</span>`}
        </li>`;
      })}
    </ol>
    ${next === null ? '' : html`<p><a href="${more}">Earlier</a></p>`}
  </section>`;
}

/** Most say the same each time. */
function isSameTitle(each: Notification, one: Notification): boolean {
  return each.title === one.title && each.redacted_at === undefined;
}

function renderSender({ sender }: Notification): Html {
  return sender.kind === 'key' ? html`key ${said(sender.name)}` : said(sender.name);
}
