// Times in the reader's own zone, and how long ago; kept up to date.
import { showDays } from './shown-days.ts';
import { agoWords } from './words.ts';

const UPDATE_EVERY_MS = 30_000;

const EXACT = new Intl.DateTimeFormat(undefined, {
  dateStyle: 'medium',
  timeStyle: 'medium',
});
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' });
const CLOCK = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** `hh:mm`, as the reader writes it. */
export function clockWords(ms: number): string {
  return CLOCK.format(ms);
}

export function showTimes(root: ParentNode): void {
  const nowMs = Date.now();
  for (const element of root.querySelectorAll('time')) {
    const ms = Date.parse(element.dateTime);
    if (Number.isNaN(ms)) continue;
    const exact = EXACT.format(ms);
    const ago = element.dataset['time'] === 'ago';
    element.textContent = ago ? (agoWords(ms, nowMs) ?? DAY.format(ms)) : exact;
    if (ago) element.title = exact;
  }
  for (const element of root.querySelectorAll<HTMLElement>('[data-ago]')) {
    const ago = agoWords(Date.parse(element.dataset['ago'] ?? ''), nowMs);
    element.textContent = ago === undefined ? '' : `(${ago})`;
  }
}

function showNow(): void {
  showTimes(document);
  const items = document.getElementById('items');
  if (items !== null) showDays(items);
}

export function keepTimes(): void {
  showNow();
  setInterval(showNow, UPDATE_EVERY_MS);
}
