// Requests a minute for each caller, counted in fixed windows in memory.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

export const WINDOW_SECONDS = 60;
/** A request waits so long to be counted with those of other processes; then it is counted alone. */
export const COUNT_WAIT_MS = 1_000;

export interface RateVerdict {
  readonly allowed: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Whole seconds until the window starts anew, at least 1. */
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
  const limiter = memoryLimiter(perMinute);
  return { take: async (caller) => verdictOf(await count(limiter, caller, 1), perMinute) };
}

export function memoryLimiter(perMinute: number): RateLimiterAbstract {
  return new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
}

/** Counts requests of a caller, also those over its limit. */
export async function count(
  limiter: RateLimiterAbstract,
  caller: string,
  requests: number,
): Promise<RateCount> {
  const result = await limiter.consume(caller, requests).catch((refused: unknown) => {
    // How the library says that the limit is passed; anything else is a failure.
    if (refused instanceof RateLimiterRes) return refused;
    throw refused;
  });
  return { requests: result.consumedPoints, msBeforeNext: result.msBeforeNext };
}

/** The verdict on the last request counted. */
export function verdictOf({ requests, msBeforeNext }: RateCount, limit: number): RateVerdict {
  return {
    allowed: requests <= limit,
    limit,
    remaining: Math.max(0, limit - requests),
    resetSeconds: Math.max(1, Math.ceil(msBeforeNext / 1_000)),
  };
}
