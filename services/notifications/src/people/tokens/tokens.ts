// Read tokens: what machines read with, in the name of a person
// (docs/interface/notifications.md#read-tokens).
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { instantText, type Clock } from '@lothub/kit/clock';
import type { Static } from 'typebox';
import { revokeToken } from '../../access/access-ends.ts';
import { toActor, type Person } from '../../access/person.ts';
import { READ_TOKEN_PREFIX } from '../../access/token-lookup.ts';
import { Problem } from '../../errors.ts';
import { computeExpiry } from '../../expiry.ts';
import { insertAuditEntry } from '../../store/audit.ts';
import type { NotificationStore } from '../../store/store.ts';
import { changePlanned } from '@lothub/kit/writer/change-planned';
import { checkName } from '@lothub/people/accounts/schema';
import type { IssuedTokenSchema, TokenListSchema, TokenSchema } from './schema.ts';
import {
  deleteRevokedTokens,
  insertToken,
  readTokens,
  whileTokenOpen,
  whileTokensBelow,
} from './queries.ts';
import type { TokenRow } from './queries.ts';

export interface TokenDeps {
  readonly store: NotificationStore;
  readonly clock: Clock;
}

/** Maximum number of tokens of one person, including expired ones that are not deleted yet. */
export const TOKENS_MAX = 20;

/** The newest first; there are at most TOKENS_MAX. */
export async function listTokens(
  { store }: Pick<TokenDeps, 'store'>,
  { accountId }: Pick<Person, 'accountId'>,
): Promise<Static<typeof TokenListSchema>> {
  const rows = await readTokens(store.reader, { accountId, limit: TOKENS_MAX });
  return { items: rows.map(tokenFrom), next: null };
}

/**
 * @param values `expiresAt` as requests say it
 * @throws Problem `fields_invalid`, `limit_reached`
 */
export async function issueToken(
  { store, clock }: TokenDeps,
  person: Person,
  values: { readonly name: string; readonly expiresAt: string | null },
): Promise<Static<typeof IssuedTokenSchema>> {
  const { accountId } = person;
  checkName(values.name, '/name');
  return await changePlanned(store, async () => {
    const at = clock.nowMs();
    const { token, id, hash } = newApiToken(READ_TOKEN_PREFIX);
    const row: TokenRow = {
      id,
      name: values.name,
      createdAt: at,
      expiresAt: computeExpiry(values.expiresAt, at),
      lastUsedAt: null,
    };
    const others = await readTokens(store.reader, { accountId, limit: TOKENS_MAX });
    if (others.length >= TOKENS_MAX) {
      throw new Problem(
        'limit_reached',
        `A person has at most ${TOKENS_MAX} read tokens: revoke one that is not needed`,
      );
    }
    return {
      guard: whileTokensBelow(accountId, TOKENS_MAX),
      statements: [
        deleteRevokedTokens(accountId),
        insertToken({ ...row, accountId, secretHash: hash }),
        insertAuditEntry({
          at,
          actor: toActor(person),
          action: 'token_issued',
          groupId: null,
          subject: id,
          details: { name: row.name },
        }),
      ],
      result: { ...tokenFrom(row), token },
    };
  });
}

/**
 * Refused from then on, and its streams end within a second.
 * @throws Problem `not_found`
 */
export async function revokeOneToken(
  { store, clock }: TokenDeps,
  person: Person,
  tokenId: string,
): Promise<void> {
  const { accountId } = person;
  const at = clock.nowMs();
  const { kind } = await store.change({
    guard: whileTokenOpen({ accountId, tokenId }),
    statements: [
      insertAuditEntry({
        at,
        actor: toActor(person),
        action: 'token_revoked',
        groupId: null,
        subject: tokenId,
        details: {},
      }),
      ...revokeToken({ accountId, tokenId }, at),
    ],
  });
  if (kind === 'stale') throw new Problem('not_found', 'You have no such read token');
}

function tokenFrom(row: TokenRow): Static<typeof TokenSchema> {
  return {
    id: row.id,
    name: row.name,
    created_at: instantText(row.createdAt),
    expires_at: row.expiresAt === null ? null : instantText(row.expiresAt),
    last_used_at: row.lastUsedAt === null ? null : instantText(row.lastUsedAt),
  };
}
