// When a delivery that failed is tried again, and when no more.

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Waits after the first try that failed, after the second, and so on: about three days in all
 * (docs/interface/notifications.md#schedule). Soon at first, because most failures are a restart; long
 * enough in the end for a weekend.
 */
const WAITS_MS: readonly number[] = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  ...new Array<number>(5).fill(12 * HOUR_MS),
];

/** The first try and those after each wait. */
export const TRIES_MAX = WAITS_MS.length + 1;

/** Waits are up to a tenth shorter or longer, so that what failed together does not return together. */
const JITTER = 0.1;

/** Maximum time that a receiver can request with `Retry-After`. */
export const RETRY_AFTER_MAX_MS = 12 * HOUR_MS;

export interface FailedTry {
  /** From 1; it starts at 1 again when a person sends the delivery again. */
  readonly number: number;
  /** What the receiver asked for; null: nothing. */
  readonly retryAfterMs: number | null;
  /** 0 to 1. */
  readonly random: number;
}

/**
 * Milliseconds until the next try.
 * @returns undefined after the last one
 */
export function waitAfter({ number, retryAfterMs, random }: FailedTry): number | undefined {
  const waitMs = WAITS_MS[number - 1];
  if (waitMs === undefined) return undefined;
  const spreadMs = waitMs * (1 + JITTER * (2 * random - 1));
  return Math.round(Math.max(spreadMs, Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)));
}
