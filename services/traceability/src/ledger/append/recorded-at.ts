// The time that a stored block carries, for the block that is sealed behind it.
import { parsePayload } from '../record/payload.ts';

/** Parses it as a moment; undefined for a time that this service never writes. */
export function parseRecordedMs(recordedAt: string): number | undefined {
  const ms = Date.parse(recordedAt);
  return Number.isNaN(ms) ? undefined : ms;
}

export function readRecordedAt(canonical: string): string {
  try {
    return parsePayload(canonical).recorded_at;
  } catch {
    // The text is not the one that was sealed. The verifier reports that. New events are still accepted, and
    // the next block has the time of the clock.
    return '';
  }
}
