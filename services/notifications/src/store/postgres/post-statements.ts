// What a group of posts writes on PostgreSQL: each table gets its rows as arrays, in one statement.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import type { PostgresTransaction } from '@lothub/kit/postgres/connection';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { FeedHead, PlannedPosts } from '../plan-posts.ts';
import type { NewNotification } from '../post.ts';
import { belongingWrites } from './belonging-statements.ts';

/** An attempt to commit, and its result if it was committed. */
export interface Attempt {
  readonly planned: PlannedPosts;
  /** Number of its transaction, which the server never gives again. */
  readonly transactionId: string;
}

/** In an order that suits foreign keys; none of them is sent when there is nothing for it. */
export function writePlanned(planned: PlannedPosts): readonly Sql[] {
  const { notifications, outbound, repeatable, headSeqs, touchedKeys, feed } = planned;
  return [
    ...(notifications.length > 0 ? [insertNotifications(notifications)] : []),
    ...(outbound.length > 0 ? [insertUndistributed(outbound)] : []),
    ...belongingWrites(planned.belonging),
    ...(repeatable.length > 0 ? [writeRepeats(repeatable)] : []),
    ...(headSeqs.size > 0 ? [updateGroups(headSeqs)] : []),
    ...(touchedKeys.size > 0 ? [updateKeys(touchedKeys)] : []),
    ...(notifications.length > 0 ? [updateFeed(feed)] : []),
  ];
}

/**
 * Whether an attempt without an answer was committed. Call it after taking the lock of the head, which the attempt
 * holds until its end. Another process may have given the same position to a post with the same texts, but not in a
 * transaction of the same number.
 */
export async function wasCommitted(
  { first }: Pick<PostgresTransaction, 'first'>,
  { planned, transactionId }: Attempt,
): Promise<boolean> {
  const written = planned.notifications.at(-1);
  // It wrote nothing that matters: it can be done again.
  if (written === undefined) return false;
  const { id, seq, createdAt, post } = written;
  const row = await first(sql`
    select id
    from notifications
    where
      id = ${id}
      and xmin = ${transactionId}::xid8::xid
      and group_id = ${post.groupId}
      and seq = ${seq}
      and created_at = ${createdAt}`);
  return row !== undefined;
}

function insertNotifications(rows: readonly NewNotification[]): Sql {
  const texts = (read: (row: NewNotification) => string | null): Buffer =>
    textArray(rows.map(read));
  const numbers = (read: (row: NewNotification) => number): Buffer => bigintArray(rows.map(read));
  return sql`
    insert into notifications
      (id, group_id, seq, title, body, severity, url, dedup_key, status, created_at, key_id, account_id)
    select
      id, group_id, seq, title, body, severity, url, dedup_key, status, created_at, key_id, account_id
    from unnest(
      ${numbers(({ id }) => id)}::bigint[],
      ${texts(({ post }) => post.groupId)}::text[],
      ${numbers(({ seq }) => seq)}::bigint[],
      ${texts(({ post }) => post.title)}::text[],
      ${texts(({ post }) => post.body)}::text[],
      ${texts(({ post }) => post.severity)}::text[],
      ${texts(({ post }) => post.url)}::text[],
      ${texts(({ post }) => post.dedupKey)}::text[],
      ${texts(({ post }) => post.status)}::text[],
      ${numbers(({ createdAt }) => createdAt)}::bigint[],
      ${texts(({ post: { sender } }) => (sender.kind === 'key' ? sender.keyId : null))}::text[],
      ${texts(({ post: { sender } }) => (sender.kind === 'person' ? sender.accountId : null))}::text[]
    ) as n (
      id, group_id, seq, title, body, severity, url, dedup_key, status, created_at, key_id, account_id
    )`;
}

function insertUndistributed(rows: readonly NewNotification[]): Sql {
  return sql`
    insert into undistributed (id, group_id, seq)
    select id, group_id, seq
    from unnest(
      ${bigintArray(rows.map(({ id }) => id))}::bigint[],
      ${textArray(rows.map(({ post }) => post.groupId))}::text[],
      ${bigintArray(rows.map(({ seq }) => seq))}::bigint[]
    ) as n (id, group_id, seq)`;
}

/** A row that is there is older than a day. Of one key in a group the plan has one row. */
function writeRepeats(rows: PlannedPosts['repeatable']): Sql {
  return sql`
    insert into idempotency_keys
      (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
    select group_id, idempotency_key, content_hash, notification_id, seq, created_at
    from unnest(
      ${textArray(rows.map(({ post }) => post.groupId))}::text[],
      ${textArray(rows.map(({ idempotency }) => idempotency.key))}::text[],
      ${textArray(rows.map(({ idempotency }) => idempotency.contentHash))}::text[],
      ${bigintArray(rows.map(({ id }) => id))}::bigint[],
      ${bigintArray(rows.map(({ seq }) => seq))}::bigint[],
      ${bigintArray(rows.map(({ createdAt }) => createdAt))}::bigint[]
    ) as n (group_id, idempotency_key, content_hash, notification_id, seq, created_at)
    on conflict (group_id, idempotency_key) do update
    set
      content_hash = excluded.content_hash,
      notification_id = excluded.notification_id,
      seq = excluded.seq,
      created_at = excluded.created_at`;
}

function updateGroups(headSeqs: ReadonlyMap<string, number>): Sql {
  return sql`
    update group_heads h
    set head_seq = n.head_seq
    from unnest(
      ${textArray([...headSeqs.keys()])}::text[],
      ${bigintArray([...headSeqs.values()])}::bigint[]
    ) as n (group_id, head_seq)
    where h.group_id = n.group_id`;
}

function updateKeys(touchedKeys: ReadonlyMap<string, number>): Sql {
  return sql`
    update group_keys k
    set last_used_at = n.at
    from unnest(
      ${textArray([...touchedKeys.keys()])}::text[],
      ${bigintArray([...touchedKeys.values()])}::bigint[]
    ) as n (id, at)
    where k.id = n.id`;
}

function updateFeed({ position, at }: FeedHead): Sql {
  return sql`
    update feed_head
    set position = ${position}, at = ${at}
    where id = 1`;
}
