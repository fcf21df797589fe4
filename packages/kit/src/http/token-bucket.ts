// How often a caller may do something: a burst at once, then at a steady rate. Counted in memory here,
// and by several processes together in postgres/shared-token-bucket.ts.
//
// rate-limiter-flexible, which counts in fixed windows for rate-limit.ts, has no token bucket: its
// BurstyRateLimiter adds one fixed window to another, so a caller gets twice its burst around the end of
// a window, and the answer to "when again" jumps. Instead this is the generic cell rate algorithm (ITU-T
// I.371, annex A), which needs one number a caller: when its bucket will be full again.

export interface TokenBucketRate {
  /** What a caller that was quiet may do at once. */
  readonly burst: number;
  /** What is given back in a minute, evenly. */
  readonly perMinute: number;
}

export interface BucketVerdict {
  readonly allowed: boolean;
  /** The burst. */
  readonly limit: number;
  /** Whole requests that are left now. */
  readonly remaining: number;
  /** Whole seconds until the next one is allowed; 0 when it is allowed now. */
  readonly retrySeconds: number;
  /** Whole seconds until the burst is there again. */
  readonly resetSeconds: number;
}

/** What an answer says of a limit. */
export function rateHeaders(verdict: BucketVerdict): Readonly<Record<string, string>> {
  return {
    'RateLimit-Limit': String(verdict.limit),
    'RateLimit-Remaining': String(verdict.remaining),
    'RateLimit-Reset': String(verdict.resetSeconds),
  };
}

/** The answer to a caller over the limit: a sentence, and headers with the time of the next allowed request. */
export function rateRefusal(verdict: BucketVerdict): {
  readonly sentence: string;
  readonly headers: Readonly<Record<string, string>>;
} {
  const seconds = Math.max(1, verdict.retrySeconds);
  return {
    sentence: `Too many requests: try again in ${seconds} s`,
    headers: { ...rateHeaders(verdict), 'Retry-After': String(seconds) },
  };
}

export interface TokenBucket {
  /** Takes one of a caller's requests, if there is one. */
  take(caller: string): Promise<BucketVerdict>;
  /** As `take`, but leaves it there: for what is counted only when it fails. */
  peek(caller: string): Promise<BucketVerdict>;
}

export interface TokenBucketOptions {
  /** Buckets of different names count the same caller apart. */
  readonly name: string;
  /** A burst or a rate of 0 turns the limit off. */
  readonly rate: TokenBucketRate;
  /** Hears once that counting together is not possible for a while; each process counts alone then. */
  readonly onError: (error: unknown) => void;
}

const MINUTE_US = 60_000_000;
const SECOND_US = 1_000_000;
/** Callers that are remembered, some 10 MB of them; over it those that came first are forgotten. */
const CALLERS_MAX = 100_000;

/** A rate in the unit that it is counted in. Whole numbers: sums of parts would not meet the limit. */
export interface BucketShape {
  readonly burst: number;
  /** Microseconds in which one request is given back; at least 1, which is a million a second. */
  readonly intervalUs: number;
}

/** @returns undefined when the limit is off */
export function bucketShape({ burst, perMinute }: TokenBucketRate): BucketShape | undefined {
  if (burst === 0 || perMinute === 0) return undefined;
  return { burst, intervalUs: Math.max(1, Math.round(MINUTE_US / perMinute)) };
}

/**
 * @param usedUs microseconds until the bucket is full again, after what was allowed has been taken
 */
export function bucketVerdict(
  { burst, intervalUs }: BucketShape,
  { allowed, usedUs }: { readonly allowed: boolean; readonly usedUs: number },
): BucketVerdict {
  const nextUs = usedUs + intervalUs - burst * intervalUs;
  return {
    allowed,
    limit: burst,
    remaining: Math.max(0, burst - Math.ceil(usedUs / intervalUs)),
    retrySeconds: Math.max(0, Math.ceil(nextUs / SECOND_US)),
    resetSeconds: Math.ceil(usedUs / SECOND_US),
  };
}

/** Whether one more fits into a bucket. */
export function fits({ burst, intervalUs }: BucketShape, usedUs: number): boolean {
  return usedUs + intervalUs <= burst * intervalUs;
}

export interface MemoryBucketOptions {
  readonly rate: TokenBucketRate;
  readonly callersMax?: number;
  /** Milliseconds that never go back. */
  readonly nowMs?: () => number;
}

/**
 * Counts for this process alone.
 * @returns undefined when the limit is off
 */
export function memoryTokenBucket(options: MemoryBucketOptions): TokenBucket | undefined {
  const shape = bucketShape(options.rate);
  return shape === undefined ? undefined : new MemoryTokenBucket(shape, options);
}

export class MemoryTokenBucket implements TokenBucket {
  readonly #shape: BucketShape;
  readonly #callersMax: number;
  readonly #nowMs: () => number;
  /** When the bucket of each caller will be full again, in microseconds. */
  readonly #fullAt = new Map<string, number>();

  constructor(shape: BucketShape, options: Omit<MemoryBucketOptions, 'rate'> = {}) {
    this.#shape = shape;
    this.#callersMax = options.callersMax ?? CALLERS_MAX;
    this.#nowMs = options.nowMs ?? (() => performance.now());
  }

  take(caller: string): Promise<BucketVerdict> {
    const now = this.#nowUs();
    const known = this.#fullAt.get(caller);
    const usedUs = Math.max(0, (known ?? 0) - now);
    const allowed = fits(this.#shape, usedUs);
    const afterUs = allowed ? usedUs + this.#shape.intervalUs : usedUs;
    if (known === undefined && this.#fullAt.size >= this.#callersMax) this.#forgetSome(now);
    this.#fullAt.set(caller, now + afterUs);
    return Promise.resolve(bucketVerdict(this.#shape, { allowed, usedUs: afterUs }));
  }

  peek(caller: string): Promise<BucketVerdict> {
    const usedUs = Math.max(0, (this.#fullAt.get(caller) ?? 0) - this.#nowUs());
    const allowed = fits(this.#shape, usedUs);
    return Promise.resolve(bucketVerdict(this.#shape, { allowed, usedUs }));
  }

  /** Those whose bucket is full, and a tenth of the others, so that it is not done for each caller. */
  #forgetSome(nowUs: number): void {
    for (const [caller, fullAt] of this.#fullAt) {
      if (fullAt <= nowUs) this.#fullAt.delete(caller);
    }
    const left = Math.floor(this.#callersMax * 0.9);
    for (const caller of this.#fullAt.keys()) {
      if (this.#fullAt.size <= left) break;
      this.#fullAt.delete(caller);
    }
  }

  #nowUs(): number {
    return Math.round(this.#nowMs() * 1_000);
  }
}
