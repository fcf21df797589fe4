// Words for what the pages show, the same on the server and in the browser.

import type { Severity, Status } from '../../store/post.ts';

export const SEVERITY_WORDS: Readonly<Record<Severity, string>> = {
  info: 'Info',
  warning: 'Warning',
  critical: 'Critical',
};

export const STATUS_WORDS: Readonly<Record<Status, string>> = {
  firing: 'Firing',
  resolved: 'Resolved',
};

/** In place of the title of what was redacted. */
export const REDACTED_WORDS = 'Text removed by an owner';

/** `1 notification`, `2 notifications`, `1,200 notifications`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

/** Counts beyond it are shown as `999+`: the digits say nothing more, and take room. */
const COUNT_SHOWN_MAX = 999;

export function shortCount(count: number): string {
  return count > COUNT_SHOWN_MAX ? `${COUNT_SHOWN_MAX}+` : String(count);
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** `2026-11-21T20:50:07.123Z` as `21 Nov 2026, 20:50:07 UTC`. */
export function utcWords(instant: string): string {
  const [, year, month, day, time] = /^(\d{4})-(\d\d)-(\d\d)T(\d\d:\d\d:\d\d)/.exec(instant) ?? [];
  if (time === undefined) return instant;
  return `${Number(day)} ${MONTHS[Number(month) - 1]} ${year}, ${time} UTC`;
}

/** The day of an instant in UTC, as `2026-11-21`. */
export function utcDay(instant: string): string {
  return instant.slice(0, 'yyyy-mm-dd'.length);
}

/** `Today`, `Yesterday`, or `21 Nov 2026`; days as `2026-11-21`, of one time zone. */
export function dayWords(day: string, today: string): string {
  const [year, month, date] = day.split('-').map(Number);
  const daysAgo = Math.round((Date.parse(today) - Date.parse(day)) / DAY_MS);
  if (daysAgo === 0) return 'Today';
  if (daysAgo === 1) return 'Yesterday';
  return `${date} ${MONTHS[(month ?? 1) - 1]} ${year}`;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Beyond it a date says more than a number of days. */
const DAYS_AGO_MAX = 6;
/** What is so near is now: clocks of a browser and a server differ by seconds. */
const NOW_MS = 45 * SECOND_MS;

/** `now`, `5 min ago`, `3 h ago`, `2 days ago`; undefined when a date says more. */
export function agoWords(thenMs: number, nowMs: number): string | undefined {
  const ms = nowMs - thenMs;
  if (ms < -NOW_MS) return undefined;
  if (ms < NOW_MS) return 'now';
  if (ms < HOUR_MS) return `${Math.max(1, Math.round(ms / MINUTE_MS))} min ago`;
  if (ms < DAY_MS) return `${Math.floor(ms / HOUR_MS)} h ago`;
  const days = Math.floor(ms / DAY_MS);
  return days > DAYS_AGO_MAX ? undefined : counted(days, 'day') + ' ago';
}
