// Quiet hours: minutes of the day in a time zone, in which nothing but what is critical is sent to a person's devices.
import type { Severity } from '../store/post.ts';

const MINUTES_PER_HOUR = 60;

export interface QuietHours {
  /** Minutes of the day; hours that begin after their end include midnight. */
  readonly fromMinute: number;
  readonly untilMinute: number;
  /** A name of the IANA database. */
  readonly timeZone: string;
  readonly letsCritical: boolean;
}

/** Whether a notification of this severity is held back at this moment. */
export function isQuiet(
  { fromMinute, untilMinute, timeZone, letsCritical }: QuietHours,
  { severity, atMs }: { readonly severity: Severity; readonly atMs: number },
): boolean {
  if (severity === 'critical' && letsCritical) return false;
  const { hour, minute } = localTime(atMs, timeZone);
  const now = hour * MINUTES_PER_HOUR + minute;
  return fromMinute < untilMinute
    ? fromMinute <= now && now < untilMinute
    : fromMinute <= now || now < untilMinute;
}

/** A place of the IANA database, and not a distance from UTC, which knows no summer time. */
const ZONE_FORM = /^[A-Za-z][A-Za-z0-9_+/-]*$/;

export function isTimeZone(name: string): boolean {
  if (!ZONE_FORM.test(name)) return false;
  try {
    localTime(0, name);
    return true;
  } catch {
    return false;
  }
}

/** What the clock of a time zone shows. */
export function localTime(atMs: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(timeZone);
}

/** `22:00` as minutes of the day; undefined when it is no time. */
export function parseMinute(text: string): number | undefined {
  const [, hour, minute] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
  return hour === undefined ? undefined : Number(hour) * MINUTES_PER_HOUR + Number(minute);
}

/** Minutes of the day as `22:00`. */
export function textOfMinute(minute: number): string {
  const parts = [Math.floor(minute / MINUTES_PER_HOUR), minute % MINUTES_PER_HOUR];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}
