// The time that a stored block carries, for the block that is sealed behind it.
import { parsePayload } from '../record/payload.ts';

/** The same as a moment; undefined for a time that no block of ours carries. */
export function parseRecordedMs(recordedAt: string): number | undefined {
  const ms = Date.parse(recordedAt);
  return Number.isNaN(ms) ? undefined : ms;
}

export function readRecordedAt(canonical: string): string {
  try {
    return parsePayload(canonical).recorded_at;
  } catch {
    // Not the text that was sealed, which the verifier reports. Facts are not refused for it, so
    // the next block takes the time of the clock.
    return '';
  }
}
