// What the page shows of read and unread, acknowledged and counted: one place that changes it, for
// actions of the reader on the page and for events of the stream.
import { acknowledgedNote } from './acknowledging.ts';
import type { DatedAcknowledgement } from './events.ts';
import { acknowledgement, readForm, renderTime } from './notification-item.ts';
import type { ShownNotification } from './notification-item.ts';
import { renderElement, getById, replaceKeepingFocus } from './rendering.ts';
import { showTimes } from './times.ts';
import { REDACTED_WORDS, shortCount } from './words.ts';

export interface Place {
  readonly groupId: string;
  readonly seq: number;
}

/** The row and the detail of a notification, as far as the page shows them. */
function elementsAt({ groupId, seq }: Place): readonly HTMLElement[] {
  const place = `[data-group="${CSS.escape(groupId)}"][data-seq="${seq}"]`;
  return [...document.querySelectorAll<HTMLElement>(`.item${place}, .detail${place}`)];
}

export function readPlace(element: Element): Place | undefined {
  const holder = element.closest<HTMLElement>('[data-group][data-seq]');
  const { group, seq } = holder?.dataset ?? {};
  return group === undefined || seq === undefined
    ? undefined
    : { groupId: group, seq: Number(seq) };
}

export function isUnread(element: HTMLElement): boolean {
  return element.classList.contains('item')
    ? element.classList.contains('unread')
    : element.dataset['read'] === 'no';
}

export function showRead(place: Place, read: boolean): void {
  for (const element of elementsAt(place)) showElementRead(element, read);
}

/** What belongs together was read, up to a seq of its group. */
export function showItemRead(item: {
  readonly groupId: string;
  readonly firstSeq: number;
  readonly upTo: number;
}): void {
  for (const element of elementsOfItem(item)) {
    if (Number(element.dataset['seq']) <= item.upTo) showElementRead(element, true);
  }
}

/** The row and the detail of what belongs together, as far as the page shows them. */
export function elementsOfItem(item: {
  readonly groupId: string;
  readonly firstSeq: number;
}): readonly HTMLElement[] {
  const place = `[data-group="${CSS.escape(item.groupId)}"][data-first="${item.firstSeq}"]`;
  return [...document.querySelectorAll<HTMLElement>(`.item${place}, .detail${place}`)];
}

/** An owner took the texts of a notification away. */
export function showRedacted(place: Place): void {
  for (const element of elementsAt(place)) {
    const title = document.createElement('i');
    title.className = 'redacted';
    title.textContent = REDACTED_WORDS;
    element.querySelector('.item-link, h1')?.replaceChildren(title);
    for (const text of element.querySelectorAll(
      '.excerpt, .text, .item-url, .detail-link, blockquote, .comment',
    )) {
      text.remove();
    }
    for (const named of element.querySelectorAll('button .hidden')) {
      named.textContent = ` “${REDACTED_WORDS}”`;
    }
    if (element.classList.contains('detail')) {
      titleWithoutCount = REDACTED_WORDS;
      document.title = REDACTED_WORDS;
    }
  }
}

/** Everything of all groups up to an id was read. */
export function showAllReadUpTo(upTo: number): void {
  for (const element of document.querySelectorAll<HTMLElement>('.item, .detail')) {
    const { id, detail } = element.dataset;
    if (Number(id ?? detail) <= upTo) showElementRead(element, true);
  }
}

/** Everything of a group up to a seq was read. */
export function showReadUpTo(groupId: string, upTo: number): void {
  const all = document.querySelectorAll<HTMLElement>(
    `.item[data-group="${CSS.escape(groupId)}"], .detail[data-group="${CSS.escape(groupId)}"]`,
  );
  for (const element of all) {
    if (Number(element.dataset['seq']) <= upTo) showElementRead(element, true);
  }
}

function showElementRead(element: HTMLElement, read: boolean): void {
  if (isUnread(element) !== read) return;
  if (element.classList.contains('item')) {
    element.classList.toggle('unread', !read);
    const mark = element.querySelector('.unread-mark');
    if (mark !== null) mark.textContent = read ? '' : 'Unread';
  } else {
    element.dataset['read'] = read ? 'yes' : 'no';
  }
  const form = element.querySelector('form[data-act="read"], form[data-act="unread"]');
  const place = readPlace(element);
  if (form === null || place === undefined) return;
  const one = { group_id: place.groupId, seq: place.seq, read, title: readTitle(element) };
  replaceKeepingFocus(form, renderElement(readForm(one, readQuery(form))));
}

