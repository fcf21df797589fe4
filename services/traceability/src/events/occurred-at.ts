// Reads the moment an event occurred: ISO 8601 with an offset, normalised to UTC text.

export type OccurredAt =
  | { readonly kind: 'ok'; readonly text: string; readonly assumedUtc: boolean }
  | { readonly kind: 'invalid'; readonly msg: string };

const FORM =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/;
const HOURS_MAX = 23;
const MINUTES_MAX = 59;
const SECONDS_MAX = 59;

/**
 * Normalises to `YYYY-MM-DDTHH:MM:SS[.fraction]Z`, fraction without trailing zeros, up to
 * nanoseconds. Without an offset it is read as UTC (`assumedUtc`).
 */
export function readOccurredAt(text: string): OccurredAt {
  const match = FORM.exec(text);
  if (match === null) {
    return {
      kind: 'invalid',
      msg: /^\d{4}-\d{2}-\d{2}$/.test(text)
        ? 'Input should be a datetime with a time and an offset, not a bare date'
        : 'Input should be an ISO 8601 datetime such as 2026-01-31T08:00:00+01:00',
    };
  }
  const [, year = '', month = '', day = '', hour = '', minute = '', second = '00', fraction = ''] =
    match;
  const offset = match[8];
  if (!isDay(Number(year), Number(month), Number(day))) {
    return { kind: 'invalid', msg: 'Input should be a datetime of a day that exists' };
  }
  if (Number(hour) > HOURS_MAX || Number(minute) > MINUTES_MAX || Number(second) > SECONDS_MAX) {
    return { kind: 'invalid', msg: 'Input should be a datetime of a time that exists' };
  }
  const kept = fraction.replace(/0+$/, '');
  const local = `${year}-${month}-${day}T${hour}:${minute}:${second}${kept === '' ? '' : `.${kept}`}`;
  if (offset === undefined || offset === 'Z' || offset === 'z') {
    return { kind: 'ok', text: `${local}Z`, assumedUtc: offset === undefined };
  }
  return withOffset(local, offset);
}

function withOffset(local: string, offset: string): OccurredAt {
  const hours = offset.slice(1, 3);
  const minutes = offset.length > 3 ? offset.slice(-2) : '00';
  if (Number(hours) > HOURS_MAX || Number(minutes) > MINUTES_MAX) {
    return { kind: 'invalid', msg: 'Input should be a datetime with an offset that exists' };
  }
  const text = Temporal.Instant.from(`${local}${offset.slice(0, 1)}${hours}:${minutes}`).toString();
  // Before year 0000 and after 9999 the text has six digits of year; the chain has no such form.
  if (!/^\d{4}-/.test(text)) {
    return { kind: 'invalid', msg: 'Input should be a datetime between the years 0000 and 9999' };
  }
  return { kind: 'ok', text, assumedUtc: false };
}

function isDay(year: number, month: number, day: number): boolean {
  if (month < 1 || month > 12 || day < 1) return false;
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  const days = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? 0;
  return day <= days;
}
