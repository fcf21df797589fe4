// A burst and then a steady rate for each caller, counted by all processes over a database together.
// Counting costs no write to disk, as in shared-rate-limit.ts: the table is unlogged. The clock is the
// database's: those of the processes differ. (Why no library: token-bucket.ts.)
import sql from 'sql-template-tag';
import { COUNT_WAIT_MS } from '../http/rate-limit.ts';
import { MemoryTokenBucket, bucketShape, bucketVerdict, fits } from '../http/token-bucket.ts';
import type {
  BucketShape,
  BucketVerdict,
  TokenBucket,
  TokenBucketOptions,
} from '../http/token-bucket.ts';
import { bigintArray, textArray } from './array-values.ts';
import type { PostgresConnection } from './connection.ts';

/** Time between two attempts while the database is unreachable; at each attempt some callers wait for it. */
const ASK_AGAIN_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;
/** Rows deleted at once: callers of many addresses may leave more, which the next sweeps delete. */
const SWEPT_ROWS_MAX = 1_000;
/** Callers in one statement; more wait for the next one. */
const CALLERS_A_STATEMENT_MAX = 500;
/** Maximum number of refused callers in memory; above it the database is asked again for all of them. */
const REFUSED_MAX = 10_000;
/** Maximum number of callers in the cache of those that have much left. */
const KNOWN_MAX = 10_000;
/** A cached count of a caller expires after this time. */
const KNOWN_FOR_MS = 50;
/** Batches requests for this time while no caller waits for an answer. */
const GATHER_MS = 10;

/**
 * The server's time, read where it is used: when the statement began, another one may have had the row
 * for a while, and what it wrote would lie in the future.
 */
const NOW_US = sql`cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)`;

/**
 * Needs a table `rate_buckets (key text primary key, full_at bigint, granted bigint)`.
 * @returns undefined when the limit is off
 */
export function sharedTokenBucket(
  connection: PostgresConnection,
  options: TokenBucketOptions,
): TokenBucket | undefined {
  const shape = bucketShape(options.rate);
  return shape === undefined ? undefined : new SharedTokenBucket(connection, options, shape);
}

interface Ask {
  readonly kind: 'take' | 'peek';
  readonly answer: PromiseWithResolvers<BucketVerdict>;
}

type Asks = Map<string, Ask[]>;

class SharedTokenBucket implements TokenBucket {
  readonly #connection: PostgresConnection;
  readonly #options: TokenBucketOptions;
  readonly #shape: BucketShape;
  readonly #ofThisProcess: MemoryTokenBucket;
  /** By caller: requests that arrived while a statement was running. Limited by the number of open requests. */
  #waiting: Asks = new Map();
  #isAsking = false;
  /** Whether a caller waits for one of them, which ends the batch. */
  #isAwaited = false;
  #endGathering = (): void => undefined;
  /**
   * Callers that had at least half of their burst left a moment ago. Their requests are granted before
   * the database has counted them, so a limit that is far away delays nobody. Grants of other processes
   * are not visible until the database answers: as many may be granted beyond the limit.
   */
  readonly #known = new Map<string, { usedUs: number; readonly sinceMs: number }>();
  /** Callers that have nothing left, and until when. A flood of their requests does not reach the database. */
  readonly #refused = new Map<string, { readonly usedUs: number; readonly sinceMs: number }>();
  #askAgainAt: number | undefined;
  #sweepAt = performance.now() + SWEEP_EVERY_MS;

  constructor(connection: PostgresConnection, options: TokenBucketOptions, shape: BucketShape) {
    this.#connection = connection;
    this.#options = options;
    this.#shape = shape;
    this.#ofThisProcess = new MemoryTokenBucket(shape);
  }

  take(caller: string): Promise<BucketVerdict> {
    return this.#ask(caller, 'take');
  }

  peek(caller: string): Promise<BucketVerdict> {
    return this.#ask(caller, 'peek');
  }