export function showAcknowledged(place: Place, acknowledged: DatedAcknowledgement): void {
  for (const element of elementsAt(place)) {
    const form = element.querySelector('form[data-act="ack"]');
    if (form === null) continue;
    const isDetail = element.classList.contains('detail');
    const one = {
      group_id: place.groupId,
      seq: place.seq,
      acknowledged,
      title: readTitle(element),
    };
    const shown = renderElement(isDetail ? acknowledgedNote(acknowledged) : acknowledgement(one));
    showTimes(shown);
    replaceKeepingFocus(form, shown);
  }
}

function readTitle(element: Element): string {
  return element.querySelector('h1, h3')?.textContent.trim() ?? '';
}

/** What the address of a form carries on. */
function readQuery(form: Element): string {
  return new URL(form.getAttribute('action') ?? '', location.href).search;
}

let titleWithoutCount = document.title.replace(/^\(\d+\+?\) /, '');

/** Unread ones of a group, in the list at the side; then of all groups, and in the title. */
export function showUnread(groupId: string, unread: number): void {
  showCount(groupId, unread);
  const groups = [
    ...document.querySelectorAll<HTMLElement>('[data-count]:not([data-count="all"])'),
  ];
  showCount(
    'all',
    groups.reduce((sum, element) => sum + Number(element.dataset['unread']), 0),
  );
  const scope = document.getElementById('items')?.dataset['scope'] ?? 'all';
  const shown = readUnread(scope);
  document.title = shown === 0 ? titleWithoutCount : `(${shortCount(shown)}) ${titleWithoutCount}`;
  const summary = document.querySelector('[data-summary]');
  if (summary !== null) {
    summary.textContent =
      shown === 0 ? 'Everything is read' : `${shown.toLocaleString('en')} unread`;
  }
  const tab = document.querySelector('[data-tab-count="unread"]');
  if (tab !== null) tab.textContent = shown === 0 ? '' : shortCount(shown);
  showMarkAll();
}

export function readUnread(groupId: string): number {
  return Number(countElement(groupId)?.dataset['unread'] ?? 0);
}

function showCount(groupId: string, unread: number): void {
  const element = countElement(groupId);
  if (element === null) return;
  element.dataset['unread'] = String(unread);
  const [shown, words] = element.children;
  if (shown !== undefined) shown.textContent = unread === 0 ? '' : shortCount(unread);
  if (words !== undefined) words.textContent = unread === 0 ? '' : ' unread';
}

function countElement(groupId: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-count="${CSS.escape(groupId)}"]`);
}

interface MarkAll {
  /** Id of a group, or `all`. */
  readonly scope: string;
  /** What it marks up to: a seq of the group, an id of all groups; empty when nothing is listed. */
  readonly upTo: HTMLInputElement;
  readonly button: HTMLButtonElement;
  readonly reach: HTMLElement;
}

/** The form that marks all as read; a list that leaves some out has none. */
function findMarkAll(): MarkAll | undefined {
  const form = document.querySelector<HTMLFormElement>('form[data-act="read-all"]');
  const upTo = form?.querySelector<HTMLInputElement>('input[name="up_to"]') ?? undefined;
  const button = form?.querySelector('button') ?? undefined;
  if (form === null || upTo === undefined || button === undefined) return undefined;
  return { scope: form.dataset['scope'] ?? 'all', upTo, button, reach: getById('reach') };
}

function showMarkAll(): void {
  const markAll = findMarkAll();
  if (markAll === undefined) return;
  const { scope, upTo, button, reach } = markAll;
  const isOff = readUnread(scope) === 0 || upTo.value === '';
  button.disabled = isOff;
  reach.hidden = isOff;
}

/** "Mark all read" reaches up to the newest row of the list: a new one has just become it. */
export function showReach(one: ShownNotification): void {
  const markAll = findMarkAll();
  if (markAll === undefined) return;
  const { scope, upTo, reach } = markAll;
  upTo.value = String(scope === 'all' ? one.id : one.seq);
  reach.querySelector('time')?.replaceWith(renderElement(renderTime(one.created_at)));
  showTimes(reach);
  showMarkAll();
}
