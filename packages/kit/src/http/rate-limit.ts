// Requests a minute for each caller, counted in fixed windows in memory.
export const WINDOW_SECONDS = 60;
const WINDOW_MS = 1_000 * WINDOW_SECONDS;
/** How long a request waits for the shared count of all processes; after that this process counts alone. */
export const COUNT_WAIT_MS = 1_000;

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the next window starts, at least 1. */
  readonly resetSeconds: number;
}

export interface RateLimit {
  /** Counts one request of a caller. */
  take(caller: string): Promise<RateVerdict>;
}

/** How many requests of a caller are counted in its running window, and when that ends. */
export interface RateCount {
  readonly requests: number;
  readonly msBeforeNext: number;
}

/** @returns undefined when `perMinute` is 0: no limit at all */
export function memoryRateLimit(perMinute: number): RateLimit | undefined {
  if (perMinute === 0) return undefined;
  const windows = new FixedWindows();
  return { take: (caller) => Promise.resolve(judgeRate(windows.count(caller, 1), perMinute)) };
}

/** Counts requests in this process. A caller's window begins with its first request. */
export class FixedWindows {
  readonly #windows = new Map<string, { requests: number; readonly endsMs: number }>();
  #sweepAtMs = 0;

  /** Counts requests of a caller, also those over its limit. */
  count(caller: string, requests: number): RateCount {
    const nowMs = Date.now();
    this.#sweep(nowMs);
    const known = this.#windows.get(caller);
    const window =
      known !== undefined && nowMs < known.endsMs
        ? known
        : { requests: 0, endsMs: nowMs + WINDOW_MS };
    window.requests += requests;
    this.#windows.set(caller, window);
    return { requests: window.requests, msBeforeNext: window.endsMs - nowMs };
  }

  /** Forgets windows that are over, once in the time of a window. */
  #sweep(nowMs: number): void {
    if (nowMs < this.#sweepAtMs) return;
    this.#sweepAtMs = nowMs + WINDOW_MS;
    for (const [caller, { endsMs }] of this.#windows) {
      if (endsMs <= nowMs) this.#windows.delete(caller);
    }
  }
}

/** The verdict on the last request counted. */
export function judgeRate({ requests, msBeforeNext }: RateCount, limit: number): RateVerdict {
  return {
    allowed: requests <= limit,
    limit,
    remaining: Math.max(0, limit - requests),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}