  #ask(caller: string, kind: Ask['kind']): Promise<BucketVerdict> {
    const refused = this.#refusal(caller);
    if (refused !== undefined) return Promise.resolve(refused);
    const ahead = kind === 'take' ? this.#grantAhead(caller) : undefined;
    const answer = Promise.withResolvers<BucketVerdict>();
    const asks = this.#waiting.get(caller);
    if (asks === undefined) this.#waiting.set(caller, [{ kind, answer }]);
    else asks.push({ kind, answer });
    if (ahead === undefined) {
      this.#isAwaited = true;
      this.#endGathering();
    }
    if (!this.#isAsking) void this.#askForWaiting();
    if (ahead === undefined) return answer.promise;
    // The caller has its answer already, so nobody would catch this.
    answer.promise.catch(() => undefined);
    return Promise.resolve(ahead);
  }

  /** Grants a request at once if half of the burst is left, with the requests that are not counted yet. */
  #grantAhead(caller: string): BucketVerdict | undefined {
    const known = this.#known.get(caller);
    if (known === undefined || performance.now() - known.sinceMs > KNOWN_FOR_MS) return undefined;
    const { burst, intervalUs } = this.#shape;
    const usedUs = known.usedUs + intervalUs;
    if (usedUs * 2 > burst * intervalUs) return undefined;
    // What is given back meanwhile is left to the next answer.
    known.usedUs = usedUs;
    return bucketVerdict(this.#shape, { allowed: true, usedUs });
  }

  /** What came while a statement was under way travels together; never rejects. */
  async #askForWaiting(): Promise<void> {
    this.#isAsking = true;
    // What is asked in the same turn of the event loop travels together, too.
    await Promise.resolve();
    while (this.#waiting.size > 0) {
      if (!this.#isAwaited) await this.#gather();
      const asks = this.#nextAsks();
      this.#isAwaited = this.#waiting.size > 0;
      try {
        await this.#answer(asks);
      } catch (error) {
        for (const { answer } of [...asks.values()].flat()) answer.reject(error);
      }
    }
    this.#isAsking = false;
  }

