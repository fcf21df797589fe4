// Decides whether the clock is trusted before the service watches it: what is written while a hub is being
// opened has its time, too.
import type { Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import { readClockAlarms } from '../clock-alarms.ts';
import { ClockTrust, TOLERANCE_MS } from '../clock-trust.ts';

/**
 * Makes the clock trust of a process from the stored alarms. A time that an operator has accepted
 * is trusted. A restart of the process does not make a clock trusted that has jumped.
 * @param given trusts the clock as it is at the start; it is not changed
 */
export async function trustAtStart(
  given: ClockTrust,
  { reader, clock }: { readonly reader: DatabaseReader; readonly clock: Clock },
): Promise<ClockTrust> {
  const trust = new ClockTrust(given.shared.slice(0));
  const alarms = await readClockAlarms(reader);
  for (const { acceptedAt, code, foundAt, readingMs } of alarms.toReversed()) {
    if (acceptedAt !== null) {
      if (code !== 'clock_jumped') trust.accept(code, readingMs);
    } else if (code === 'clock_jumped' && clock.nowMs() >= Date.parse(foundAt) - TOLERANCE_MS) {
      trust.acceptStart(undefined);
    }
  }
  return trust;
}
