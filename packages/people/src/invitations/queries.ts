// Reads and writes of invitations. One is open while it was neither accepted nor withdrawn, has not
// expired, and its maker may still invite, so a removed person cannot return by an own invitation. The last
// condition is checked by the place, because its people may be in another database.
import type { DatabaseReader } from '@lothub/kit/database';
import sql, { empty, join, type Sql } from 'sql-template-tag';
import type { Inviter } from '../places/places.ts';

export interface InvitationRow {
  readonly id: string;
  /** As `placeText` writes it. */
  readonly place: string;
  readonly role: string;
  readonly email: string | null;
  /** Account that made it; null: the command line. */
  readonly invitedBy: string | null;
  /** What that account is called; null: the command line. */
  readonly inviterName: string | null;
  readonly createdAt: number;
  readonly expiresAt: number;
}

/** Sees the invitation as `i`. */
const isUnused = (nowMs: number): Sql => sql`
  i.accepted_at is null
  and i.revoked_at is null
  and i.expires_at > ${nowMs}`;

/** Sees the invitation as `i`; one of these makers may still invite. */
function isBy(makers: readonly Inviter[]): Sql {
  const ones = makers.map(({ accountId, role }) =>
    accountId === null
      ? sql`(i.invited_by is null and i.role = ${role})`
      : sql`(i.invited_by = ${accountId} and i.role = ${role})`,
  );
  return ones.length === 0 ? sql`1 = 0` : sql`(${join(ones, ' or ')})`;
}

const INVITATIONS = sql`
  select
    i.id as "id",
    i.place as "place",
    i.role as "role",
    i.email as "email",
    i.invited_by as "invitedBy",
    a.name as "inviterName",
    i.created_at as "createdAt",
    i.expires_at as "expiresAt"
  from invitations i
  left join accounts a on a.id = i.invited_by`;

/** Who has made the unused invitations of a place, and for which roles. */
export function makersOfUnused(
  reader: DatabaseReader,
  page: { readonly place: string; readonly nowMs: number; readonly limit: number },
): Promise<readonly Inviter[]> {
  return reader.all<Inviter>(sql`
    select distinct
      i.invited_by as "accountId",
      i.role as "role"
    from invitations i
    where i.place = ${page.place}
      and ${isUnused(page.nowMs)}
    limit ${page.limit}`);
}

/** The oldest first. */
export function readUnusedInvitations(
  reader: DatabaseReader,
  page: {
    readonly place: string;
    readonly nowMs: number;
    /** Those of others are left out. */
    readonly makers: readonly Inviter[];
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
            and c.place = ${page.place}
        )`;
  return reader.all<InvitationRow>(sql`
    ${INVITATIONS}
    where i.place = ${page.place}
      and ${isUnused(page.nowMs)}
      and ${isBy(page.makers)}
      ${behind}
    order by i.created_at, i.id
    limit ${page.limit}`);
}

/**
 * Unused invitations of first managers: into brands that have none, by the command line and by those who operate the
 * hub now. In the order in which they end.
 */
export function unusedFirstInvitations(
  reader: DatabaseReader,
  page: {
    readonly role: string;
    /** The hub, as `placeText` writes it, and the role of its operators. */
    readonly hub: string;
    readonly hubRole: string;
    readonly nowMs: number;
    readonly after: string | undefined;
    readonly limit: number;
  },
): Promise<readonly InvitationRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        and (i.expires_at, i.id) > (
          select c.expires_at, c.id
          from invitations c
          where c.id = ${page.after}
        )`;
  return reader.all<InvitationRow>(sql`
    ${INVITATIONS}
    where i.place like 'brand:%'
      and i.role = ${page.role}
      and ${isUnused(page.nowMs)}
      and not exists (
        select 1
        from grants managing
        where managing.place = i.place
          and managing.role = ${page.role}
      )
      and (
        i.invited_by is null
        or exists (
          select 1
          from grants maker
          where maker.account_id = i.invited_by
            and maker.place = ${page.hub}
            and maker.role = ${page.hubRole}
        )
      )
      ${behind}
    order by i.expires_at, i.id
    limit ${page.limit}`);
}

