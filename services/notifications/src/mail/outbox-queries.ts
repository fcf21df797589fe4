// The outbox of mail: its tables, and what a mail needs of the notifications that it is sent for.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import { claimedColumns, type ClaimedRow } from '@lothub/delivery/outbox/due-queries';
import type { OutboxTables } from '@lothub/delivery/outbox/tables';
import sql from 'sql-template-tag';
import type { Severity } from '../store/post.ts';
import type { Rhythm } from './rhythm.ts';

export const MAIL_OUTBOX: OutboxTables = {
  receivers: sql`mail_receivers`,
  // Persons take turns: each is sent one mail at a time.
  group: sql`account_id`,
  creator: sql`account_id`,
  deliveries: sql`mail_deliveries`,
  receiver: sql`receiver_id`,
  attempts: sql`mail_attempts`,
  order: 'none',
};

/** A delivery with its receiver, its notification, and what has become of that for this person. */
export interface ClaimedMail extends ClaimedRow {
  readonly kind: 'created' | 'escalated';
  readonly rhythm: Rhythm;
  readonly minSeverity: Severity;
  /** null: the account is gone. */
  readonly email: string | null;
  readonly timeZone: string | null;
  readonly notificationGroupId: string;
  readonly groupName: string | null;
  /** null: the notification is gone. */
  readonly title: string | null;
  readonly body: string | null;
  readonly severity: Severity | null;
  readonly url: string | null;
  readonly notificationStatus: string | null;
  readonly redactedAt: number | null;
  readonly postedAt: number | null;
  readonly senderName: string | null;
  /** 1: somebody has acknowledged it. */
  readonly isAcknowledged: number;
  /** null: the person is not in the group any more. */
  readonly readUpTo: number | null;
  /** As MarksRow.exception. */
  readonly exception: number | null;
}

/** @param ids at most IN_LIST_MAX */
export async function claimedMails(
  reader: DatabaseReader,
  ids: readonly string[],
): Promise<readonly ClaimedMail[]> {
  if (ids.length === 0) return [];
  return await reader.all<ClaimedMail>(sql`
    select
      ${claimedColumns(MAIL_OUTBOX)},
      d.kind as "kind",
      w.rhythm as "rhythm",
      w.min_severity as "minSeverity",
      a.email as "email",
      p.time_zone as "timeZone",
      d.group_id as "notificationGroupId",
      g.name as "groupName",
      n.title as "title",
      n.body as "body",
      n.severity as "severity",
      n.url as "url",
      n.status as "notificationStatus",
      n.redacted_at as "redactedAt",
      n.created_at as "postedAt",
      coalesce(k.name, s.name) as "senderName",
      case when c.seq is null then 0 else 1 end as "isAcknowledged",
      m.read_up_to as "readUpTo",
      e.is_read as "exception"
    from mail_deliveries d
    join mail_receivers w on w.id = d.receiver_id
    left join people.accounts a on a.id = w.account_id
    left join reach_preferences p on p.account_id = w.account_id
    left join groups g on g.id = d.group_id
    left join notifications n on n.group_id = d.group_id and n.seq = d.seq
    left join group_keys k on k.id = n.key_id
    left join people.accounts s on s.id = n.account_id
    left join acknowledgements c on c.group_id = d.group_id and c.seq = d.seq
    left join members m on m.group_id = d.group_id and m.account_id = w.account_id
    left join read_exceptions e on
      e.account_id = w.account_id and e.group_id = d.group_id and e.seq = d.seq
    where d.id in (${inList(ids)})`);
}
