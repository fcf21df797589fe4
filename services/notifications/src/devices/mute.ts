// Muting a group: nothing of it is sent to the devices of one member, or by mail, for a time. It is the person's own, and no rule
// of the group.
import { instantText, type Clock } from '@lothub/kit/clock';
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Static } from 'typebox';
import { noSuchGroup, type MembershipKey } from '../access/membership.ts';
import { computeExpiry } from '../expiry.ts';
import type { NotificationStore } from '../store/store.ts';
import type { MuteAnswerSchema } from './device-schema.ts';
import { localTime } from './quiet-hours.ts';

/** Until somebody takes it back: the last millisecond that four digits of a year can say. */
const UNTIL_UNMUTED_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

export const MUTE_CHOICES = ['1h', '8h', 'tomorrow', 'unmuted'] as const;
export type MuteChoice = (typeof MUTE_CHOICES)[number];

const HOUR_MS = 60 * 60 * 1_000;
/** When the next day begins for somebody who is muted until tomorrow. */
const MORNING_HOUR = 8;

/** When a mute ends; null: when it is taken back. */
export function endOfMute(
  choice: MuteChoice,
  { nowMs, timeZone }: { readonly nowMs: number; readonly timeZone: string },
): number | null {
  switch (choice) {
    case '1h':
      return nowMs + HOUR_MS;
    case '8h':
      return nowMs + 8 * HOUR_MS;
    case 'tomorrow':
      return localTime(nowMs, timeZone)
        .add({ days: 1 })
        .withPlainTime({ hour: MORNING_HOUR })
        .toInstant().epochMilliseconds;
    case 'unmuted':
      return null;
  }
}

export interface MuteDeps {
  readonly store: Pick<NotificationStore, 'reader' | 'change' | 'distribute'>;
  readonly clock: Clock;
}

export type MuteAnswer = Static<typeof MuteAnswerSchema>;

/** @throws Problem `not_found` */
export async function readMute(
  { store, clock }: { readonly store: { readonly reader: DatabaseReader }; readonly clock: Clock },
  { accountId, groupId }: MembershipKey,
): Promise<MuteAnswer> {
  const row = await store.reader.first<{ readonly until: number | null }>(sql`
    select muted_until as "until"
    from members
    where group_id = ${groupId}
      and account_id = ${accountId}`);
  if (row === undefined) throw noSuchGroup();
  const muted = row.until !== null && row.until > clock.nowMs();
  if (!muted || row.until === null) return { muted: false, until: null };
  return { muted, until: textOfEnd(row.until) };
}

export interface KeptMute {
  readonly groupId: string;
  readonly groupName: string;
  /** null: until it is taken back. */
  readonly until: string | null;
}

/** The mutes that are kept of a person, also those that are over. */
export async function readMutes(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly KeptMute[]> {
  const rows = await reader.all<{
    readonly groupId: string;
    readonly groupName: string;
    readonly until: number;
  }>(sql`
    select
      m.group_id as "groupId",
      g.name as "groupName",
      m.muted_until as "until"
    from members m
    join groups g on g.id = m.group_id
    where m.account_id = ${accountId}
      and m.muted_until is not null
    order by g.name, m.group_id
    limit ${limit}`);
  return rows.map((row) => ({ ...row, until: textOfEnd(row.until) }));
}

function textOfEnd(until: number): string | null {
  return until === UNTIL_UNMUTED_MS ? null : instantText(until);
}

/**
 * @param until as requests say it; null: until it is taken back
 * @throws Problem `not_found`; `fields_invalid` for an instant that has passed
 */
export async function muteGroup(
  deps: MuteDeps,
  key: MembershipKey,
  until: string | null,
): Promise<MuteAnswer> {
  await setMute(deps, key, computeExpiry(until, deps.clock.nowMs(), '/until') ?? UNTIL_UNMUTED_MS);
  return await readMute(deps, key);
}

/** @throws Problem `not_found` */
export async function unmuteGroup(deps: MuteDeps, key: MembershipKey): Promise<void> {
  await setMute(deps, key, null);
}

async function setMute(
  { store }: MuteDeps,
  { accountId, groupId }: MembershipKey,
  until: number | null,
): Promise<void> {
  await store.distribute();
  const { kind } = await store.change({
    guard: sql`
      select 1 as held
      from members
      where group_id = ${groupId}
        and account_id = ${accountId}`,
    statements: [
      sql`
        update members
        set muted_until = ${until}
        where group_id = ${groupId}
          and account_id = ${accountId}`,
    ],
  });
  if (kind === 'stale') throw noSuchGroup();
}
