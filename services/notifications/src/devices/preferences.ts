// How a person wants to be reached: the row of `reach_preferences`.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { Problem } from '../errors.ts';
import type { NotificationStore } from '../store/store.ts';
import { isTimeZone, parseMinute, textOfMinute, type QuietHours } from './quiet-hours.ts';

/** The columns of `reach_preferences` that hold quiet hours; all null without a row. */
export interface QuietColumns {
  readonly quietFrom: number | null;
  readonly quietUntil: number | null;
  readonly timeZone: string | null;
  readonly letsCritical: number | null;
}

export const QUIET_COLUMNS = sql`
      p.quiet_from as "quietFrom",
      p.quiet_until as "quietUntil",
      p.time_zone as "timeZone",
      p.quiet_lets_critical as "letsCritical"`;

export function quietHoursFrom(row: QuietColumns): QuietHours | undefined {
  const { quietFrom: fromMinute, quietUntil: untilMinute, timeZone, letsCritical } = row;
  if (fromMinute === null || untilMinute === null || timeZone === null) return undefined;
  return { fromMinute, untilMinute, timeZone, letsCritical: letsCritical !== 0 };
}

/** As requests and answers say it. */
export interface QuietHoursText {
  readonly from: string;
  readonly until: string;
  readonly time_zone: string;
  readonly lets_critical: boolean;
}

export interface Reach {
  /** null: none. */
  readonly quietHours: QuietHoursText | null;
  /** What the person said last; undefined: nothing. */
  readonly timeZone: string | undefined;
}

export async function readReach(reader: DatabaseReader, accountId: string): Promise<Reach> {
  const row = await reader.first<QuietColumns>(sql`
    select ${QUIET_COLUMNS}
    from reach_preferences p
    where p.account_id = ${accountId}`);
  const hours = row === undefined ? undefined : quietHoursFrom(row);
  return {
    quietHours: hours === undefined ? null : toText(hours),
    timeZone: row?.timeZone ?? undefined,
  };
}

/**
 * @param text null: there are none from now on
 * @throws Problem `fields_invalid`
 */
export async function setQuietHours(
  { store }: { readonly store: Pick<NotificationStore, 'write'> },
  accountId: string,
  text: QuietHoursText | null,
): Promise<void> {
  const hours = text === null ? undefined : checkedHours(text);
  await store.write([
    sql`
      insert into reach_preferences
        (account_id, quiet_from, quiet_until, time_zone, quiet_lets_critical)
      values (
        ${accountId},
        ${hours?.fromMinute ?? null},
        ${hours?.untilMinute ?? null},
        ${hours?.timeZone ?? null},
        ${hours?.letsCritical === false ? 0 : 1}
      )
      on conflict (account_id) do update
      set
        quiet_from = excluded.quiet_from,
        quiet_until = excluded.quiet_until,
        time_zone = coalesce(excluded.time_zone, reach_preferences.time_zone),
        quiet_lets_critical = excluded.quiet_lets_critical`,
  ]);
}

/** All that is kept of how somebody is reached, but devices. */
export function forgetReach(accountId: string) {
  return sql`
    delete from reach_preferences
    where account_id = ${accountId}`;
}

function checkedHours(text: QuietHoursText): QuietHours {
  const fromMinute = parseMinute(text.from);
  const untilMinute = parseMinute(text.until);
  if (fromMinute === undefined) throw wrong('/from', 'a time such as 22:00');
  if (untilMinute === undefined) throw wrong('/until', 'a time such as 07:00');
  if (fromMinute === untilMinute) throw wrong('/until', 'another time than the beginning');
  if (!isTimeZone(text.time_zone)) throw wrong('/time_zone', 'a time zone such as Europe/Berlin');
  const { time_zone: timeZone, lets_critical: letsCritical } = text;
  return { fromMinute, untilMinute, timeZone, letsCritical };
}

function wrong(pointer: string, limit: string): Problem {
  return new Problem('fields_invalid', 'The quiet hours are not a part of a day', {
    fields: [{ pointer, code: 'wrong_form', limit, actual: null }],
  });
}

function toText({ fromMinute, untilMinute, timeZone, letsCritical }: QuietHours): QuietHoursText {
  return {
    from: textOfMinute(fromMinute),
    until: textOfMinute(untilMinute),
    time_zone: timeZone,
    lets_critical: letsCritical,
  };
}
