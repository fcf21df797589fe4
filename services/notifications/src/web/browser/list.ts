// The list while notifications come in: on top when the reader is there, behind a pill that says how
// many when not, each once.
import { foldCase, textMatcher } from '../../inbox/text-match.ts';
import { isOpen, notificationItem, type ShownNotification } from './notification-item.ts';
import { elementsOfItem, showReach } from './parts.ts';
import { renderElement, getById } from './rendering.ts';
import { showTimes } from './times.ts';
import { showDays } from './shown-days.ts';
import { SEVERITY_WORDS, STATUS_WORDS, counted } from './words.ts';

/** A page that stays open for weeks keeps so many rows; the older ones have pages of their own. */
const ROWS_MAX = 500;
/** Maximum number of rows that wait behind the pill; with more, the page is loaded again instead. */
const WAITING_MAX = 200;
/** Within this distance from the top the reader sees the newest rows. */
const TOP_PX = 80;
/** What comes in together is read out together. */
const NEWS_DELAY_MS = 1_000;

const items = document.getElementById('items');
const waiting: ShownNotification[] = [];
let waitingCount = 0;
const news: ShownNotification[] = [];

export function startList(): void {
  if (items === null) return;
  getById('pill').addEventListener('click', (event) => {
    if (isOlderPage() || waitingCount > waiting.length) return; // the link leads to the newest
    event.preventDefault();
    showWaiting();
    scrollToTop();
    items.querySelector<HTMLElement>('.item-link')?.focus({ preventScroll: true });
  });
  const onScroll = (): void => {
    if (waiting.length > 0 && waitingCount === waiting.length && isAtTop()) showWaiting();
  };
  addEventListener('scroll', onScroll, { passive: true });
  scroller()?.addEventListener('scroll', onScroll, { passive: true });
  items.querySelector('.item:has([aria-current])')?.scrollIntoView({ block: 'nearest' });
}

/** A notification that came in live. */
export function addNotification(one: ShownNotification): void {
  if (items === null || isKnown(one)) return;
  const at = waiting.findIndex((other) => isSameItem(one, other));
  if (at !== -1) waiting.splice(at, 1);
  if (!isWanted(one)) {
    // The row belongs to an item that the list does not show any more.
    if (at !== -1) waitingCount -= 1;
    if (isOfScope(one)) findRow(one)?.remove();
    showPill();
    showDays(items);
    return;
  }
  if (isOlderPage() || !isAtTop()) {
    if (at === -1) waitingCount += 1;
    if (!isOlderPage() && waiting.length < WAITING_MAX) waiting.push(one);
    showPill();
  } else {
    insert(one);
  }
  announce(one);
}

/** What waits is to be shown as it is by then. */
export function changeWaiting(change: (one: ShownNotification) => ShownNotification): void {
  waiting.forEach((one, at) => {
    waiting[at] = change(one);
  });
}

/** The row of the item that it is of. */
function findRow({ group_id: groupId, seq, first_seq: firstSeq = seq }: ShownNotification) {
  return elementsOfItem({ groupId, firstSeq }).find((one) => one.classList.contains('item'));
}

/** The list shows it already, or something newer of its item. */
function isKnown(one: ShownNotification): boolean {
  const row = findRow(one);
  if (row !== undefined && Number(row.dataset['seq']) >= one.seq) return true;
  return waiting.some((other) => isSameItem(one, other) && other.seq >= one.seq);
}

function isSameItem(one: ShownNotification, other: ShownNotification): boolean {
  return (
    one.group_id === other.group_id && (one.first_seq ?? one.seq) === (other.first_seq ?? other.seq)
  );
}

function isOfScope({ group_id: groupId }: ShownNotification): boolean {
  const { scope } = items?.dataset ?? {};
  return scope === 'all' || scope === groupId;
}

function isWanted(one: ShownNotification): boolean {
  const { severity, ack, q } = items?.dataset ?? {};
  if (!isOfScope(one)) return false;
  if (ack === 'open' && !isOpen(one)) return false;
  if (severity !== '' && severity !== one.severity) return false;
  return q === undefined || foldCase(q) === '' || textMatcher(q)(one);
}

function isOlderPage(): boolean {
  return items?.dataset['page'] === 'older';
}

function insert(one: ShownNotification): void {
  if (items === null) return;
  const isAll = items.dataset['scope'] === 'all';
  const element = renderElement(
    notificationItem(one, {
      groupName: isAll ? groupName(one.group_id) : undefined,
      query: items.dataset['query'] ?? '',
    }),
  );
  element.classList.add('new');
  showTimes(element);
  document.getElementById('empty')?.remove();
  const earlier = findRow(one);
  const hadFocus = earlier?.contains(document.activeElement) === true;
  if (earlier?.querySelector('[aria-current]') !== null && earlier !== undefined) {
    element.querySelector('.item-link')?.setAttribute('aria-current', 'true');
  }
  earlier?.remove();
  items.prepend(element);
  if (hadFocus) element.querySelector<HTMLElement>('.item-link')?.focus({ preventScroll: true });
  showDays(items);
  showReach(one);
  const rows = items.querySelectorAll('.item');
  if (rows.length <= ROWS_MAX) return;
  for (const row of [...rows].slice(ROWS_MAX)) row.remove();
  showDays(items);
  showOlderBehind(rows[ROWS_MAX - 1] ?? null);
}

/** The link to older ones begins behind the last row that is left. */
function showOlderBehind(last: Element | null): void {
  const older = document.getElementById('older');
  if (!(last instanceof HTMLElement) || !(older instanceof HTMLAnchorElement)) return;
  const { id, seq } = last.dataset;
  const address = new URL(older.href);
  address.searchParams.set('before', String(items?.dataset['scope'] === 'all' ? id : seq));
  older.href = address.href;
  older.hidden = false;
  getById('pages').hidden = false;
}

function showWaiting(): void {
  for (const one of waiting.splice(0)) insert(one);
  waitingCount = 0;
  showPill();
}

function showPill(): void {
  const pill = getById('pill');
  pill.hidden = waitingCount === 0;
  pill.textContent = `${waitingCount.toLocaleString('en')} new`;
}

/** What scrolls the list: a column of its own beside a detail, or else the page. */
function scroller(): HTMLElement | undefined {
  const column = items?.closest<HTMLElement>('.split-list') ?? undefined;
  return column !== undefined && getComputedStyle(column).overflowY === 'auto' ? column : undefined;
}

function isAtTop(): boolean {
  return (scroller()?.scrollTop ?? scrollY) <= TOP_PX;
}

function scrollToTop(): void {
  (scroller() ?? window).scrollTo({ top: 0 });
}

function groupName(groupId: string): string {
  const link = document.querySelector(`#side a[href$="/${CSS.escape(groupId)}"] bdi`);
  return link?.textContent ?? '';
}

function announce(one: ShownNotification): void {
  news.push(one);
  if (news.length > 1) return;
  setTimeout(() => {
    const [first, ...others] = news.splice(0);
    if (first === undefined) return;
    getById('news').textContent =
      others.length === 0
        ? `${first.status === 'resolved' ? STATUS_WORDS.resolved : SEVERITY_WORDS[first.severity]}: ${first.title}`
        : counted(others.length + 1, 'new notification');
  }, NEWS_DELAY_MS);
}
