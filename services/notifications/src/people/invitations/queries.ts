// Reads and writes of invitations. One is open while it was neither accepted nor withdrawn, has not
// expired, and whoever made it still owns the group: who is removed leaves no way back behind.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty } from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Role } from '../../access/person.ts';

export interface InvitationRow {
  readonly id: string;
  readonly groupId: string;
  readonly role: Role;
  readonly email: string | null;
  /** Name of the owner who made it. */
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Sees the invitation as `i`. */
const isOpen = (nowMs: number): Sql => sql`
  i.accepted_at is null
  and i.revoked_at is null
  and i.expires_at > ${nowMs}
  and exists (
    select 1
    from members owner
    where owner.group_id = i.group_id
      and owner.account_id = i.invited_by
      and owner.role = 'owner'
  )`;

const INVITATIONS = sql`
  select
    i.id as "id",
    i.group_id as "groupId",
    i.role as "role",
    i.email as "email",
    a.name as "invitedBy",
    i.created_at as "createdAt",
    i.expires_at as "expiresAt"
  from invitations i
  join accounts a on a.id = i.invited_by`;

/** The oldest first. */
export function openInvitationsOf(
  reader: DatabaseReader,
  page: {
    readonly groupId: string;
    readonly nowMs: number;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<readonly InvitationRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        and (i.created_at, i.id) > (
          select c.created_at, c.id
          from invitations c
          where c.id = ${page.after}
            and c.group_id = ${page.groupId}
        )`;
  return reader.all<InvitationRow>(sql`
    ${INVITATIONS}
    where i.group_id = ${page.groupId}
      and ${isOpen(page.nowMs)}
      ${behind}
    order by i.created_at, i.id
    limit ${page.limit}`);
}

/** For a guard: there is room for one more. */
export function whileInvitationsBelow(of: {
  readonly groupId: string;
  readonly ownerId: string;
  readonly nowMs: number;
  readonly invitationsMax: number;
}): Sql {
  return sql`
    select 1 as held
    from members m
    where m.group_id = ${of.groupId}
      and m.account_id = ${of.ownerId}
      and m.role = 'owner'
      and (
        select count(*)
        from invitations i
        where i.group_id = ${of.groupId}
          and ${isOpen(of.nowMs)}
      ) < ${of.invitationsMax}`;
}

export function insertInvitation(invitation: {
  readonly id: string;
  readonly tokenHash: string;
  readonly groupId: string;
  readonly role: Role;
  readonly email: string | null;
  readonly invitedBy: string;
  readonly createdAt: number;
  readonly expiresAt: number;
}): Sql {
  return sql`
    insert into invitations
      (id, token_hash, group_id, role, email, invited_by, created_at, expires_at)
    values (
      ${invitation.id},
      ${invitation.tokenHash},
      ${invitation.groupId},
      ${invitation.role},
      ${invitation.email},
      ${invitation.invitedBy},
      ${invitation.createdAt},
      ${invitation.expiresAt}
    )`;
}

/** @param before those that ended since stay, so that their links say what became of them */
export function deleteEndedInvitations(groupId: string, before: number): Sql {
  return sql`
    delete from invitations
    where group_id = ${groupId}
      and (expires_at <= ${before} or accepted_at <= ${before} or revoked_at <= ${before})`;
}

/** For a guard: it is of the group, and open. */
export function whileInvitationOpen(of: {
  readonly id: string;
  readonly groupId: string;
  readonly nowMs: number;
}): Sql {
  return sql`
    select 1 as held
    from invitations i
    where i.id = ${of.id}
      and i.group_id = ${of.groupId}
      and ${isOpen(of.nowMs)}`;
}

export function revokeInvitation(id: string, at: number): Sql {
  return sql`update invitations set revoked_at = ${at} where id = ${id}`;
}

export interface FoundInvitation extends InvitationRow {
  readonly groupName: string;
  /** 1: it may be accepted. */
  readonly isOpen: number;
}

export function invitationOfSecret(
  reader: DatabaseReader,
  of: { readonly tokenHash: string; readonly nowMs: number },
): Promise<FoundInvitation | undefined> {
  return reader.first<FoundInvitation>(sql`
    select
      i.id as "id",
      i.group_id as "groupId",
      i.role as "role",
      i.email as "email",
      a.name as "invitedBy",
      i.created_at as "createdAt",
      i.expires_at as "expiresAt",
      g.name as "groupName",
      case when ${isOpen(of.nowMs)} then 1 else 0 end as "isOpen"
    from invitations i
    join accounts a on a.id = i.invited_by
    join groups g on g.id = i.group_id
    where i.token_hash = ${of.tokenHash}`);
}

/** How full a group and a person are. */
export interface Fullness {
  readonly members: number;
  readonly groups: number;
}

export async function fullnessOf(
  reader: DatabaseReader,
  of: { readonly groupId: string; readonly accountId: string },
): Promise<Fullness> {
  const row = await reader.first<Fullness>(sql`
    select
      (select count(*) from members where group_id = ${of.groupId}) as "members",
      (select count(*) from members where account_id = ${of.accountId}) as "groups"`);
  return row ?? { members: 0, groups: 0 };
}

/**
 * For a guard: the invitation is open, whoever accepts is not in the group, nobody has the e-mail of a
 * new account, and there is room.
 */
export function whileAcceptable(of: {
  readonly id: string;
  readonly nowMs: number;
  readonly accountId: string;
  /** Of an account that is made along with it; null: there is one. */
  readonly newEmail: string | null;
  readonly membersMax: number;
  readonly groupsMax: number;
}): Sql {
  return sql`
    select 1 as held
    from invitations i
    where i.id = ${of.id}
      and ${isOpen(of.nowMs)}
      and not exists (
        select 1
        from members m
        where m.group_id = i.group_id
          and m.account_id = ${of.accountId}
      )
      and not exists (select 1 from accounts where email = ${of.newEmail ?? ''})
      and (select count(*) from members m where m.group_id = i.group_id) < ${of.membersMax}
      and (select count(*) from members m where m.account_id = ${of.accountId}) < ${of.groupsMax}`;
}

export function acceptInvitationRow(of: {
  readonly id: string;
  readonly accountId: string;
  readonly at: number;
}): Sql {
  return sql`
    update invitations
    set accepted_at = ${of.at}, accepted_by = ${of.accountId}
    where id = ${of.id}`;
}
