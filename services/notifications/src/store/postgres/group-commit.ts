// Commits groups of posts to PostgreSQL: two round trips, between which the head of the feed is locked.
// (What becomes of one that failed: commit-until-known.ts of the kit.)
import { commitUntilKnown } from '@lothub/kit/postgres/commit-until-known';
import type {
  PostgresConnection,
  PostgresPlan,
  PostgresTransaction,
} from '@lothub/kit/postgres/connection';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import type { JobGroup } from '@lothub/kit/writer/queue';
import type { PostAnswer, PostJob } from '../jobs.ts';
import { planPosts } from '../plan-posts.ts';
import { GroupView, takeFeed } from './group-view.ts';
import { wasCommitted, writePlanned, type Attempt } from './post-statements.ts';

/** A head that took longer to get was held by another process: reading takes a fraction of it. */
const WAITED_MS = 2;

export class GroupCommit {
  readonly #connection: PostgresConnection;

  constructor(options: { readonly connection: PostgresConnection }) {
    this.#connection = options.connection;
  }

  /**
   * @throws DatabaseError `database_busy` when the server stayed away, `database_unsure` when it did
   *   after a commit was sent, of which nothing is known then
   */
  async commit(group: JobGroup<PostJob>): Promise<readonly PostAnswer[]> {
    const { planned } = await commitUntilKnown<Attempt>({
      connection: this.#connection,
      group,
      // One that wrote nothing is not found, and can be done again.
      isRecognised: () => true,
      plan: (transaction, { unknown, attempting }) =>
        this.#plan(transaction, { group, unknown }, attempting),
    });
    // A crash here leaves the group on disk without an answer; a retry with its idempotency key finds it.
    return planned.outcomes.map((answer) => ({ kind: 'post', answer }));
  }

  async #plan(
    transaction: PostgresTransaction,
    {
      group,
      unknown,
    }: { readonly group: JobGroup<PostJob>; readonly unknown: Attempt | undefined },
    attempting: (attempt: Attempt) => void,
  ): Promise<PostgresPlan<Attempt>> {
    const view = new GroupView();
    const askedMs = performance.now();
    const [taken, , isCommitted] = await allOrFirstFailure([
      takeFeed(transaction),
      view.load(transaction, group.jobs),
      unknown === undefined ? Promise.resolve(false) : wasCommitted(transaction, unknown),
    ]);
    if (unknown !== undefined && isCommitted) return { writes: [], result: unknown };
    // While another process held the head, more posts may have arrived: one group takes them all.
    if (performance.now() - askedMs > WAITED_MS) {
      const more = group.takeMore();
      if (more.length > 0) await view.load(transaction, more);
    }
    // No waiting from here to the commit: the head is locked.
    const planned = planPosts(group.jobs, { feed: taken.feed, ...view.found });
    const attempt = { planned, transactionId: taken.transactionId };
    attempting(attempt);
    return { writes: writePlanned(planned), result: attempt };
  }
}
