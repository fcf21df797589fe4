// Whether a group has receivers, asked on either engine before its posts are planned: without them nothing is noted
// to be distributed.

/**
 * A column of a group head `h`. Without any device or mail in the database the members of the group are not walked.
 */
export const HAS_RECEIVERS = `
    exists (
      select 1 from webhooks w where w.group_id = h.group_id and w.status = 'active'
    )
      or exists (select 1 from devices)
      and exists (
        select 1
        from members m
        join devices d on d.account_id = m.account_id
        where m.group_id = h.group_id and d.status = 'active'
      )
      or exists (select 1 from mail_receivers)
      and exists (
        select 1
        from members m
        join mail_receivers r on r.account_id = m.account_id
        where m.group_id = h.group_id and r.status = 'active'
      ) as has_receivers`;

export interface ReceiversRow {
  /** 1: it has. */
  readonly has_receivers: number;
}

export function hasReceivers({ has_receivers: has }: ReceiversRow): boolean {
  return has === 1;
}

const HOUR_MS = 60 * 60 * 1_000;

/**
 * When a row of mail is due for a receiver `r`: at once, or at the next full hour, from which daily mails wait for
 * the morning of their person (mail/rhythm.ts), because no database knows time zones as Node does.
 * @param at the expression of when its notification was posted
 */
export function mailDueAt(at: string): string {
  return `case r.rhythm when 'at_once' then ${at} else (${at} / ${HOUR_MS} + 1) * ${HOUR_MS} end`;
}
