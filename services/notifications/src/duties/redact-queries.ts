// Statements that remove the texts of a notification from all tables.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { REDACTED_TITLE } from '../feed/redacted.ts';
import { REDACTED_HASH, type Severity } from '../store/post.ts';

export interface NotificationPlace {
  readonly groupId: string;
  readonly seq: number;
}

export interface RedactableRow {
  readonly id: number;
  readonly severity: Severity;
  readonly createdAt: number;
  readonly redactedAt: number | null;
}

export function findRedactable(
  reader: DatabaseReader,
  { groupId, seq }: NotificationPlace,
): Promise<RedactableRow | undefined> {
  return reader.first<RedactableRow>(sql`
    select
      id as "id",
      severity as "severity",
      created_at as "createdAt",
      redacted_at as "redactedAt"
    from notifications
    where group_id = ${groupId}
      and seq = ${seq}`);
}

/** For a guard that sees the group as `g`: the texts are there. */
export function whileReadable({ groupId, seq }: NotificationPlace): Sql {
  return sql`
    and exists (
      select 1
      from notifications n
      where n.group_id = ${groupId}
        and n.seq = ${seq}
        and n.redacted_at is null
    )`;
}

/** The signal of an acknowledgement: it may contain a comment. */
export interface AckSignal {
  readonly position: number;
  /** JSON. */
  readonly detail: string;
}

/** There is one at most: only the first acknowledgement counts. */
export function readAckSignals(
  reader: DatabaseReader,
  { groupId, seq }: NotificationPlace,
  { id }: Pick<RedactableRow, 'id'>,
): Promise<readonly AckSignal[]> {
  return reader.all<AckSignal>(sql`
    select position as "position", detail as "detail"
    from signals
    where group_id = ${groupId}
      and kind <> 'read'
      and kind = 'ack'
      and position > ${id}
      and detail like ${`%"seq":${seq},%`}
    limit 1`);
}

export function updateDetail(position: number, detail: string): Sql {
  return sql`
    update signals
    set detail = ${detail}
    where position = ${position}`;
}

/** Tables of deliveries: what is pending of a notification is not sent any more. */
const DELIVERIES = [sql`deliveries`, sql`device_deliveries`, sql`mail_deliveries`] as const;

/**
 * The row, what was said about it, what a repeated request is compared with, and what is still to be sent. A
 * receiver whose request is under way has the texts already.
 */
export function redactStatements(
  { groupId, seq }: NotificationPlace,
  { createdAt }: RedactableRow,
  at: number,
): readonly Sql[] {
  return [
    forgetDedupKey({ groupId, seq }),
    // With a null dedup_key it would be listed by itself, beside its item.
    sql`
      update notifications
      set
        title = ${REDACTED_TITLE}, body = null, url = null, status = null,
        dedup_key = case when dedup_key is not null then '' end,
        redacted_at = ${at}
      where group_id = ${groupId}
        and seq = ${seq}`,
    sql`
      update acknowledgements
      set comment = null
      where group_id = ${groupId}
        and seq = ${seq}`,
    // Found by its time, which is that of the notification: there is no index of its place.
    sql`
      update idempotency_keys
      set content_hash = ${REDACTED_HASH}
      where created_at = ${createdAt}
        and group_id = ${groupId}
        and seq = ${seq}`,
    sql`
      delete from undistributed
      where group_id = ${groupId}
        and seq = ${seq}`,
    ...DELIVERIES.map(
      (deliveries) => sql`
        update ${deliveries}
        set status = 'failed', ended_at = ${at}
        where group_id = ${groupId}
          and seq = ${seq}
          and status = 'pending'`,
    ),
  ];
}

/** What a notification belonged together with: no other one says what its sender called it. */
function forgetDedupKey({ groupId, seq }: NotificationPlace): Sql {
  return sql`
    update occurrences
    set dedup_key = ''
    where group_id = ${groupId}
      and first_seq <= ${seq}
      and last_seq >= ${seq}
      and dedup_key = (
        select n.dedup_key
        from notifications n
        where n.group_id = ${groupId}
          and n.seq = ${seq}
      )
      and not exists (
        select 1
        from notifications o
        where o.group_id = ${groupId}
          and o.dedup_key = occurrences.dedup_key
          and o.seq >= occurrences.first_seq
          and o.seq <= occurrences.last_seq
          and o.seq <> ${seq}
      )`;
}

/** What a notification became in the group that it was escalated to. */
export function findCopy(
  reader: DatabaseReader,
  { groupId, seq }: NotificationPlace,
): Promise<NotificationPlace | undefined> {
  return reader.first<NotificationPlace>(sql`
    select to_group_id as "groupId", to_seq as "seq"
    from escalated
    where group_id = ${groupId}
      and seq = ${seq}
      and to_group_id is not null
      and to_seq is not null`);
}
