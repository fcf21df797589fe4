// Reads for an export of somebody's data, and the writes that erase an account.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

interface OfAccount {
  readonly accountId: string;
  readonly limit: number;
}

export interface OwnInvitationRow {
  readonly id: string;
  readonly place: string;
  readonly role: string;
  readonly email: string | null;
  readonly invitedBy: string | null;
  readonly createdAt: number;
  readonly acceptedAt: number | null;
}

/** Those that somebody made or accepted, the newest first. */
export function readInvitations(
  reader: DatabaseReader,
  { accountId, limit }: OfAccount,
): Promise<readonly OwnInvitationRow[]> {
  return reader.all<OwnInvitationRow>(sql`
    select
      id as "id",
      place as "place",
      role as "role",
      email as "email",
      invited_by as "invitedBy",
      created_at as "createdAt",
      accepted_at as "acceptedAt"
    from invitations
    where invited_by = ${accountId}
      or accepted_by = ${accountId}
    order by created_at desc, id
    limit ${limit}`);
}

/** As a type, whose rows are values of an export. */
export type OwnAuditRow = {
  readonly at: number;
  readonly actor: string;
  readonly action: string;
  readonly place: string | null;
  readonly subject: string | null;
  readonly details: string;
};

/** What somebody did, and what was done to the account; the newest first. */
export function readAudit(
  reader: DatabaseReader,
  { accountId, limit }: OfAccount,
): Promise<readonly OwnAuditRow[]> {
  return reader.all<OwnAuditRow>(sql`
    select
      at as "at",
      actor as "actor",
      action as "action",
      place as "place",
      subject as "subject",
      details as "details"
    from audit
    where account_id = ${accountId}
      or subject = ${accountId}
    order by id desc
    limit ${limit}`);
}

/** Id and name stay: they say who did what. */
export function eraseAccountRow(accountId: string, at: number): Sql {
  return sql`
    update accounts
    set email = null, password_hash = null, erased_at = ${at}
    where id = ${accountId}`;
}

/**
 * Ends the unused invitations that somebody made or that are for the e-mail. The e-mail is removed from all of
 * them; they end, because an unused one without an e-mail could be used by anybody who has the link.
 */
export function forgetInvitations(person: {
  readonly accountId: string;
  readonly email: string;
  readonly at: number;
}): readonly Sql[] {
  return [
    sql`
      update invitations
      set revoked_at = ${person.at}
      where accepted_at is null
        and revoked_at is null
        and (invited_by = ${person.accountId} or email = ${person.email})`,
    sql`
      update invitations
      set email = null
      where email = ${person.email}`,
  ];
}
