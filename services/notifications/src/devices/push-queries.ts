// The outbox of devices: its tables, and what a try needs to know of the notification and of the person.
import { claimedColumns, type ClaimedRow } from '@lothub/delivery/outbox/due-queries';
import type { OutboxTables } from '@lothub/delivery/outbox/tables';
import type { Subscription } from '@lothub/delivery/push/subscription';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';
import { UNREAD } from '../feed/unread.ts';
import type { Severity, Status } from '../store/post.ts';
import { QUIET_COLUMNS, type QuietColumns } from './preferences.ts';

/** Devices of one person take turns with those of the others. */
export const DEVICE_OUTBOX: OutboxTables = {
  receivers: sql`devices`,
  group: sql`account_id`,
  creator: sql`account_id`,
  deliveries: sql`device_deliveries`,
  receiver: sql`device_id`,
  attempts: sql`device_attempts`,
  order: 'none',
};

/** A claimed delivery with its notification and the marks of the person on it. */
export interface PushRow extends ClaimedRow, Subscription, QuietColumns {
  readonly kind: 'created' | 'escalated';
  /** The group of the notification; `groupId` is the person. */
  readonly inGroup: string;
  readonly groupName: string | null;
  /** null: the notification is gone. */
  readonly notificationId: number | null;
  readonly title: string;
  readonly body: string | null;
  readonly severity: Severity;
  readonly status: Status | null;
  readonly dedupKey: string | null;
  readonly createdAt: number;
  readonly redactedAt: number | null;
  /** 1: is in the group. */
  readonly isMember: number;
  /** 1: the person has read or acknowledged it. */
  readonly isSeen: number;
  /** What the person has not read in all groups. */
  readonly unread: number;
}

/** @param ids at most IN_LIST_MAX */
export async function claimedPushes(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly PushRow[]> {
  if (ids.length === 0) return [];
  return await reader.all<PushRow>(sql`
    select
      ${claimedColumns(DEVICE_OUTBOX)},
      d.kind as "kind",
      d.group_id as "inGroup",
      g.name as "groupName",
      w.endpoint as "endpoint",
      w.p256dh as "p256dh",
      w.auth as "auth",
      n.id as "notificationId",
      n.title as "title",
      n.body as "body",
      n.severity as "severity",
      n.status as "status",
      n.dedup_key as "dedupKey",
      n.created_at as "createdAt",
      n.redacted_at as "redactedAt",
      case when s.account_id is null then 0 else 1 end as "isMember",
      case
        when k.account_id is not null then 1
        when x.is_read is not null then x.is_read
        when d.seq <= s.read_up_to then 1
        else 0
      end as "isSeen",
      (
        select coalesce(sum(${UNREAD}), 0)
        from members m
        join group_heads h on h.group_id = m.group_id
        where m.account_id = w.account_id
      ) as "unread",
      ${QUIET_COLUMNS}
    from device_deliveries d
    join devices w on w.id = d.device_id
    left join groups g on g.id = d.group_id
    left join notifications n on n.group_id = d.group_id and n.seq = d.seq
    left join members s on s.group_id = d.group_id and s.account_id = w.account_id
    left join read_exceptions x
      on x.account_id = w.account_id and x.group_id = d.group_id and x.seq = d.seq
    left join acknowledgements k
      on k.group_id = d.group_id and k.seq = d.seq and k.account_id = w.account_id
    left join reach_preferences p on p.account_id = w.account_id
    where d.id in (${inList(ids)})`);
}
