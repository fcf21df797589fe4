// Requests a minute for each caller, counted in fixed windows in memory.
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

const WINDOW_SECONDS = 60;

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

/** @returns undefined when `perMinute` is 0: no limit at all */
export function memoryRateLimit(perMinute: number): RateLimit | undefined {
  if (perMinute === 0) return undefined;
  const limiter = new RateLimiterMemory({ points: perMinute, duration: WINDOW_SECONDS });
  return {
    take: async (caller) => {
      try {
        return verdict(await limiter.consume(caller), perMinute, true);
      } catch (refused) {
        if (refused instanceof RateLimiterRes) return verdict(refused, perMinute, false);
        throw refused;
      }
    },
  };
}

function verdict(result: RateLimiterRes, limit: number, allowed: boolean): RateVerdict {
  return {
    allowed,
    limit,
    remaining: Math.max(0, result.remainingPoints),
    resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1_000)),
  };
}
