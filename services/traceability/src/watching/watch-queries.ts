// Reads and writes of watches. Each reads a bounded number of rows, through an index.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { WATCHES_PER_ADDRESS_MAX } from './limits.ts';
import type { Target, TargetKind } from './target.ts';

export const CHANNELS = ['mail', 'push'] as const;
export type Channel = (typeof CHANNELS)[number];
export type WatchStatus = 'pending' | 'active';

export interface WatchRow extends Target {
  readonly id: string;
  readonly channel: Channel;
  readonly address: string;
  readonly route: string;
  readonly language: string;
  readonly status: WatchStatus;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly asked: number;
  readonly askedAt: number | null;
  readonly listedAt: number | null;
  readonly renewalAskedAt: number | null;
}

const WATCH_ROW = sql`
  select
    id as "id",
    tenant_id as "tenantId",
    kind as "kind",
    target as "target",
    channel as "channel",
    address as "address",
    route as "route",
    language as "language",
    status as "status",
    created_at as "createdAt",
    expires_at as "expiresAt",
    asked as "asked",
    asked_at as "askedAt",
    listed_at as "listedAt",
    renewal_asked_at as "renewalAskedAt"
  from watches`;

/** All of an address, the oldest first. One has WATCHES_PER_ADDRESS_MAX at most. */
export async function watchesOfAddress(
  reader: DatabaseReader,
  address: string,
): Promise<readonly WatchRow[]> {
  return await reader.all<WatchRow>(sql`
    ${WATCH_ROW}
    where address = ${address}
    order by created_at, id
    limit ${WATCHES_PER_ADDRESS_MAX}`);
}

export async function findWatch(reader: DatabaseReader, id: string): Promise<WatchRow | undefined> {
  return await reader.first<WatchRow>(sql`${WATCH_ROW} where id = ${id}`);
}

/** @param most counting ends there */
export async function countPending(reader: DatabaseReader, most: number): Promise<number> {
  const row = await reader.first<{ readonly count: number }>(sql`
    select count(*) as "count"
    from (
      select created_at
      from watches
      where status = 'pending'
      limit ${most}
    ) as counted`);
  return row?.count ?? 0;
}

/** Active and pending ones. @param query.most counting ends there */
export async function countOfTarget(
  reader: DatabaseReader,
  query: Target & { readonly most: number },
): Promise<number> {
  const row = await reader.first<{ readonly count: number }>(sql`
    select count(*) as "count"
    from (
      select status
      from watches
      where tenant_id = ${query.tenantId} and kind = ${query.kind} and target = ${query.target}
      limit ${query.most}
    ) as counted`);
  return row?.count ?? 0;
}

/** Active ones. @param query.most counting ends there */
export async function countActive(
  reader: DatabaseReader,
  query: {
    readonly tenantId: string;
    readonly targets: readonly TargetCode[];
    readonly most: number;
  },
): Promise<number> {
  let count = 0;
  for (const { kind, target } of query.targets) {
    const row = await reader.first<{ readonly count: number }>(sql`
      select count(*) as "count"
      from (
        select status
        from watches
        where tenant_id = ${query.tenantId} and kind = ${kind} and target = ${target}
          and status = 'active'
        limit ${query.most}
      ) as counted`);
    count += row?.count ?? 0;
  }
  return count;
}

export interface TargetCode {
  readonly kind: TargetKind;
  readonly target: string;
}

export interface NewWatch extends Target {
  readonly id: string;
  readonly channel: Channel;
  readonly address: string;
  readonly route: string;
  readonly p256dh: string | null;
  readonly auth: string | null;
  readonly language: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Pending. */
export function insertWatch(watch: NewWatch): Sql {
  return sql`
    insert into watches (
      id, tenant_id, kind, target, channel, address, route, p256dh, auth, language, status,
      created_at, expires_at
    )
    values (
      ${watch.id}, ${watch.tenantId}, ${watch.kind}, ${watch.target}, ${watch.channel},
      ${watch.address}, ${watch.route}, ${watch.p256dh}, ${watch.auth}, ${watch.language},
      'pending', ${watch.createdAt}, ${watch.expiresAt}
    )`;
}

/** A guard: the watches of an address are as many, and were asked as often, as they were read. */
export function whileAddressHas(
  address: string,
  counted: { readonly watches: number; readonly asked: number },
): Sql {
  return sql`
    select id
    from head
    where id = 1
      and ${counted.watches} = (select count(*) from watches w where w.address = ${address})
      and ${counted.asked} = (
        select coalesce(sum(w.asked), 0) from watches w where w.address = ${address}
      )`;
}

export function noteAsked(
  id: string,
  mail: { readonly at: number; readonly language: string },
): Sql {
  return sql`
    update watches
    set asked = asked + 1, asked_at = ${mail.at}, language = ${mail.language}
    where id = ${id}`;
}

/** Replaces the keys of a browser with its new ones. */
export function replacePushKeys(
  address: string,
  keys: { readonly p256dh: string; readonly auth: string },
): Sql {
  return sql`
    update watches
    set p256dh = ${keys.p256dh}, auth = ${keys.auth}
    where address = ${address}`;
}

/** A guard, of the watch in this state. */
export function whileWatch(id: string, status: WatchStatus): Sql {
  return sql`select id from watches where id = ${id} and status = ${status}`;
}

/** From here on it is notified. Its mails to confirm no longer count. */
export function activate(id: string, expiresAt: number): Sql {
  return sql`
    update watches
    set status = 'active', expires_at = ${expiresAt}, asked = 0, asked_at = null
    where id = ${id} and status = 'pending'`;
}

export function renew(id: string, expiresAt: number): Sql {
  return sql`
    update watches
    set expires_at = ${expiresAt}, renewal_asked_at = null
    where id = ${id} and status = 'active'`;
}

/** Deletes a watch with its waiting messages. */
export function deleteWatch(id: string): Sql {
  return sql`delete from watches where id = ${id} returning id`;
}

/** Deletes the watches of an address with their waiting messages. */
export function deleteAddress(address: string): Sql {
  return sql`delete from watches where address = ${address} returning id`;
}

/** A guard: the address was not sent the link to all that it watches a moment ago. */
export function whileNotListed(address: string, since: number): Sql {
  return sql`
    select id
    from head
    where id = 1
      and not exists (
        select 1 from watches w where w.address = ${address} and w.listed_at > ${since}
      )`;
}

export function noteListed(address: string, at: number): Sql {
  return sql`update watches set listed_at = ${at} where address = ${address}`;
}

/** A message that was sent or refused by one way counts for the whole address. */
export function noteRefusals(address: string, refusals: 'one more' | 'none'): Sql {
  return refusals === 'none'
    ? sql`update watches set refusals = 0 where address = ${address} and refusals > 0`
    : sql`update watches set refusals = refusals + 1 where address = ${address}`;
}

/** An address that was refused too often in a row counts as gone. */
export function deleteRefused(address: string, refusalsMax: number): Sql {
  return sql`delete from watches where address = ${address} and refusals >= ${refusalsMax}`;
}
