// Reads and writes of read tokens, of one person each.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

export interface TokenRow {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

/** Those that were not revoked, the newest first. */
export function readTokens(
  reader: DatabaseReader,
  { accountId, limit }: { readonly accountId: string; readonly limit: number },
): Promise<readonly TokenRow[]> {
  return reader.all<TokenRow>(sql`
    select
      id as "id",
      name as "name",
      created_at as "createdAt",
      expires_at as "expiresAt",
      last_used_at as "lastUsedAt"
    from read_tokens
    where account_id = ${accountId}
      and revoked_at is null
    order by created_at desc, id
    limit ${limit}`);
}

export function insertToken(
  token: TokenRow & { readonly accountId: string; readonly secretHash: string },
): Sql {
  return sql`
    insert into read_tokens (id, account_id, name, secret_hash, created_at, expires_at)
    values (
      ${token.id},
      ${token.accountId},
      ${token.name},
      ${token.secretHash},
      ${token.createdAt},
      ${token.expiresAt}
    )`;
}

/** Revoked tokens are in the audit; a list of them would grow without limit. */
export function deleteRevokedTokens(accountId: string): Sql {
  return sql`
    delete from read_tokens
    where account_id = ${accountId}
      and revoked_at is not null`;
}

/** For a guard: there is room for one more. */
export function whileTokensBelow(accountId: string, tokensMax: number): Sql {
  return sql`
    select 1 as held
    from people.accounts
    where id = ${accountId}
      and (
        select count(*)
        from read_tokens
        where account_id = ${accountId}
          and revoked_at is null
      ) < ${tokensMax}`;
}

/** For a guard: it is that person's, and was not revoked. */
export function whileTokenOpen(token: {
  readonly accountId: string;
  readonly tokenId: string;
}): Sql {
  return sql`
    select 1 as held
    from read_tokens
    where id = ${token.tokenId}
      and account_id = ${token.accountId}
      and revoked_at is null`;
}
