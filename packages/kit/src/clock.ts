// The clock as an argument: code that needs the time gets a clock, so tests can stop it.
import { uptime } from 'node:os';

export interface Clock {
  /** Milliseconds since the Unix epoch, UTC. */
  readonly nowMs: () => number;
}

/** A clock, and the uptime of the machine, which nobody can set. */
export interface MachineClock extends Clock {
  /** Milliseconds since the machine was started, including the time in which it slept. */
  readonly uptimeMs: () => number;
}

const MS_PER_SECOND = 1_000;

export const systemClock: MachineClock = {
  nowMs: () => Date.now(),
  uptimeMs: () => uptime() * MS_PER_SECOND,
};

/** For time limits: nobody sets it, and it does not jump. */
export interface MonotonicClock {
  /** Milliseconds since some moment before the process began; all its threads agree on it. */
  readonly elapsedMs: () => number;
}

const NANOSECONDS_PER_MS = 1e6;

/** Not `performance.now()`, which starts at zero in each thread. */
export const monotonicClock: MonotonicClock = {
  elapsedMs: () => Number(process.hrtime.bigint()) / NANOSECONDS_PER_MS,
};

/** `2026-01-02T03:04:05.678Z`, always with three fraction digits. */
export function instantText(ms: number): string {
  return new Date(ms).toISOString();
}

export function instantTextOrNull(ms: number | null): string | null {
  return ms === null ? null : instantText(ms);
}
