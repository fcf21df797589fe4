// The time that a stored block carries, for the block that is sealed behind it.
import { payloadOf } from '../record/payload.ts';

/** The same as a moment; undefined for a time that no block of ours carries. */
export function recordedMsOf(recordedAt: string): number | undefined {
  const ms = Date.parse(recordedAt);
  return Number.isNaN(ms) ? undefined : ms;
}

export function recordedAtOf(canonical: string): string {
  try {
    return payloadOf(canonical).recorded_at;
  } catch {
    // Not the text that was sealed, which the verifier reports. Facts are not refused for it, so
    // the next block takes the time of the clock.
    return '';
  }
}
