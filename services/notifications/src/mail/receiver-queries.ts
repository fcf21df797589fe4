// Who is sent mail: one row for each person who ever wanted some.
import type { DatabaseReader } from '@lothub/kit/database';
import type { ReceiverStatus } from '@lothub/delivery/outbox/status';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Post } from '../store/post.ts';
import { HOUR_MS, type Rhythm } from './rhythm.ts';

export interface MailReceiverRow {
  readonly id: string;
  readonly accountId: string;
  readonly minSeverity: Post['severity'];
  readonly rhythm: Rhythm;
  readonly status: ReceiverStatus;
  readonly disabledReason: string | null;
  readonly createdAt: number;
}

const RECEIVER = sql`
  select
    id as "id",
    account_id as "accountId",
    min_severity as "minSeverity",
    rhythm as "rhythm",
    status as "status",
    disabled_reason as "disabledReason",
    created_at as "createdAt"
  from mail_receivers`;

export function receiverOfPerson(
  reader: DatabaseReader,
  accountId: string,
): Promise<MailReceiverRow | undefined> {
  return reader.first<MailReceiverRow>(sql`
    ${RECEIVER}
    where account_id = ${accountId}`);
}

export function findReceiver(
  reader: DatabaseReader,
  receiverId: string,
): Promise<MailReceiverRow | undefined> {
  return reader.first<MailReceiverRow>(sql`
    ${RECEIVER}
    where id = ${receiverId}`);
}

export function hasReceivers(reader: DatabaseReader): Promise<object | undefined> {
  return reader.first(sql`
    select id
    from mail_receivers
    limit 1`);
}

/** The time zone that a person has set; undefined: none. */
export async function readTimeZone(
  reader: DatabaseReader,
  accountId: string,
): Promise<string | undefined> {
  const row = await reader.first<{ readonly timeZone: string | null }>(sql`
    select time_zone as "timeZone"
    from reach_preferences
    where account_id = ${accountId}`);
  return row?.timeZone ?? undefined;
}

/** Turned on, whatever it was before: what it answered in the past counts no more. */
export function turnOn(
  receiver: Pick<MailReceiverRow, 'id' | 'accountId' | 'minSeverity' | 'rhythm' | 'createdAt'>,
): Sql {
  const { id, accountId, minSeverity, rhythm, createdAt } = receiver;
  return sql`
    insert into mail_receivers (id, account_id, min_severity, rhythm, status, created_at)
    values (${id}, ${accountId}, ${minSeverity}, ${rhythm}, 'active', ${createdAt})
    on conflict (account_id) do update
    set
      min_severity = excluded.min_severity,
      rhythm = excluded.rhythm,
      status = 'active',
      disabled_reason = null,
      failures = 0,
      failing_since = null`;
}

/** What still waits for it is ended by the worker. */
export function turnOff(receiverId: string): Sql {
  return sql`
    update mail_receivers
    set status = 'paused', disabled_reason = null
    where id = ${receiverId}
      and status in ('active', 'disabled')`;
}

/** Nothing is written for it any more. */
export function markDeleted(accountId: string): Sql {
  return sql`
    update mail_receivers
    set status = 'deleted'
    where account_id = ${accountId}`;
}

/** Counts one more mail of this hour; nothing when there were `mailsMax` in it. */
export function takeMailOfHour(
  receiverId: string,
  { at, mailsMax }: { readonly at: number; readonly mailsMax: number },
): Sql {
  const isNew = sql`(hour_from is null or hour_from <= ${at - HOUR_MS} or hour_from > ${at})`;
  return sql`
    update mail_receivers
    set
      hour_from = case when ${isNew} then ${at} else hour_from end,
      hour_mails = case when ${isNew} then 1 else hour_mails + 1 end
    where id = ${receiverId}
      and (${isNew} or hour_mails < ${mailsMax})
    returning id`;
}

/** For a mail that was not sent. */
export function giveBackMailOfHour(receiverId: string): Sql {
  return sql`
    update mail_receivers
    set hour_mails = hour_mails - 1
    where id = ${receiverId}
      and hour_mails > 0`;
}

/** When the hour of `takeMailOfHour` is over. */
export async function hourEndsAt(reader: DatabaseReader, receiverId: string): Promise<number> {
  const row = await reader.first<{ readonly hourFrom: number | null }>(sql`
    select hour_from as "hourFrom"
    from mail_receivers
    where id = ${receiverId}`);
  return (row?.hourFrom ?? 0) + HOUR_MS;
}
