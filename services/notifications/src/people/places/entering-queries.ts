// Reads of groups that somebody is invited into, enters or leaves for good.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Role } from '../../access/person.ts';

export function nameOfGroup(
  reader: DatabaseReader,
  groupId: string,
): Promise<{ readonly name: string } | undefined> {
  return reader.first<{ readonly name: string }>(sql`
    select name as "name"
    from groups
    where id = ${groupId}
      and deleted_at is null`);
}

export function ownersAmong(
  reader: DatabaseReader,
  { groupId, among }: { readonly groupId: string; readonly among: Sql },
): Promise<readonly { readonly accountId: string }[]> {
  return reader.all<{ readonly accountId: string }>(sql`
    select account_id as "accountId"
    from members
    where group_id = ${groupId}
      and role = 'owner'
      and account_id in (${among})`);
}

/** How full a group and a person are. */
export interface Fullness {
  readonly members: number;
  readonly groups: number;
}

export async function readFullness(
  reader: DatabaseReader,
  { groupId, accountId }: { readonly groupId: string; readonly accountId: string },
): Promise<Fullness> {
  const row = await reader.first<Fullness>(sql`
    select
      (select count(*) from members where group_id = ${groupId}) as "members",
      (select count(*) from members where account_id = ${accountId}) as "groups"`);
  return present(row, 'the count of members');
}

/** Whether somebody has come in by this invitation, however long he stayed. */
export async function wasEntered(reader: DatabaseReader, invitationId: string): Promise<boolean> {
  const row = await reader.first(sql`
    select 1 as found
    from audit
    where subject = ${invitationId}
      and action = 'invitation_accepted'
    limit 1`);
  return row !== undefined;
}

/** Conditions of a guard on the group `g`: the invitation was not used here, and the group has room. */
export function stillEnterable(entering: {
  readonly invitationId: string;
  readonly groupId: string;
  readonly accountId: string;
  readonly membersMax: number;
  readonly groupsMax: number;
}): Sql {
  return sql`
    and not exists (
      select 1
      from audit used
      where used.subject = ${entering.invitationId}
        and used.action = 'invitation_accepted'
    )
    and not exists (
      select 1
      from members m
      where m.group_id = g.id
        and m.account_id = ${entering.accountId}
    )
    and (select count(*) from members m where m.group_id = g.id) < ${entering.membersMax}
    and (select count(*) from members m where m.account_id = ${entering.accountId}) < ${entering.groupsMax}`;
}

export interface StayRow {
  readonly groupId: string;
  readonly name: string;
  readonly role: Role;
  readonly joinedAt: number;
}

/** The groups that somebody is in, by their ids. */
export function readStays(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly StayRow[]> {
  return reader.all<StayRow>(sql`
    select
      m.group_id as "groupId",
      g.name as "name",
      m.role as "role",
      m.joined_at as "joinedAt"
    from members m
    join groups g on g.id = m.group_id
    where m.account_id = ${accountId}
    order by m.group_id
    limit ${limit}`);
}

/** A group with this person as its only owner. */
export function soleOwnedGroup(
  reader: DatabaseReader,
  accountId: string,
): Promise<{ readonly name: string } | undefined> {
  return reader.first<{ readonly name: string }>(sql`
    select g.name as "name"
    from members m
    join groups g on g.id = m.group_id
    where m.account_id = ${accountId}
      and m.role = 'owner'
      and not exists (
        select 1
        from members other
        where other.group_id = m.group_id
          and other.account_id <> m.account_id
          and other.role = 'owner'
      )
    order by m.group_id
    limit 1`);
}
