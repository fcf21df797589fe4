// Deliveries to devices and mail of members on SQLite, written in the transaction of their posts: one
// statement for all posts of a group.
import type { SqliteConnection } from '@lothub/kit/sqlite/connection';
import { severityRank, type PlannedPosts } from '../plan-posts.ts';
import type { NewNotification } from '../post.ts';
import { mailDueAt } from '../receivers.ts';

/**
 * Its parameters are id, seq, time and rank of the severity of each notification. Members are read once for all of
 * them, which the order of the joins ensures.
 */
const INSERT_DEVICE_DELIVERIES = `
  insert into device_deliveries (id, device_id, group_id, seq, kind, status, due_at, created_at)
  select
    'msg_' || (n.value ->> 0) || '_' || d.id, d.id, m.group_id, n.value ->> 1, 'created',
    'pending', n.value ->> 2, n.value ->> 2
  from members m
  cross join devices d
  cross join json_each(?) n
  where
    m.group_id = ?
    and d.account_id = m.account_id
    and d.status = 'active'
    and coalesce(m.muted_until, 0) <= n.value ->> 2
    and case d.min_severity when 'info' then 0 when 'warning' then 1 else 2 end <= n.value ->> 3`;

const INSERT_MAIL_DELIVERIES = `
  insert into mail_deliveries (id, receiver_id, group_id, seq, kind, status, due_at, created_at)
  select
    'msg_' || (n.value ->> 0) || '_' || r.id, r.id, m.group_id, n.value ->> 1, 'created',
    'pending', ${mailDueAt('(n.value ->> 2)')}, n.value ->> 2
  from members m
  cross join mail_receivers r
  cross join json_each(?) n
  where
    m.group_id = ?
    and r.account_id = m.account_id
    and r.status = 'active'
    and coalesce(m.muted_until, 0) <= n.value ->> 2
    and case r.min_severity when 'info' then 0 when 'warning' then 1 else 2 end <= n.value ->> 3`;

export function writeReach(
  connection: SqliteConnection,
  { outbound }: Pick<PlannedPosts, 'outbound'>,
): void {
  for (const [groupId, rows] of byGroup(outbound.devices)) {
    connection.statement(INSERT_DEVICE_DELIVERIES).run(rows, groupId);
  }
  for (const [groupId, rows] of byGroup(outbound.mail)) {
    connection.statement(INSERT_MAIL_DELIVERIES).run(rows, groupId);
  }
}

/** The rows of each group as JSON. */
function* byGroup(all: readonly NewNotification[]): Generator<readonly [string, string]> {
  if (all.length === 0) return;
  for (const [groupId, rows] of Map.groupBy(all, ({ post }) => post.groupId)) {
    const values = rows.map(({ id, seq, createdAt, post }) => [
      id,
      seq,
      createdAt,
      severityRank(post.severity),
    ]);
    yield [groupId, JSON.stringify(values)];
  }
}
