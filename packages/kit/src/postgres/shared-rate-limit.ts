// Requests a minute for each caller, counted by all processes of a hub together, in its database.
// Counting costs no write to disk: the table is unlogged, and PostgreSQL does not wait for the log at
// the commit of a transaction that wrote to unlogged tables only (RecordTransactionCommit in its
// src/backend/access/transam/xact.c), nor for a standby. A crash of the server starts all at zero.
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import sql, { Sql } from 'sql-template-tag';
import { COUNT_WAIT_MS, FixedWindows, WINDOW_SECONDS, judgeRate } from '../http/rate-limit.ts';
import type { RateCount, RateLimit, RateVerdict } from '../http/rate-limit.ts';
import type { PostgresConnection } from './connection.ts';

const TABLE = 'rate_counts';
/** Time between two attempts while the database is unreachable; at each attempt one caller waits for it. */
const ASK_AGAIN_MS = 1_000;
const SWEEP_EVERY_MS = 60_000;
/** Rows deleted at once: callers of many addresses may leave more, which the next sweeps delete. */
const SWEPT_ROWS_MAX = 1_000;
/** Rows are deleted this long after their window, because the clocks of the processes differ. */
const SWEEP_AFTER_MS = 60_000;

export interface SharedRateLimitOptions {
  /** Limits of different names count the same caller apart. */
  readonly name: string;
  readonly perMinute: number;
  /** Called once when the database cannot count; until it can again, each process counts alone. */
  readonly onError: (error: unknown) => void;
}

/** @returns undefined when `perMinute` is 0: no limit at all */
export function sharedRateLimit(
  connection: PostgresConnection,
  options: SharedRateLimitOptions,
): RateLimit | undefined {
  return options.perMinute === 0 ? undefined : new SharedRateLimit(connection, options);
}

type WaitingTake = PromiseWithResolvers<RateVerdict>;

class SharedRateLimit implements RateLimit {
  readonly #connection: PostgresConnection;
  readonly #options: SharedRateLimitOptions;
  readonly #shared: RateLimiterAbstract;
  readonly #ofThisProcess = new FixedWindows();
  /** By caller: requests that arrived while it was being counted. Limited by the number of open requests. */
  readonly #waiting = new Map<string, WaitingTake[]>();
  #askAgainAt: number | undefined;
  #sweepAt = performance.now() + SWEEP_EVERY_MS;

  constructor(connection: PostgresConnection, options: SharedRateLimitOptions) {
    const { name, perMinute } = options;
    this.#connection = connection;
    this.#options = options;
    this.#shared = new RateLimiterPostgres({
      storeClient: { query: (query: LibraryQuery) => ask(connection, query) },
      storeType: 'client',
      tableName: TABLE,
      tableCreated: true,
      clearExpiredByTimeout: false, // it knows no bound
      keyPrefix: name,
      points: perMinute,
      duration: WINDOW_SECONDS,
      // Who is over the limit is refused without asking: no flood reaches the database.
      inMemoryBlockOnConsumed: perMinute,
    });
  }

  take(caller: string): Promise<RateVerdict> {
    const take = Promise.withResolvers<RateVerdict>();
    const waiting = this.#waiting.get(caller);
    if (waiting === undefined) {
      this.#waiting.set(caller, [take]);
      void this.#countWaiting(caller);
    } else {
      waiting.push(take);
    }
    return take.promise;
  }

  /** Takes that came while one was under way travel together; never rejects. */
  async #countWaiting(caller: string): Promise<void> {
    for (;;) {
      const takes = this.#waiting.get(caller) ?? [];
      if (takes.length === 0) {
        this.#waiting.delete(caller);
        return;
      }
      this.#waiting.set(caller, []);
      try {
        const counted = await this.#count(caller, takes.length);
        takes.forEach((take, index) => {
          take.resolve(
            judgeRate(countBefore(counted, takes.length - 1 - index), this.#options.perMinute),
          );
        });
      } catch (error) {
        for (const take of takes) take.reject(error);
      }
    }
  }

  async #count(caller: string, requests: number): Promise<RateCount> {
    if (this.#askAgainAt === undefined || performance.now() >= this.#askAgainAt) {
      try {
        const counted = await countIn(this.#shared, caller, requests);
        this.#askAgainAt = undefined;
        if (performance.now() >= this.#sweepAt) void this.#sweep();
        return counted;
      } catch (error) {
        this.#away(error);
      }
    }
    return this.#ofThisProcess.count(caller, requests);
  }

  /** Never rejects. */
  async #sweep(): Promise<void> {
    this.#sweepAt = performance.now() + SWEEP_EVERY_MS;
    try {
      await sweepRateCounts(this.#connection);
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

/** Counts requests of a caller, also those over its limit. */
async function countIn(
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

/** Deletes what no window needs any more; a row that begins a new window meanwhile is left alone. */
export async function sweepRateCounts(connection: PostgresConnection): Promise<void> {
  await connection.all(sql`
    delete from rate_counts
    where key in (
      select key
      from rate_counts
      where expire < ${Date.now() - SWEEP_AFTER_MS}
      limit ${SWEPT_ROWS_MAX}
      for update skip locked
    )
  `);
}

/** The count as it was before the last `later` requests; who is refused unasked was not counted. */
function countBefore({ requests, msBeforeNext }: RateCount, later: number): RateCount {
  return { requests: requests === 0 ? Infinity : requests - later, msBeforeNext };
}

/** What rate-limiter-flexible asks of a driver's client. */
interface LibraryQuery {
  readonly text: string;
  readonly values: readonly unknown[];
}

async function ask(
  connection: PostgresConnection,
  { text, values }: LibraryQuery,
): Promise<{ readonly rows: readonly unknown[] }> {
  // Its parameters are numbered and may come twice; ours are written where they are used.
  const parts = text.split(/\$(\d+)/);
  const texts = parts.filter((_, index) => index % 2 === 0);
  const used = parts.filter((_, index) => index % 2 === 1);
  const query = new Sql(
    texts,
    used.map((number) => values[Number(number) - 1]),
  );
  return { rows: await connection.all(query, { timeoutMs: COUNT_WAIT_MS }) };
}
