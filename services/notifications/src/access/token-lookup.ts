// Whose a read token is.
import { idOfApiToken } from '@lothub/kit/secrets/api-token';
import type { DatabaseReader } from '@lothub/kit/database';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { hashesEqual } from '@lothub/kit/secrets/secrets';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { Person } from './person.ts';
import { SEEN_EVERY_MS } from '@lothub/people/access/sessions';

/** So that scanners of secrets find one where it should not be. */
export const READ_TOKEN_PREFIX = 'nr_';

export interface FoundToken {
  readonly person: Person;
  readonly tokenId: string;
  /** When `last_used_at` was last written; null: never. */
  readonly seenAt: number | null;
}

/** Nothing when it is unknown, revoked or expired: read from the database each time, so a revocation takes effect at once. */
export async function findToken(
  reader: DatabaseReader,
  { token, nowMs }: { readonly token: string; readonly nowMs: number },
): Promise<FoundToken | undefined> {
  const tokenId = idOfApiToken(READ_TOKEN_PREFIX, token);
  if (tokenId === undefined) return undefined;
  const secretHash = sha256Hex(token);
  const row = await reader.first<{
    readonly secret_hash: string;
    readonly last_used_at: number | null;
    readonly expires_at: number | null;
    readonly account_id: string;
    readonly email: string;
    readonly name: string;
  }>(sql`
    select
      read_tokens.secret_hash,
      read_tokens.last_used_at,
      read_tokens.expires_at,
      read_tokens.account_id,
      accounts.email,
      accounts.name
    from read_tokens
    join people.accounts on accounts.id = read_tokens.account_id
    where read_tokens.id = ${tokenId}
      and read_tokens.revoked_at is null
      and (read_tokens.expires_at is null or read_tokens.expires_at > ${nowMs})`);
  if (row === undefined || !hashesEqual(row.secret_hash, secretHash)) return undefined;
  return {
    person: {
      accountId: row.account_id,
      email: row.email,
      name: row.name,
      via: { kind: 'token', tokenId, validUntil: row.expires_at },
    },
    tokenId,
    seenAt: row.last_used_at,
  };
}

export function touchToken(use: { readonly tokenId: string; readonly nowMs: number }): Sql {
  return sql`
    update read_tokens
    set last_used_at = ${use.nowMs}
    where id = ${use.tokenId}
      and (last_used_at is null or last_used_at <= ${use.nowMs - SEEN_EVERY_MS})`;
}