  async #gather(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#endGathering = resolve;
    const timer = setTimeout(resolve, GATHER_MS);
    await promise;
    clearTimeout(timer);
  }

  #nextAsks(): Asks {
    const asks: Asks = new Map([...this.#waiting].slice(0, CALLERS_A_STATEMENT_MAX));
    for (const caller of asks.keys()) this.#waiting.delete(caller);
    return asks;
  }

  async #answer(asks: Asks): Promise<void> {
    if (this.#askAgainAt === undefined || performance.now() >= this.#askAgainAt) {
      try {
        const grants = await this.#grant(asks);
        this.#askAgainAt = undefined;
        for (const [caller, asked] of asks) this.#resolve(caller, asked, grants.get(caller));
        if (performance.now() >= this.#sweepAt) void this.#sweep();
        return;
      } catch (error) {
        this.#away(error);
      }
    }
    for (const [caller, asked] of asks) {
      for (const { kind, answer } of asked) answer.resolve(this.#ofThisProcess[kind](caller));
    }
  }

  /** One statement for all callers: each row is written once, with as many as it has left. */
  async #grant(asks: Asks): Promise<ReadonlyMap<string, Grant>> {
    const { burst, intervalUs } = this.#shape;
    const shape = sql`(
      select cast(${burst} as bigint) as burst, cast(${intervalUs} as bigint) as interval_us
    ) as shape`;
    const prefix = `${this.#options.name}:`;
    // In one order in every process: otherwise two could wait for each other.
    const callers = [...asks.keys()].toSorted();
    const counts = callers.map((caller) => countTakes(asks.get(caller) ?? []));
    const rows = await this.#connection.all<GrantRow>(
      sql`
      insert into rate_buckets as bucket (key, full_at, granted)
      select key, ${NOW_US} + least(takes, burst) * interval_us, least(takes, burst)
      from
        unnest(
          ${textArray(callers.map((caller) => prefix + caller))}::text[],
          ${bigintArray(counts)}::bigint[]
        ) as asked (key, takes),
        ${shape}
      order by key
      on conflict (key) do update
      set (full_at, granted) = (
        select base + fitting * interval_us, fitting
        from
          ${shape},
          (select ${NOW_US} as now) as clock,
          lateral (select greatest(bucket.full_at, now) as base) as before,
          lateral (
            select greatest(0, least(
              excluded.granted,
              (now + burst * interval_us - base) / interval_us
            )) as fitting
          ) as counted
      )
      returning key, granted, full_at - ${NOW_US} as used`,
      { timeoutMs: COUNT_WAIT_MS },
    );
    return new Map(
      rows.map(({ key, granted, used }) => [
        key.slice(prefix.length),
        { granted, usedUs: Math.max(0, used) },
      ]),
    );
  }

  #resolve(caller: string, asks: readonly Ask[], grant: Grant | undefined): void {
    if (grant === undefined) throw new Error('a caller was not counted');
    const { intervalUs } = this.#shape;
    let taken = 0;
    for (const { kind, answer } of asks) {
      const wants = kind === 'take' && taken < grant.granted;
      if (wants) taken += 1;
      const usedUs = Math.max(0, grant.usedUs - (grant.granted - taken) * intervalUs);
      const allowed = wants || (kind === 'peek' && fits(this.#shape, usedUs));
      answer.resolve(bucketVerdict(this.#shape, { allowed, usedUs }));
    }
    this.#learn(caller, grant);
    if (fits(this.#shape, grant.usedUs)) return;
    if (this.#refused.size >= REFUSED_MAX) this.#refused.clear();
    this.#refused.set(caller, { usedUs: grant.usedUs, sinceMs: performance.now() });
  }

  #learn(caller: string, { usedUs }: Grant): void {
    if (this.#known.size >= KNOWN_MAX) this.#known.clear();
    const waiting = countTakes(this.#waiting.get(caller) ?? []);
    const sinceMs = performance.now();
    this.#known.set(caller, { usedUs: usedUs + waiting * this.#shape.intervalUs, sinceMs });
  }

  /** Nobody else gives anything back: who has nothing left is refused without asking. */
  #refusal(caller: string): BucketVerdict | undefined {
    const refused = this.#refused.get(caller);
    if (refused === undefined) return undefined;
    const passedUs = (performance.now() - refused.sinceMs) * 1_000;
    const usedUs = Math.max(0, Math.round(refused.usedUs - passedUs));
    if (!fits(this.#shape, usedUs)) return bucketVerdict(this.#shape, { allowed: false, usedUs });
    this.#refused.delete(caller);
    return undefined;
  }

  /** Never rejects. */
  async #sweep(): Promise<void> {
    this.#sweepAt = performance.now() + SWEEP_EVERY_MS;
    try {
      await sweepTokenBuckets(this.#connection);
    } catch (error) {
      this.#away(error);
    }
  }

  #away(error: unknown): void {
    const known = this.#askAgainAt !== undefined;
    this.#askAgainAt = performance.now() + ASK_AGAIN_MS;
    if (!known) this.#options.onError(error);
  }
}

interface GrantRow {
  readonly key: string;
  readonly granted: number;
  readonly used: number;
}

interface Grant {
  readonly granted: number;
  /** Until the bucket is full again, after what was granted. */
  readonly usedUs: number;
}

function countTakes(asks: readonly Ask[]): number {
  return asks.filter(({ kind }) => kind === 'take').length;
}

/** Deletes buckets that are full again: no row means the same. Those in use just now are left alone. */
export async function sweepTokenBuckets(connection: PostgresConnection): Promise<void> {
  await connection.all(sql`
    delete from rate_buckets
    where key in (
      select key
      from rate_buckets
      where full_at < ${NOW_US}
      limit ${SWEPT_ROWS_MAX}
      for update skip locked
    )`);
}
