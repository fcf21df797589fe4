// When a person's mails go: each at once, or gathered at full hours or in the morning.

export const RHYTHMS = ['at_once', 'hourly', 'daily'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

export const HOUR_MS = 60 * 60 * 1_000;
/** On the person's clock: before most work begins. */
export const MORNING_HOUR = 7;
/** The time zone of a person who has chosen none. */
export const ZONE_DEFAULT = 'UTC';

/** The first 07:00 after a moment, on the clock of a time zone of the IANA database. */
export function nextMorning(atMs: number, zone: string): number {
  const now = Temporal.Instant.fromEpochMilliseconds(atMs).toZonedDateTimeISO(zone);
  const today = now.withPlainTime({ hour: MORNING_HOUR });
  const next = today.epochMilliseconds > atMs ? today : today.add({ days: 1 });
  return next.epochMilliseconds;
}

/**
 * When something that was posted at a moment goes at the earliest. Rows are written as due at the next full hour
 * (`HOURLY_DUE` of the store), which knows no time zone; for daily mails the rest of the way is waited from then.
 */
export function earliestAt(
  rhythm: Rhythm,
  { postedAt, zone }: { readonly postedAt: number; readonly zone: string },
): number {
  switch (rhythm) {
    case 'at_once':
      return postedAt;
    case 'hourly':
      return (Math.floor(postedAt / HOUR_MS) + 1) * HOUR_MS;
    case 'daily':
      return nextMorning(postedAt, zone);
  }
}
