// The headings of days between the rows of the list, in the reader's own time zone: kept right while rows come and
// go, and when a day ends.
import { dayHeading } from './days.ts';
import { renderElement } from './rendering.ts';
import { dayWords } from './words.ts';

const DAY_NAME = new Intl.DateTimeFormat(undefined, { dateStyle: 'full' });

export function showDays(items: HTMLElement): void {
  const today = localDay(new Date());
  const wanted = new Map<Element, string>();
  let last = '';
  for (const row of items.querySelectorAll('.item')) {
    const day = localDay(new Date(row.querySelector('time')?.dateTime ?? Number.NaN));
    if (day !== last) wanted.set(row, day);
    last = day;
  }
  for (const heading of items.querySelectorAll<HTMLElement>('.day')) {
    const next = heading.nextElementSibling;
    const day = next === null ? undefined : wanted.get(next);
    const isRight =
      next !== null &&
      day !== undefined &&
      heading.dataset['day'] === day &&
      heading.textContent.trim() === formatDay(day, today);
    if (isRight) wanted.delete(next);
    else heading.remove();
  }
  for (const [row, day] of wanted) {
    row.before(renderElement(dayHeading(day, formatDay(day, today))));
  }
}

function formatDay(day: string, today: string): string {
  const words = dayWords(day, today);
  const isNear = words === 'Today' || words === 'Yesterday';
  return isNear ? words : DAY_NAME.format(new Date(`${day}T12:00:00`));
}

/** As `2026-11-21`. */
function localDay(time: Date): string {
  const part = (number: number): string => String(number).padStart(2, '0');
  return `${time.getFullYear()}-${part(time.getMonth() + 1)}-${part(time.getDate())}`;
}