export function findUnusedInvitation(
  reader: DatabaseReader,
  { id, place, nowMs }: { readonly id: string; readonly place: string; readonly nowMs: number },
): Promise<InvitationRow | undefined> {
  return reader.first<InvitationRow>(sql`
    ${INVITATIONS}
    where i.id = ${id}
      and i.place = ${place}
      and ${isUnused(nowMs)}`);
}

/** For a guard: there is room for one more, and what else is asked holds. */
export function whileInvitationsBelow(limit: {
  readonly place: string;
  readonly nowMs: number;
  /** Makers that may not invite any more: the same change withdraws their invitations. */
  readonly former: readonly Inviter[];
  readonly invitationsMax: number;
  readonly conditions: readonly Sql[];
}): Sql {
  return sql`
    select 1 as held
    from head
    where id = 1
      and (
        select count(*)
        from invitations i
        where i.place = ${limit.place}
          and ${isUnused(limit.nowMs)}
          and not ${isBy(limit.former)}
      ) < ${limit.invitationsMax}
      ${limit.conditions.length === 0 ? empty : join(limit.conditions, ' ')}`;
}

export function revokeInvitationsBy(revoked: {
  readonly place: string;
  readonly makers: readonly Inviter[];
  readonly at: number;
}): Sql {
  return sql`
    update invitations as i
    set revoked_at = ${revoked.at}
    where i.place = ${revoked.place}
      and ${isUnused(revoked.at)}
      and ${isBy(revoked.makers)}`;
}

export function insertInvitation(
  invitation: Omit<InvitationRow, 'inviterName'> & { readonly tokenHash: string },
): Sql {
  return sql`
    insert into invitations
      (id, token_hash, place, role, email, invited_by, created_at, expires_at)
    values (
      ${invitation.id},
      ${invitation.tokenHash},
      ${invitation.place},
      ${invitation.role},
      ${invitation.email},
      ${invitation.invitedBy},
      ${invitation.createdAt},
      ${invitation.expiresAt}
    )`;
}

/** A guard: the invitation is for the place, and was not used or withdrawn. */
export function whileInvitationUnused(invitation: {
  readonly id: string;
  readonly place: string;
  readonly nowMs: number;
}): Sql {
  return sql`
    select 1 as held
    from invitations i
    where i.id = ${invitation.id}
      and i.place = ${invitation.place}
      and ${isUnused(invitation.nowMs)}`;
}

export function revokeInvitation(id: string, at: number): Sql {
  return sql`update invitations set revoked_at = ${at} where id = ${id}`;
}

export interface FoundInvitation extends InvitationRow {
  /** 1: it was neither used nor withdrawn, and has not expired. */
  readonly isUnused: number;
  readonly acceptedAt: number | null;
  readonly acceptedBy: string | null;
  readonly enteredAt: number | null;
}

const FOUND = (nowMs: number): Sql => sql`
  select
    i.id as "id",
    i.place as "place",
    i.role as "role",
    i.email as "email",
    i.invited_by as "invitedBy",
    a.name as "inviterName",
    i.created_at as "createdAt",
    i.expires_at as "expiresAt",
    case when ${isUnused(nowMs)} then 1 else 0 end as "isUnused",
    i.accepted_at as "acceptedAt",
    i.accepted_by as "acceptedBy",
    i.entered_at as "enteredAt"
  from invitations i
  left join accounts a on a.id = i.invited_by`;

export function invitationOfSecret(
  reader: DatabaseReader,
  { nowMs, tokenHash }: { readonly tokenHash: string; readonly nowMs: number },
): Promise<FoundInvitation | undefined> {
  return reader.first<FoundInvitation>(sql`
    ${FOUND(nowMs)}
    where i.token_hash = ${tokenHash}`);
}

