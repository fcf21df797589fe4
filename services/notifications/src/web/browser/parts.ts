// What the page shows of read and unread, acknowledged and counted: one place that changes it, for what
// the reader does here and for what the stream tells.
import { acknowledgement, readForm } from './notification-item.ts';
import { elementOf, replaceKeepingFocus } from './rendering.ts';
import { shortCount } from './words.ts';

export interface Place {
  readonly groupId: string;
  readonly seq: number;
}

/** The row and the detail of a notification, as far as the page shows them. */
function elementsAt({ groupId, seq }: Place): readonly HTMLElement[] {
  const place = `[data-group="${CSS.escape(groupId)}"][data-seq="${seq}"]`;
  return [...document.querySelectorAll<HTMLElement>(`.item${place}, .detail${place}`)];
}

export function placeOf(element: Element): Place | undefined {
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
  const place = placeOf(element);
  if (form === null || place === undefined) return;
  const one = { group_id: place.groupId, seq: place.seq, read, title: titleOf(element) };
  replaceKeepingFocus(form, elementOf(readForm(one, queryOf(form))));
}

export function showAcknowledged(place: Place, name: string): void {
  for (const element of elementsAt(place)) {
    const form = element.querySelector('form[data-act="ack"]');
    if (form === null) continue;
    const one = {
      group_id: place.groupId,
      seq: place.seq,
      acknowledged: { name },
      title: titleOf(element),
    };
    replaceKeepingFocus(form, elementOf(acknowledgement(one)));
  }
}

function titleOf(element: Element): string {
  return element.querySelector('h1, h3')?.textContent.trim() ?? '';
}

/** What the address of a form carries on. */
function queryOf(form: Element): string {
  return new URL(form.getAttribute('action') ?? '', location.href).search;
}

const titleWithoutCount = document.title.replace(/^\(\d+\+?\) /, '');

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
  const shown = unreadOf(scope);
  document.title = shown === 0 ? titleWithoutCount : `(${shortCount(shown)}) ${titleWithoutCount}`;
  const summary = document.querySelector('[data-summary]');
  if (summary !== null) {
    summary.textContent =
      shown === 0 ? 'Everything is read' : `${shown.toLocaleString('en')} unread`;
  }
  const markAll = document.querySelector<HTMLButtonElement>('form[data-act="read-all"] button');
  if (markAll !== null) markAll.disabled = shown === 0;
}

export function unreadOf(groupId: string): number {
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

/** Up to where "Mark all read" marks. */
export function showHead(groupId: string, headSeq: number): void {
  const form = document.querySelector<HTMLFormElement>('form[data-act="read-all"]');
  for (const input of form?.querySelectorAll<HTMLInputElement>('input[name="up_to"]') ?? []) {
    const [id, known] = input.value.split(':');
    if (id === groupId && Number(known) < headSeq) input.value = `${groupId}:${headSeq}`;
  }
}
