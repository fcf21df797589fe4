// Writes posts to SQLite inside the transaction of a group: one prepared statement for each row.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import type { SqlValue } from '@lothub/kit/database';
import type { PostJob } from '../jobs.ts';
import { planPosts } from '../plan-posts.ts';
import type { FeedHead, GroupHead, PlannedPosts, StoredRepeat } from '../plan-posts.ts';
import type { PostOutcome } from '../post.ts';
import { HAS_RECEIVERS, hasReceivers, type ReceiversRow } from '../receivers.ts';
import { readItem, writeBelonging } from './belonging.ts';

const READ_FEED = 'select position, at from feed_head where id = 1';
const READ_GROUP = `
  select
    head_seq,
    ${HAS_RECEIVERS}
  from group_heads h
  where group_id = ?`;
const READ_REPEAT = `
  select content_hash, notification_id, seq, created_at
  from idempotency_keys
  where group_id = ? and idempotency_key = ?`;
const INSERT_NOTIFICATION = `
  insert into notifications
    (id, group_id, seq, title, body, severity, url, dedup_key, status, created_at, key_id, account_id)
  values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const INSERT_UNDISTRIBUTED = 'insert into undistributed (id, group_id, seq) values (?, ?, ?)';
/** A row that is there is older than a day. */
const WRITE_REPEAT = `
  insert into idempotency_keys
    (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
  values (?, ?, ?, ?, ?, ?)
  on conflict (group_id, idempotency_key) do update
  set
    content_hash = excluded.content_hash,
    notification_id = excluded.notification_id,
    seq = excluded.seq,
    created_at = excluded.created_at`;
const UPDATE_GROUP = 'update group_heads set head_seq = ? where group_id = ?';
const UPDATE_KEY = 'update group_keys set last_used_at = ? where id = ?';
const UPDATE_FEED = 'update feed_head set position = ?, at = ? where id = 1';

interface GroupRow extends ReceiversRow {
  readonly head_seq: number;
}

interface RepeatRow {
  readonly content_hash: string;
  readonly notification_id: number;
  readonly seq: number;
  readonly created_at: number;
}

export class SqlitePosts {
  readonly #connection: SqliteConnection;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** A crash before the commit that follows leaves nothing of them. */
  apply(jobs: readonly PostJob[]): readonly PostOutcome[] {
    const planned = planPosts(jobs, {
      feed: this.#readFeed(),
      findGroup: this.#groupFinder(),
      findRepeat: (groupId, key) => this.#findRepeat(groupId, key),
      findItem: (groupId, dedupKey) => readItem(this.#connection, groupId, dedupKey),
    });
    this.#write(planned);
    return planned.outcomes;
  }

  #readFeed(): FeedHead {
    const feed = this.#get<FeedHead>(READ_FEED);
    if (feed === undefined) throw new Error('the feed has no head: restore a backup');
    return feed;
  }

  /** Asks once for each group. */
  #groupFinder(): (groupId: string) => GroupHead | undefined {
    const known = new Map<string, GroupHead | undefined>();
    return (groupId) => {
      if (known.has(groupId)) return known.get(groupId);
      const row = this.#get<GroupRow>(READ_GROUP, groupId);
      const group =
        row === undefined ? undefined : { headSeq: row.head_seq, hasReceivers: hasReceivers(row) };
      known.set(groupId, group);
      return group;
    };
  }

  #findRepeat(groupId: string, key: string): StoredRepeat | undefined {
    const row = this.#get<RepeatRow>(READ_REPEAT, groupId, key);
    if (row === undefined) return undefined;
    const { content_hash: contentHash, notification_id: id, seq, created_at: createdAt } = row;
    return { contentHash, id, seq, createdAt };
  }

  #write(planned: PlannedPosts): void {
    for (const { post, id, seq, createdAt } of planned.notifications) {
      const { groupId, title, body, severity, url, dedupKey, status, sender } = post;
      const keyId = sender.kind === 'key' ? sender.keyId : null;
      const accountId = sender.kind === 'person' ? sender.accountId : null;
      const content = [title, body, severity, url, dedupKey, status];
      this.#run(INSERT_NOTIFICATION, id, groupId, seq, ...content, createdAt, keyId, accountId);
    }
    for (const { post, id, seq } of planned.outbound) {
      this.#run(INSERT_UNDISTRIBUTED, id, post.groupId, seq);
    }
    writeBelonging(this.#connection, planned.belonging);
    for (const { post, idempotency, id, seq, createdAt } of planned.repeatable) {
      const { key, contentHash } = idempotency;
      this.#run(WRITE_REPEAT, post.groupId, key, contentHash, id, seq, createdAt);
    }
    for (const [groupId, headSeq] of planned.headSeqs) this.#run(UPDATE_GROUP, headSeq, groupId);
    for (const [keyId, at] of planned.touchedKeys) this.#run(UPDATE_KEY, at, keyId);
    if (planned.notifications.length === 0) return;
    this.#run(UPDATE_FEED, planned.feed.position, planned.feed.at);
  }

  #get<Row>(text: string, ...values: readonly SqlValue[]): Row | undefined {
    return this.#connection.statement(text).get(...values) as Row | undefined;
  }

  #run(text: string, ...values: readonly SqlValue[]): void {
    this.#connection.statement(text).run(...values);
  }
}