/** An invitation that was accepted and whose outcome in its place is not known. */
export interface AcceptedRow {
  readonly id: string;
  readonly place: string;
  readonly role: string;
  readonly invitedBy: string | null;
  readonly acceptedAt: number;
  readonly acceptedBy: string;
  /** What the person is called who accepted. */
  readonly name: string;
}

/** Behind an id, in the order of ids. */
export function acceptedNotEntered(
  reader: DatabaseReader,
  page: {
    /** Undefined: all. */
    readonly id: string | undefined;
    readonly acceptedBefore: number;
    readonly after: string;
    readonly limit: number;
  },
): Promise<readonly AcceptedRow[]> {
  return reader.all<AcceptedRow>(sql`
    select
      i.id as "id",
      i.place as "place",
      i.role as "role",
      i.invited_by as "invitedBy",
      i.accepted_at as "acceptedAt",
      i.accepted_by as "acceptedBy",
      a.name as "name"
    from invitations i
    join accounts a on a.id = i.accepted_by
    where i.accepted_at <= ${page.acceptedBefore}
      and i.entered_at is null
      and i.id > ${page.after}
      ${page.id === undefined ? empty : sql`and i.id = ${page.id}`}
    order by i.id
    limit ${page.limit}`);
}

/**
 * A condition for a guard: the invitation is unused, and the person who accepts has an account that is not erased,
 * or no account has the e-mail of the new one.
 */
export function whileAcceptable(invitation: {
  readonly id: string;
  readonly nowMs: number;
  readonly as:
    | { readonly kind: 'new'; readonly email: string }
    | { readonly kind: 'known'; readonly accountId: string };
  readonly conditions: readonly Sql[];
}): Sql {
  const { as } = invitation;
  const person =
    as.kind === 'new'
      ? sql`not exists (select 1 from accounts where email = ${as.email})`
      : sql`
        exists (
          select 1
          from accounts
          where id = ${as.accountId}
            and erased_at is null
        )`;
  return sql`
    select 1 as held
    from invitations i
    where i.id = ${invitation.id}
      and ${isUnused(invitation.nowMs)}
      and ${person}
      ${invitation.conditions.length === 0 ? empty : join(invitation.conditions, ' ')}`;
}

/** `enteredAt` is null for a place that is entered after this transaction. */
export function acceptInvitationRow(accepted: {
  readonly id: string;
  readonly accountId: string;
  readonly at: number;
  readonly enteredAt: number | null;
}): Sql {
  return sql`
    update invitations
    set accepted_at = ${accepted.at}, accepted_by = ${accepted.accountId}, entered_at = ${accepted.enteredAt}
    where id = ${accepted.id}`;
}

interface AcceptedKey {
  readonly id: string;
  readonly accountId: string;
}

export function enterInvitationRow({
  id,
  accountId,
  at,
}: AcceptedKey & { readonly at: number }): Sql {
  return sql`
    update invitations
    set entered_at = ${at}
    where id = ${id}
      and accepted_by = ${accountId}
      and entered_at is null`;
}

/** A guard: the account has accepted the invitation and has not entered yet. */
export function whileAcceptedBy(
  { id, accountId }: AcceptedKey,
  conditions: readonly Sql[] = [],
): Sql {
  return sql`
    select 1 as held
    from invitations i
    where i.id = ${id}
      and i.accepted_by = ${accountId}
      and i.entered_at is null
      ${conditions.length === 0 ? empty : join(conditions, ' ')}`;
}

export function reopenInvitation(id: string): Sql {
  return sql`update invitations set accepted_at = null, accepted_by = null where id = ${id}`;
}

/** A condition for a guard with the invitation as `i`: the account is in no other place and has invited nobody. */
export function andNowhereElse(accountId: string): Sql {
  return sql`
    and not exists (select 1 from grants where account_id = ${accountId})
    and not exists (
      select 1
      from invitations other
      where other.id <> i.id
        and (other.accepted_by = ${accountId} or other.invited_by = ${accountId})
    )`;
}

export function deleteAccount(accountId: string): Sql {
  return sql`delete from accounts where id = ${accountId}`;
}
