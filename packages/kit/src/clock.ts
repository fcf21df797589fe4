// The clock as an argument: whoever needs the time is given one, so tests can hold it still.

export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

/** `2026-01-02T03:04:05.678Z`, always with three fraction digits. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString();
}
