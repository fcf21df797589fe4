// Deliveries to devices and mail of members on PostgreSQL, written in the transaction of their posts: one
// statement for all posts.
import { bigintArray, textArray } from '@lothub/kit/postgres/array-values';
import sql, { raw, type Sql } from 'sql-template-tag';
import { severityRank, type PlannedPosts } from '../plan-posts.ts';
import type { NewNotification } from '../post.ts';
import { mailDueAt } from '../receivers.ts';

/** Nothing for a kind of receiver that none of the groups has. */
export function reachWrites({ outbound }: Pick<PlannedPosts, 'outbound'>): readonly Sql[] {
  const { devices, mail } = outbound;
  return [
    ...(devices.length > 0 ? [insertDeviceDeliveries(devices)] : []),
    ...(mail.length > 0 ? [insertMailDeliveries(mail)] : []),
  ];
}

/** A device that is being deleted meanwhile is waited for, and gets none. */
function insertDeviceDeliveries(rows: readonly NewNotification[]): Sql {
  return sql`
    insert into device_deliveries (id, device_id, group_id, seq, kind, status, due_at, created_at)
    select 'msg_' || n.id || '_' || d.id, d.id, n.group_id, n.seq, 'created', 'pending', n.at, n.at
    from ${outboundRows(rows)}
    join members m on
      m.group_id = n.group_id
      and coalesce(m.muted_until, 0) <= n.at
    join devices d on
      d.account_id = m.account_id
      and d.status = 'active'
      and case d.min_severity when 'info' then 0 when 'warning' then 1 else 2 end <= n.rank
    for key share of d`;
}

/** As of devices. */
function insertMailDeliveries(rows: readonly NewNotification[]): Sql {
  return sql`
    insert into mail_deliveries (id, receiver_id, group_id, seq, kind, status, due_at, created_at)
    select
      'msg_' || n.id || '_' || r.id, r.id, n.group_id, n.seq, 'created', 'pending',
      ${raw(mailDueAt('n.at'))}, n.at
    from ${outboundRows(rows)}
    join members m on
      m.group_id = n.group_id
      and coalesce(m.muted_until, 0) <= n.at
    join mail_receivers r on
      r.account_id = m.account_id
      and r.status = 'active'
      and case r.min_severity when 'info' then 0 when 'warning' then 1 else 2 end <= n.rank
    for key share of r`;
}

/** The rows `n`: position of each notification, its time, and the rank of its severity. */
export function outboundRows(rows: readonly NewNotification[]): Sql {
  return sql`
    unnest(
      ${bigintArray(rows.map(({ id }) => id))}::bigint[],
      ${textArray(rows.map(({ post }) => post.groupId))}::text[],
      ${bigintArray(rows.map(({ seq }) => seq))}::bigint[],
      ${bigintArray(rows.map(({ createdAt }) => createdAt))}::bigint[],
      ${bigintArray(rows.map(({ post }) => severityRank(post.severity)))}::bigint[]
    ) as n (id, group_id, seq, at, rank)`;
}
