// Commits groups of posts to PostgreSQL: two round trips, between which the head of the feed is locked.
// What failed for a passing reason is tried again; of a commit whose answer was lost, the next attempt
// first asks the server what became of it.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@lothub/kit/clock';
import { DatabaseError } from '@lothub/kit/database';
import type {
  PostgresConnection,
  PostgresPlan,
  PostgresTransaction,
} from '@lothub/kit/postgres/connection';
import { CommitUnknownError } from '@lothub/kit/postgres/errors';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import type { JobGroup } from '@lothub/kit/writer-thread';
import type { PostJob } from '../jobs.ts';
import { planPosts } from '../plan-posts.ts';
import type { PlannedPosts } from '../plan-posts.ts';
import { GroupView, takeFeed } from './group-view.ts';
import { wasCommitted, writesOf } from './post-statements.ts';
import type { PostAnswer } from './writer.ts';

/** How long a group is tried again while the server is away or busy; then its callers get a 503. */
const TRY_FOR_MS = 10_000;
/** Rest before another attempt; doubled each time up to the half second. */
const RETRY_MS = 10;
const RETRY_MS_MAX = 500;

/** A head that took longer to get was held by another process: reading takes a fraction of it. */
const WAITED_MS = 2;

/** An attempt to commit, and what it came to if it stands. */
export interface Attempt {
  readonly planned: PlannedPosts;
  /** Number of its transaction, which the server never gives again. */
  readonly transactionId: string;
}

export class GroupCommit {
  readonly #connection: PostgresConnection;
  readonly #clock: Clock;

  constructor(options: { readonly connection: PostgresConnection; readonly clock: Clock }) {
    this.#connection = options.connection;
    this.#clock = options.clock;
  }

  /**
   * @throws DatabaseError `database_busy` when the server stayed away, `database_unsure` when it did
   *   after a commit was sent, of which nothing is known then
   */
  async commit(group: JobGroup<PostJob>): Promise<readonly PostAnswer[]> {
    const deadlineMs = this.#clock.nowMs() + TRY_FOR_MS;
    // The last attempt of which nobody knows whether it was committed.
    let unknown: Attempt | undefined;
    for (let restMs = RETRY_MS; ; restMs = Math.min(restMs * 2, RETRY_MS_MAX)) {
      let attempted: Attempt | undefined;
      try {
        const { planned } = await this.#connection.pipelinedTransaction((transaction) =>
          this.#plan(transaction, { group, unknown }, (attempt) => (attempted = attempt)),
        );
        // A crash here leaves the group on disk and nobody told; a retry with its idempotency key
        // finds it.
        return planned.outcomes.map((answer) => ({ kind: 'post', answer }));
      } catch (error) {
        if (error instanceof CommitUnknownError) {
          // What took the head after an earlier attempt did not find it: only this one is open.
          unknown = attempted;
        }
        if (!isPassing(error)) throw error;
        if (this.#clock.nowMs() >= deadlineMs) throw giveUp(error, unknown);
        await sleep(restMs);
      }
    }
  }

  async #plan(
    transaction: PostgresTransaction,
    of: { readonly group: JobGroup<PostJob>; readonly unknown: Attempt | undefined },
    attempting: (attempt: Attempt) => void,
  ): Promise<PostgresPlan<Attempt>> {
    const { group, unknown } = of;
    const view = new GroupView();
    const askedMs = performance.now();
    const [taken, , stands] = await allOrFirstFailure([
      takeFeed(transaction),
      view.load(transaction, group.jobs),
      unknown === undefined ? Promise.resolve(false) : wasCommitted(transaction, unknown),
    ]);
    if (unknown !== undefined && stands) return { writes: [], result: unknown };
    // While others had the head, more may have come: one group for all of it holds the head once.
    if (performance.now() - askedMs > WAITED_MS) {
      const more = group.takeMore();
      if (more.length > 0) await view.load(transaction, more);
    }
    // From here to the commit nothing is waited for: the head is locked.
    const planned = planPosts(group.jobs, { feed: taken.feed, ...view.found });
    const attempt = { planned, transactionId: taken.transactionId };
    attempting(attempt);
    return { writes: writesOf(planned), result: attempt };
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  return error instanceof DatabaseError && error.code === 'database_busy';
}

function giveUp(error: unknown, unknown: Attempt | undefined): unknown {
  if (unknown === undefined) return error;
  return new DatabaseError(
    'database_unsure',
    'the connection to the database was lost while committing, and it cannot be asked',
    { cause: error },
  );
}
