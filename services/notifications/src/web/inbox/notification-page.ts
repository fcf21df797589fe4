// One notification in detail, beside the list that it stands in.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Notification } from '../../inbox/inbox-schema.ts';
import { icon } from '@lothub/design/icons';
import { linkedText } from '@lothub/design/linked-text';
import { acknowledgement, readForm, severityMark, timeOf } from '../browser/notification-item.ts';
import { said } from '../fragments.ts';
import { listSection } from './list.ts';
import { unreadOf } from './page.ts';
import type { InboxView } from './view.ts';
import { inboxPath, itemQuery, listQuery } from './paths.ts';
import type { Page } from '../layout.ts';

export interface Detail extends Notification {
  readonly groupName: string;
  /** Paths of its neighbours in the list; undefined when there are none. */
  readonly newer: string | undefined;
  readonly older: string | undefined;
}

/** The list with one of it in detail. */
export function detailPage(view: InboxView, detail: Detail): Page {
  return {
    title: detail.title,
    current: view.group?.id ?? 'all',
    unread: unreadOf(view),
    position: view.position,
    body: html`<div class="split">
      <div class="split-list">${listSection(view, detail.id)}</div>
      ${detailOf(view, detail)}
    </div>`,
  };
}

function detailOf(view: InboxView, one: Detail): Html {
  const query = itemQuery(view);
  const back = `${inboxPath(view.group?.id)}${listQuery(view)}`;
  const beside = (path: string | undefined, label: string) =>
    path === undefined ? html`` : html`<a href="${path}${query}">${label}</a>`;
  return html`<article
    class="detail ${one.severity}"
    data-detail="${one.id}"
    data-group="${one.group_id}"
    data-seq="${one.seq}"
    data-read="${one.read ? 'yes' : 'no'}"
  >
    <nav class="detail-nav" aria-label="This notification">
      <a class="back" href="${back}">${icon('back')}Back to the list</a>
      <span class="beside">${beside(one.newer, 'Newer')}${beside(one.older, 'Older')}</span>
    </nav>
    <p>${severityMark(one.severity)}</p>
    <h1>${said(one.title)}</h1>
    <dl class="facts across">
      <div>
        <dt>Received</dt>
        <dd>
          ${timeOf(one.created_at, 'exact')}
          <span class="relative" data-ago="${one.created_at}"></span>
        </dd>
      </div>
      <div>
        <dt>From</dt>
        <dd>${senderOf(one)}</dd>
      </div>
      <div>
        <dt>Group</dt>
        <dd><a href="/inbox/groups/${one.group_id}">${said(one.groupName)}</a></dd>
      </div>
      <div>
        <dt>Number</dt>
        <dd>${one.seq}</dd>
      </div>
    </dl>
    ${
      one.body === null
        ? html`<p class="empty">It has no further text.</p>`
        : html`<div class="text"><bdi>${linkedText(one.body)}</bdi></div>`
    }
    ${
      one.acknowledged === null
        ? ''
        : html`<p class="acknowledged">
            ${icon('check')}<span
              >Acknowledged by ${said(one.acknowledged.name)}, ${timeOf(one.acknowledged.at)}</span
            >
          </p>`
    }
    <div class="detail-actions">
      ${one.severity === 'critical' && one.acknowledged === null ? acknowledgement(one, query) : ''}
      ${readForm(one, query)}
    </div>
  </article>`;
}

function senderOf({ sender }: Notification): Html {
  return sender.kind === 'key' ? html`key ${said(sender.name)}` : said(sender.name);
}
