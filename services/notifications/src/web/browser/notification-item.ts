// One notification as a row of the list: rendered on the server, and by the live list with the same
// words and the same escaping.
import { html } from '@lothub/kit/html';
import type { Html } from '@lothub/kit/html';
import type { Severity } from '../../store/post.ts';
import { icon } from '@lothub/design/icons';
import { SEVERITY_WORDS, utcWords } from './words.ts';

/** What the list shows of a notification, in the names of the API's answers. */
export interface ShownNotification {
  /** Position in the feed. */
  readonly id: number;
  readonly group_id: string;
  readonly seq: number;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  /** `2026-01-02T03:04:05.678Z` */
  readonly created_at: string;
  readonly sender: { readonly name: string };
  readonly acknowledged: { readonly name: string } | null;
  readonly read: boolean;
}

export interface ItemOptions {
  /** Shown where notifications of several groups stand together. */
  readonly groupName?: string | undefined;
  /** What links and forms carry on, such as `?in=all`. */
  readonly query?: string;
  /** It is the one whose detail is shown. */
  readonly current?: boolean;
}

/** A row shows so many characters of a body; the rest stands on its own page. */
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
export function timeOf(instant: string, form: 'ago' | 'exact' = 'exact'): Html {
  return html`<time datetime="${instant}" data-time="${form}">${utcWords(instant)}</time>`;
}

export function notificationItem(one: ShownNotification, options: ItemOptions = {}): Html {
  const path = notificationPath(one);
  const query = options.query ?? '';
  return html`<li
    class="item ${one.severity}${one.read ? '' : ' unread'}"
    id="n${one.id}"
    data-id="${one.id}"
    data-group="${one.group_id}"
    data-seq="${one.seq}"
    data-severity="${one.severity}"
  >
    <div class="item-head">
      ${severityMark(one.severity)}
      <span class="unread-mark">${one.read ? '' : 'Unread'}</span>
      ${timeOf(one.created_at, 'ago')}
    </div>
    <h3>
      <a class="item-link" href="${path}${query}" ${current(options)}><bdi>${one.title}</bdi></a>
    </h3>
    ${one.body === null ? '' : html`<p class="excerpt"><bdi>${excerptOf(one.body)}</bdi></p>`}
    <div class="item-foot">
      <p class="item-from">${fromOf(one, options.groupName)}</p>
      <div class="item-actions">
        ${one.severity === 'critical' ? acknowledgement(one, query) : ''} ${readForm(one, query)}
      </div>
    </div>
  </li>`;
}

function current(options: ItemOptions): Html {
  return options.current === true ? html` aria-current="true"` : html``;
}

function fromOf(one: ShownNotification, groupName: string | undefined): Html {
  const sender = html`from <bdi>${one.sender.name}</bdi>`;
  if (groupName === undefined) return sender;
  return html`<bdi class="item-group">${groupName}</bdi
    ><span aria-hidden="true"> · </span>${sender}`;
}

/** Turns a notification from unread to read and back. */
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
    return html`<p class="acknowledged">
      ${icon('check')}Acknowledged by <bdi>${one.acknowledged.name}</bdi>
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
export function excerptOf(text: string): string {
  if (text.length <= EXCERPT_LENGTH) return text;
  for (const { segment, index } of CHARACTERS.segment(text)) {
    if (index + segment.length <= EXCERPT_LENGTH) continue;
    // One character may be made of thousands of marks: it is left out, too.
    return `${text.slice(0, index)}…`;
  }
  return text;
}
