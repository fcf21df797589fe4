// How often a caller may do something: a burst at once, then at a steady rate.

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

export interface TokenBucket {
  /** Takes one of a caller's requests, if there is one. */
  take(caller: string): Promise<BucketVerdict>;
  /** As `take`, but leaves it there: for what is counted only when it fails. */
  peek(caller: string): Promise<BucketVerdict>;
}

export interface TokenBucketOptions {
  /** Buckets of different names count the same caller apart. */
  readonly name: string;
  /** A burst of 0 turns the limit off. */
  readonly rate: TokenBucketRate;
  /** Hears once that counting together is not possible for a while; each process counts alone then. */
  readonly onError: (error: unknown) => void;
}
