// Workbooks keep moments as days since a first day, with a fraction for the time.
import type { Shown } from './number-formats.ts';
import type { DateSystem } from './outline.ts';

const DAY_MS = 86_400_000;
/** Day 0 of each system. That of 1900 has a 29 February in a year that had none, as day 60. */
const DAY_0_MS: Readonly<Record<DateSystem, number>> = {
  1900: Date.UTC(1899, 11, 30),
  1904: Date.UTC(1904, 0, 1),
};
const DAY_THAT_WAS_NOT = 60;
/** 1 January 10000 in the system of 1900. */
const DAYS_END = 2_958_466;

/**
 * ISO 8601 without offset: a date and time; of a cell that shows a date alone and has no time, the date;
 * of one that has no day, the time.
 * @returns nothing when no day has the number
 */
export function serialTimeText(
  serial: number,
  { shown, dateSystem }: { readonly shown: Shown; readonly dateSystem: DateSystem },
): string | undefined {
  if (!(serial >= 0 && serial < DAYS_END)) return undefined;
  // A double keeps a moment of our days to less than a microsecond.
  const ms = Math.round(serial * DAY_MS);
  const text = (epochMs: number): string =>
    Temporal.Instant.fromEpochMilliseconds(epochMs).toString().replace(/Z$/, '');
  if (serial < 1 && shown === 'time') return text(ms).slice('1970-01-01T'.length);
  let dayMs = DAY_0_MS[dateSystem];
  if (dateSystem === 1900) {
    if (Math.floor(serial) === DAY_THAT_WAS_NOT || serial < 1) return undefined;
    if (serial < DAY_THAT_WAS_NOT) dayMs += DAY_MS;
  }
  const moment = text(dayMs + ms);
  return shown === 'date' && ms % DAY_MS === 0 ? moment.slice(0, '1900-01-01'.length) : moment;
}
