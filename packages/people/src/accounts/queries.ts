// Reads and writes of accounts, set-up links and sessions.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { SESSIONS_MAX } from '../access/sessions.ts';
import { SERVICE, insertAuditEntry } from '../store/audit.ts';

/** An account that somebody can have: of an erased one only id and name are left. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  /** Null: no log-in by password. */
  readonly passwordHash: string | null;
  readonly createdAt: number;
}

const ACCOUNTS = sql`
  select
    id as "id",
    email as "email",
    name as "name",
    password_hash as "passwordHash",
    created_at as "createdAt"
  from accounts
  where erased_at is null`;

/** @param email in the form of `foldEmail` */
export function accountOfEmail(
  reader: DatabaseReader,
  email: string,
): Promise<Account | undefined> {
  return reader.first<Account>(sql`${ACCOUNTS} and email = ${email}`);
}

export function accountOfId(reader: DatabaseReader, id: string): Promise<Account | undefined> {
  return reader.first<Account>(sql`${ACCOUNTS} and id = ${id}`);
}

/** An erased account counts: no set-up link works again. */
export async function hasAccounts(reader: DatabaseReader): Promise<boolean> {
  return (await reader.first(sql`select id from accounts limit 1`)) !== undefined;
}

export function insertAccount(account: Account): Sql {
  return sql`
    insert into accounts (id, email, name, password_hash, created_at)
    values (
      ${account.id},
      ${account.email},
      ${account.name},
      ${account.passwordHash},
      ${account.createdAt}
    )`;
}

export function updateName(accountId: string, name: string): Sql {
  return sql`update accounts set name = ${name} where id = ${accountId}`;
}

export function updatePassword(accountId: string, passwordHash: string): Sql {
  return sql`update accounts set password_hash = ${passwordHash} where id = ${accountId}`;
}

/** A condition of a guard: there is no account. */
export function whileNobody(): Sql {
  return sql`
    select 1 as held
    from head
    where id = 1
      and not exists (select 1 from accounts)`;
}

/** For a guard: the password is the one that was checked. */
export function whilePasswordIs({ id, passwordHash }: Pick<Account, 'id' | 'passwordHash'>): Sql {
  return sql`
    select 1 as held
    from accounts
    where id = ${id}
      and password_hash = ${passwordHash}`;
}

/** Makes the first person an operator of the hub, in the transaction of the first account. */
export function grantFirstOperator(accountId: string, at: number): readonly Sql[] {
  return [
    sql`
      insert into grants (account_id, place, role, granted_by, granted_at)
      values (${accountId}, ${'hub'}, ${'operator'}, ${null}, ${at})`,
    insertAuditEntry({
      at,
      actor: SERVICE,
      action: 'role_granted',
      place: 'hub',
      subject: accountId,
      details: { role: 'operator' },
    }),
  ];
}

export interface SetupLinkRow {
  readonly expiresAt: number;
  readonly usedAt: number | null;
}

export function findSetupLink(
  reader: DatabaseReader,
  tokenHash: string,
): Promise<SetupLinkRow | undefined> {
  return reader.first<SetupLinkRow>(sql`
    select expires_at as "expiresAt", used_at as "usedAt"
    from setup_links
    where token_hash = ${tokenHash}`);
}

/** A guard: the link is valid and there is no account. */
export function whileSetupLinkGood(tokenHash: string, nowMs: number): Sql {
  return sql`
    select 1 as held
    from setup_links
    where token_hash = ${tokenHash}
      and used_at is null
      and expires_at > ${nowMs}
      and not exists (select 1 from accounts)`;
}

/** @param keptMax newest links that stay beside the new one */
export function insertSetupLink(link: {
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly keptMax: number;
}): readonly Sql[] {
  return [
    sql`
      delete from setup_links
      where expires_at <= ${link.createdAt}
        or token_hash not in (
          select token_hash
          from setup_links
          order by created_at desc, token_hash
          limit ${link.keptMax}
        )`,
    sql`
      insert into setup_links (token_hash, created_at, expires_at)
      values (${link.tokenHash}, ${link.createdAt}, ${link.expiresAt})`,
  ];
}

/** All links end with the first account, not the used one alone. */
export function endSetupLinks(at: number): Sql {
  return sql`update setup_links set used_at = ${at} where used_at is null`;
}

export interface SessionRow {
  readonly tokenHash: string;
  readonly agent: string;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
}

/** Those that have not ended, the newest first. */
export function readSessions(
  reader: DatabaseReader,
  page: { readonly accountId: string; readonly nowMs: number; readonly limit: number },
): Promise<readonly SessionRow[]> {
  return reader.all<SessionRow>(sql`
    select
      token_hash as "tokenHash",
      agent as "agent",
      created_at as "createdAt",
      last_seen_at as "lastSeenAt",
      expires_at as "expiresAt"
    from sessions
    where account_id = ${page.accountId}
      and expires_at > ${page.nowMs}
    order by created_at desc, token_hash
    limit ${page.limit}`);
}

/** Whether an account has as many sessions as it may, with those that are over by now and not deleted yet. */
export async function hasAllSessions(reader: DatabaseReader, accountId: string): Promise<boolean> {
  const last = await reader.first(sql`
    select token_hash
    from sessions
    where account_id = ${accountId}
    limit 1
    offset ${SESSIONS_MAX - 1}`);
  return last !== undefined;
}

export function deleteExpiredSessions(accountId: string, nowMs: number): Sql {
  return sql`
    delete from sessions
    where account_id = ${accountId}
      and expires_at <= ${nowMs}`;
}
