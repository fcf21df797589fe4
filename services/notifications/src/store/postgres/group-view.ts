// What the plan of a group of posts needs, read in one round trip once the head of the feed
// is taken.
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import { textArray } from '@lothub/kit/postgres/array-values';
import { allOrFirstFailure } from '@lothub/kit/postgres/transaction';
import sql, { raw } from 'sql-template-tag';
import type { PostJob } from '../jobs.ts';
import { repeatName } from '../plan-posts.ts';
import type { FeedHead, GroupHead, PostsView, StoredRepeat } from '../plan-posts.ts';
import { HAS_RECEIVERS, hasReceivers, type ReceiversRow } from '../receivers.ts';
import type { StoredItem } from '../plan-belonging.ts';
import { readItems, type ItemKey, type ItemRow } from './belonging-statements.ts';
import { LOCK_FEED_HEAD } from './feed-head.ts';

export interface TakenFeed {
  readonly feed: FeedHead;
  readonly transactionId: string;
}

/**
 * Two statements sent at once: the first waits for the row, and what the second and all behind it see is
 * newer than the wait.
 */
export async function takeFeed({
  all,
  first,
}: Pick<PostgresTransaction, 'all' | 'first'>): Promise<TakenFeed> {
  const [, row] = await allOrFirstFailure([
    all(LOCK_FEED_HEAD),
    first<{ readonly position: number; readonly at: number; readonly transaction_id: string }>(sql`
      select position, at, pg_current_xact_id()::text as transaction_id
      from feed_head
      where id = 1`),
  ]);
  if (row === undefined) throw new Error('the feed has no head: restore a backup');
  const { position, at, transaction_id: transactionId } = row;
  return { feed: { position, at }, transactionId };
}

interface GroupRow extends ReceiversRow {
  readonly group_id: string;
  readonly head_seq: number;
}

interface RepeatRow {
  readonly group_id: string;
  readonly idempotency_key: string;
  readonly content_hash: string;
  readonly notification_id: number;
  readonly seq: number;
  readonly created_at: number;
}

export class GroupView {
  readonly #groups = new Map<string, GroupHead>();
  readonly #repeats = new Map<string, StoredRepeat>();
  readonly #items = new Map<string, StoredItem>();

  get found(): Pick<PostsView, 'findGroup' | 'findRepeat' | 'findItem'> {
    return {
      findGroup: (groupId) => this.#groups.get(groupId),
      findRepeat: (groupId, key) => this.#repeats.get(repeatName(groupId, key)),
      findItem: (groupId, dedupKey) => this.#items.get(repeatName(groupId, dedupKey)),
    };
  }

  async load(
    transaction: Pick<PostgresTransaction, 'all'>,
    jobs: readonly PostJob[],
  ): Promise<void> {
    await allOrFirstFailure([
      this.#loadGroups(transaction, jobs),
      this.#loadRepeats(transaction, jobs),
      this.#loadItems(transaction, jobs),
    ]);
  }

  async #loadGroups(
    { all }: Pick<PostgresTransaction, 'all'>,
    jobs: readonly PostJob[],
  ): Promise<void> {
    const ids = new Set(jobs.map(({ post }) => post.groupId));
    const rows = await all<GroupRow>(sql`
      select
        h.group_id, h.head_seq,
        ${raw(HAS_RECEIVERS)}
      from unnest(${textArray([...ids])}::text[]) as g (id)
      join group_heads h on h.group_id = g.id`);
    for (const row of rows) {
      const { head_seq: headSeq } = row;
      this.#groups.set(row.group_id, { headSeq, hasReceivers: hasReceivers(row) });
    }
  }

  async #loadItems(
    { all }: Pick<PostgresTransaction, 'all'>,
    jobs: readonly PostJob[],
  ): Promise<void> {
    const asked = new Map<string, ItemKey>();
    for (const { post } of jobs) {
      const { groupId, dedupKey } = post;
      if (dedupKey !== null) asked.set(repeatName(groupId, dedupKey), { groupId, dedupKey });
    }
    if (asked.size === 0) return;
    for (const row of await all<ItemRow>(readItems([...asked.values()]))) {
      this.#items.set(repeatName(row.groupId, row.dedupKey), row);
    }
  }

  async #loadRepeats(
    { all }: Pick<PostgresTransaction, 'all'>,
    jobs: readonly PostJob[],
  ): Promise<void> {
    const asked = new Map<string, { readonly groupId: string; readonly key: string }>();
    for (const { post } of jobs) {
      const { groupId, idempotency } = post;
      if (idempotency === undefined) continue;
      asked.set(repeatName(groupId, idempotency.key), { groupId, key: idempotency.key });
    }
    if (asked.size === 0) return;
    const pairs = [...asked.values()];
    const groupIds = textArray(pairs.map(({ groupId }) => groupId));
    const keys = textArray(pairs.map(({ key }) => key));
    const rows = await all<RepeatRow>(sql`
      select k.group_id, k.idempotency_key, k.content_hash, k.notification_id, k.seq, k.created_at
      from unnest(${groupIds}::text[], ${keys}::text[]) as a (group_id, idempotency_key)
      join idempotency_keys k
        on k.group_id = a.group_id and k.idempotency_key = a.idempotency_key`);
    for (const row of rows) {
      this.#repeats.set(repeatName(row.group_id, row.idempotency_key), {
        contentHash: row.content_hash,
        id: row.notification_id,
        seq: row.seq,
        createdAt: row.created_at,
      });
    }
  }
}
