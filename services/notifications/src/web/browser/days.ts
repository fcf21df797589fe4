// The days of a list, as headings between its rows: on the server those of UTC, in the browser the reader's own.
import { html, type Html } from '@lothub/kit/html';
import { dayWords, utcDay } from './words.ts';

export function dayHeading(day: string, words: string): Html {
  return html`<li class="day" data-day="${day}"><h2>${words}</h2></li>`;
}

/** The heading before a row, when the row before it is of another day (UTC). */
export function dayBefore(
  instant: string,
  { before, nowMs }: { readonly before: string | undefined; readonly nowMs: number },
): Html {
  const day = utcDay(instant);
  if (before !== undefined && utcDay(before) === day) return html``;
  return dayHeading(day, `${dayWords(day, utcDay(new Date(nowMs).toISOString()))} (UTC)`);
}
