// One item of the list as a row, a notification or all that belong together: rendered on the server, and by the
// live list with the same words and the same escaping.
import { html, type Html } from '@lothub/kit/html';
import type { Severity, Status } from '../../store/post.ts';
import { icon } from '@lothub/design/icons';
import { REDACTED_WORDS, SEVERITY_WORDS, STATUS_WORDS, counted, utcWords } from './words.ts';

/** What the list shows of an item, in the names of the API's answers. */
export interface ShownNotification {
  /** Position in the feed; of what belongs together that of the newest, as all of it but the count. */
  readonly id: number;
  readonly group_id: string;
  readonly seq: number;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly url?: string | undefined;
  readonly status?: Status | undefined;
  /** Says what belongs together: seq of the first. */
  readonly first_seq?: number | undefined;
  readonly count?: number | undefined;
  readonly redacted_at?: string | undefined;
  /** `2026-01-02T03:04:05.678Z` */
  readonly created_at: string;
  readonly sender: { readonly name: string };
  readonly acknowledged: ShownAcknowledgement | null;
  readonly read: boolean;
}

export interface ShownAcknowledgement {
  readonly name: string;
  readonly comment?: string | undefined;
}

export interface ItemOptions {
  /** Shown in lists with notifications of several groups. */
  readonly groupName?: string | undefined;
  /** What links and forms carry on, such as `?in=all`. */
  readonly query?: string;
  /** It is the one whose detail is shown. */
  readonly current?: boolean;
}

/** Maximum number of characters of a body in a row; the page of the notification shows all. */
const EXCERPT_LENGTH = 240;

export function notificationPath(place: {
  readonly group_id: string;
  readonly seq: number;
}): string {
  return `/inbox/groups/${encodeURIComponent(place.group_id)}/n/${place.seq}`;
}

/** Its colour, its icon and its word. */
export function severityMark(severity: Severity): Html {
  return html`<span class="chip mark ${severity}"
    >${icon(severity)}${SEVERITY_WORDS[severity]}</span
  >`;
}

/** A time that the browser turns into the reader's own. */
export function renderTime(instant: string, form: 'ago' | 'exact' = 'exact'): Html {
  return html`<time datetime="${instant}" data-time="${form}">${utcWords(instant)}</time>`;
}

/** It asks somebody to take it up. */
export function isOpen({
  severity,
  status,
  acknowledged,
}: Pick<ShownNotification, 'severity' | 'status' | 'acknowledged'>): boolean {
  return severity === 'critical' && status !== 'resolved' && acknowledged === null;
}

export function notificationItem(one: ShownNotification, options: ItemOptions = {}): Html {
  const path = notificationPath(one);
  const query = options.query ?? '';
  const excerpt =
    one.body === null ? '' : html`<p class="excerpt"><bdi>${cutExcerpt(one.body)}</bdi></p>`;
  return html`<li
    class="item ${one.severity}${one.read ? '' : ' unread'}${
      one.status === 'resolved' ? ' resolved' : ''
    }"
    id="n${one.id}"
    data-id="${one.id}"
    data-group="${one.group_id}"
    data-seq="${one.seq}"
    data-first="${one.first_seq ?? one.seq}"
    data-severity="${one.severity}"
  >
    <div class="item-head">
      ${severityMark(one.severity)}
      <span class="unread-mark">${one.read ? '' : 'Unread'}</span>
      ${stateMark(one)} ${renderTime(one.created_at, 'ago')}
    </div>
    <div class="item-words">
      <h3>
        <a class="item-link" href="${path}${query}" ${current(options)}>${renderTitle(one)}</a>
      </h3>
      ${excerpt} ${one.url === undefined ? '' : renderLink(one.url, 'item-url')}
    </div>
    <div class="item-foot">
      <p class="item-from">${renderFrom(one, options.groupName)}</p>
      <div class="item-actions">
        ${one.acknowledged !== null || isOpen(one) ? acknowledgement(one, query) : ''}
        ${readForm(one, query)}
      </div>
    </div>
  </li>`;
}

