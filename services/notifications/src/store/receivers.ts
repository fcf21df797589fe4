// Which kinds of receivers a group has, asked on either engine before its posts are planned: nothing is written
// for a kind that it has not.

/** A value for each kind of receiver: webhooks of the group, devices and mail of its members. */
export type Receivers<One> = Readonly<Record<'webhooks' | 'devices' | 'mail', One>>;

/**
 * Columns of a ReceiversRow, of a group head `h`. Without any device or mail in the database the members of the
 * group are not walked.
 */
export const RECEIVERS_COLUMNS = `
    exists (
      select 1 from webhooks w where w.group_id = h.group_id and w.status = 'active'
    ) as has_webhooks,
    exists (select 1 from devices)
      and exists (
        select 1
        from members m
        join devices d on d.account_id = m.account_id
        where m.group_id = h.group_id and d.status = 'active'
      ) as has_devices,
    exists (select 1 from mail_receivers)
      and exists (
        select 1
        from members m
        join mail_receivers r on r.account_id = m.account_id
        where m.group_id = h.group_id and r.status = 'active'
      ) as has_mail`;

/** 1: there is one. */
export interface ReceiversRow {
  readonly has_webhooks: number;
  readonly has_devices: number;
  readonly has_mail: number;
}

export function receiversFrom(row: ReceiversRow): Receivers<boolean> {
  return {
    webhooks: row.has_webhooks === 1,
    devices: row.has_devices === 1,
    mail: row.has_mail === 1,
  };
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
