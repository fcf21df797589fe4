// Reads and writes of who an account is at a provider.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

/** Somebody at a provider, who keeps the subject for ever (OpenID Connect Core 1.0, section 2). */
export interface ProviderPerson {
  readonly issuer: string;
  readonly subject: string;
}

export interface SignOnRow extends ProviderPerson {
  readonly id: string;
  readonly accountId: string;
  readonly joinedAt: number;
  readonly lastUsedAt: number;
}

const SIGN_ONS = sql`
  select
    id as "id",
    account_id as "accountId",
    issuer as "issuer",
    subject as "subject",
    joined_at as "joinedAt",
    last_used_at as "lastUsedAt"
  from sign_ons`;

export function findSignOn(
  reader: DatabaseReader,
  { issuer, subject }: ProviderPerson,
): Promise<SignOnRow | undefined> {
  return reader.first<SignOnRow>(sql`
    ${SIGN_ONS}
    where issuer = ${issuer}
      and subject = ${subject}`);
}

/** An account has at most one at each provider. */
export function signOnsOfAccount(
  reader: DatabaseReader,
  accountId: string,
): Promise<readonly SignOnRow[]> {
  return reader.all<SignOnRow>(sql`
    ${SIGN_ONS}
    where account_id = ${accountId}
    order by issuer`);
}

/** Whether a session was begun with a sign-on. */
export async function isFromSignOn(reader: DatabaseReader, tokenHash: string): Promise<boolean> {
  const row = await reader.first(sql`
    select 1 as found
    from sessions
    where token_hash = ${tokenHash}
      and sign_on_id is not null`);
  return row !== undefined;
}

export function insertSignOn(row: SignOnRow): Sql {
  return sql`
    insert into sign_ons (id, account_id, issuer, subject, joined_at, last_used_at)
    values (
      ${row.id},
      ${row.accountId},
      ${row.issuer},
      ${row.subject},
      ${row.joinedAt},
      ${row.lastUsedAt}
    )`;
}

export function touchSignOn({ id, at }: { readonly id: string; readonly at: number }): Sql {
  return sql`
    update sign_ons
    set last_used_at = ${at}
    where id = ${id}`;
}

/** With the account that is erased. */
export function deleteSignOns(accountId: string): Sql {
  return sql`
    delete from sign_ons
    where account_id = ${accountId}`;
}

export function removePassword(accountId: string): Sql {
  return sql`
    update accounts
    set password_hash = null
    where id = ${accountId}`;
}

/** For a guard: the account is still joined with the person, and was not erased. */
export function whileJoined({ id }: Pick<SignOnRow, 'id'>): Sql {
  return sql`
    select 1 as held
    from sign_ons s
    join accounts a on a.id = s.account_id
    where s.id = ${id}
      and a.erased_at is null`;
}

/** For a guard: the account still has the e-mail, and neither it nor the person is joined with another. */
export function whileApart(
  person: ProviderPerson & { readonly accountId: string; readonly email: string },
): Sql {
  return sql`
    select 1 as held
    from accounts a
    where a.id = ${person.accountId}
      and a.email = ${person.email}
      and a.erased_at is null
      and not exists (
        select 1
        from sign_ons s
        where s.issuer = ${person.issuer}
          and (s.subject = ${person.subject} or s.account_id = a.id)
      )`;
}

/** A condition of a guard: no account has the e-mail, and the person is not joined with an account. */
export function whileUnknown(person: ProviderPerson & { readonly email: string }): Sql {
  return sql`
    select 1 as held
    from head
    where id = 1
      and not exists (select 1 from accounts where email = ${person.email})
      and not exists (
        select 1
        from sign_ons s
        where s.issuer = ${person.issuer}
          and s.subject = ${person.subject}
      )`;
}
