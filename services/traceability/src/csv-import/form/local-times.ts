// Reads dates and times as spreadsheets write them, as ISO 8601 text: without an offset, and with
// day, month and year in an order that one date alone may not show.
import { readOccurredAt } from '../../events/occurred-at.ts';
import type { DateOrder } from './options.ts';
import type { Refused } from './refused.ts';

/** The order of day and month according to the dates of a file, or to its sender. */
export type DateReading =
  | { readonly kind: 'given' | 'found'; readonly order: DateOrder }
  /** No date says anything, or dates contradict each other. */
  | { readonly kind: 'open' };

type Order = 'dmy' | 'mdy';

const FORM =
  /^(\d{1,4})([./-])(\d{1,2})\2(\d{1,4})(?:(?:T|,? +)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(?: *([AaPp])\.?[Mm]\.?)?)?$/;
/** A cheap check for every row; the rules of events check the texts that pass it. */
const ISO = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}[^ AaPp]*$/;
const YEAR_DIGITS = 4;
const MONTHS = 12;
const HALF_DAY_HOURS = 12;

interface LocalTime {
  /** The three numbers of the date, unchanged. */
  readonly first: string;
  readonly second: string;
  readonly third: string;
  /** `HH:MM:SS` with its fraction; null when there is no time. */
  readonly time: string | null;
}

function localTime(text: string): LocalTime | undefined {
  const match = FORM.exec(text);
  if (match === null) return undefined;
  const [, first = '', , second = '', third = '', hour, minute = '', seconds = '00', fraction] =
    match;
  const half = match[9]?.toLowerCase();
  if (hour === undefined) return { first, second, third, time: null };
  const hours = half === undefined ? hour : hourOfDay(Number(hour), half);
  const tail = fraction === undefined ? '' : `.${fraction}`;
  return { first, second, third, time: `${hours.padStart(2, '0')}:${minute}:${seconds}${tail}` };
}

/** Converts an hour before or after noon; an hour that does not exist becomes another such hour. */
function hourOfDay(hour: number, half: string): string {
  if (hour < 1 || hour > HALF_DAY_HOURS) return '99';
  return String((hour % HALF_DAY_HOURS) + (half === 'p' ? HALF_DAY_HOURS : 0));
}

/**
 * Returns the order of a date that does not begin with its year; undefined when the date does not
 * show it.
 */
function findOrder({ first, second, third }: LocalTime): Order | undefined {
  if (third.length !== YEAR_DIGITS) return undefined;
  const isDayFirst = Number(first) > MONTHS;
  const isMonthFirst = Number(second) > MONTHS;
  if (isDayFirst === isMonthFirst) return undefined;
  return isDayFirst ? 'dmy' : 'mdy';
}

/** Collects the forms of the dates of a file. */
export class DateSurvey {
  readonly #found = new Set<Order>();

  add(text: string): void {
    // A year that comes first says nothing about day and month, and is what most files have.
    if (text[YEAR_DIGITS] === '-') return;
    const local = localTime(text);
    const order = local === undefined ? undefined : findOrder(local);
    if (order !== undefined) this.#found.add(order);
  }

  end(): DateReading {
    const [order, other] = this.#found;
    return order === undefined || other !== undefined ? { kind: 'open' } : { kind: 'found', order };
  }
}

/**
 * Returns ISO 8601 text, with an offset when a time zone is given. A text that is neither a local
 * time nor ISO 8601 is returned unchanged: the rules of events refuse it.
 */
export function readTime(
  text: string,
  { order, timeZone }: { readonly order: DateReading; readonly timeZone: string | null },
): string | Refused {
  if (timeZone === null && ISO.test(text)) return text;
  const iso = readOccurredAt(text);
  if (iso.kind === 'ok') {
    return iso.assumedUtc && timeZone !== null ? inZone(iso.text, timeZone) : text;
  }
  const local = localTime(text);
  if (local === undefined) return text;
  const date = readDate(local, order);
  if (typeof date !== 'string') return date;
  if (local.time === null) return TIME_REQUIRED;
  const reading = readOccurredAt(`${date}T${local.time}`);
  if (reading.kind === 'invalid') return { msg: reading.msg, type: 'datetime_parsing' };
  if (timeZone !== null) return inZone(reading.text, timeZone);
  // The text has no offset, so that the rules of events read it as UTC and warn.
  return reading.text.replace(/Z$/, '');
}

/** `YYYY-MM-DD`. */
function readDate(local: LocalTime, reading: DateReading): string | Refused {
  const { first, second, third } = local;
  if (first.length === YEAR_DIGITS && third.length <= 2) return isoDate(first, second, third);
  if (third.length !== YEAR_DIGITS || first.length > 2) return YEAR_REQUIRED;
  const order = reading.kind === 'open' ? findOrder(local) : reading.order;
  switch (order) {
    case 'dmy':
      return isoDate(third, second, first);
    case 'mdy':
      return isoDate(third, first, second);
    case 'ymd':
      return YEAR_FIRST;
    case undefined:
      return first === second ? isoDate(third, second, first) : TWO_DAYS;
  }
}

function isoDate(year: string, month: string, day: string): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** The moment of a local time, in UTC. A clock that is set back shows an hour twice. */
function inZone(utcText: string, timeZone: string): string | Refused {
  const local = Temporal.PlainDateTime.from(utcText.replace(/Z$/, ''));
  const earlier = local.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const later = local.toZonedDateTime(timeZone, { disambiguation: 'later' });
  if (earlier.epochNanoseconds !== later.epochNanoseconds) {
    return later.toPlainDateTime().equals(local) ? TWO_MOMENTS : NO_MOMENT;
  }
  const text = earlier.toInstant().toString();
  return /^\d{4}-/.test(text) ? text : NO_YEAR;
}

const TWO_DAYS: Refused = {
  msg: 'Input could be two days: say what comes first, with date_order=dmy or date_order=mdy',
  type: 'datetime_ambiguous',
};
const TWO_MOMENTS: Refused = {
  msg: 'Input is two moments, because the clock was set back in the time zone: add an offset',
  type: 'datetime_ambiguous',
};
const NO_MOMENT: Refused = {
  msg: 'Input should be a time that exists: the clock was set forward in the time zone',
  type: 'datetime_parsing',
};
const NO_YEAR: Refused = {
  msg: 'Input should be a datetime between the years 0000 and 9999',
  type: 'datetime_parsing',
};
const TIME_REQUIRED: Refused = {
  msg: 'Input should be a datetime with a time, not a bare date',
  type: 'datetime_parsing',
};
const YEAR_REQUIRED: Refused = {
  msg: 'Input should be a datetime with a year of four digits',
  type: 'datetime_parsing',
};
const YEAR_FIRST: Refused = {
  msg: 'Input should be a datetime that begins with its year, as date_order=ymd says',
  type: 'datetime_parsing',
};
