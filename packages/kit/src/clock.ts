// The clock as an argument: whoever needs the time is given one, so tests can hold it still.
import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number;
}

/** A clock, and beside it one that nobody sets. */
export interface MachineClock extends Clock {
  /** Milliseconds since the machine was started, those among them in which it slept. */
  readonly uptimeMs: () => number;
}

const MS_PER_SECOND = 1_000;

export const systemClock: MachineClock = {
  nowMs: () => Date.now(),
  uptimeMs: () => uptime() * MS_PER_SECOND,
};

/** `2026-01-02T03:04:05.678Z`, always with three fraction digits. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString();
}