function current(options: ItemOptions): Html {
  return options.current === true ? html` aria-current="true"` : html``;
}

export function renderTitle({
  title,
  redacted_at,
}: Pick<ShownNotification, 'title' | 'redacted_at'>): Html {
  return redacted_at === undefined
    ? html`<bdi>${title}</bdi>`
    : html`<i class="redacted">${REDACTED_WORDS}</i>`;
}

/** How many belong together, and what their thing is now; nothing of one that is alone and says neither. */
export function stateMark({
  count = 1,
  status,
}: Pick<ShownNotification, 'count' | 'status'>): Html {
  if (count === 1 && status === undefined) return html``;
  const words = status === undefined ? '' : STATUS_WORDS[status];
  const times =
    count === 1
      ? ''
      : html`<span class="times" aria-hidden="true">×${count.toLocaleString('en')}</span
          ><span class="hidden">${counted(count, 'time')}</span>`;
  return html`<span class="state-mark ${status ?? 'plain'}">${words} ${times}</span>`;
}

/** A link that its sender gave, with the host that it leads to; nothing of any other kind of address. */
export function renderLink(url: string, kind: string): Html {
  const host = linkHost(url);
  if (host === undefined) return html``;
  return html`<a class="${kind}" href="${url}" rel="noopener noreferrer"
    >${icon('link')}<span class="hidden">Open </span><bdi>${host}</bdi></a
  >`;
}

function renderFrom(one: ShownNotification, groupName: string | undefined): Html {
  const sender = html`<span class="item-sender"
    ><span class="item-by">from </span><bdi>${one.sender.name}</bdi></span
  >`;
  if (groupName === undefined) return sender;
  return html`<bdi class="item-group">${groupName}</bdi
    ><span class="item-dot" aria-hidden="true"> · </span>${sender}`;
}

/** Turns an item from unread to read and back. */
export function readForm(
  one: Pick<ShownNotification, 'group_id' | 'seq' | 'read' | 'title'>,
  query = '',
): Html {
  const act = one.read ? 'unread' : 'read';
  return html`<form
    method="post"
    action="${notificationPath(one)}/${act}${query}"
    data-act="${act}"
  >
    <button class="quiet" type="submit">
      Mark ${act}<span class="hidden"> “${one.title}”</span>
    </button>
  </form>`;
}

/** Who has taken up a critical notification, or the button to do so. */
export function acknowledgement(
  one: Pick<ShownNotification, 'group_id' | 'seq' | 'acknowledged' | 'title'>,
  query = '',
): Html {
  if (one.acknowledged !== null) {
    const { name, comment } = one.acknowledged;
    const said =
      comment === undefined ? '' : html`<span class="comment">: <bdi>${comment}</bdi></span>`;
    return html`<p class="acknowledged">
      ${icon('check')}<span class="acknowledged-by"
        ><span class="acknowledged-word">Acknowledged by</span> <bdi>${name}</bdi>${said}</span
      >
    </p>`;
  }
  return html`<form method="post" action="${notificationPath(one)}/ack${query}" data-act="ack">
    <button class="acknowledge" type="submit">
      Acknowledge<span class="hidden"> “${one.title}”</span>
    </button>
  </form>`;
}

const CHARACTERS = new Intl.Segmenter('en');

/** The beginning of a text, cut between characters as people see them. */
export function cutExcerpt(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  for (const { segment, index } of CHARACTERS.segment(text)) {
    if (index + segment.length <= EXCERPT_LENGTH) continue;
    // One character may be made of thousands of marks: it is left out, too.
    return `${text.slice(0, index)}…`;
  }
  return text;
}

function linkHost(address: string): string | undefined {
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return undefined;
  return url.host === '' ? undefined : url.host;
}
