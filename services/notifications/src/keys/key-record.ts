// A key as its owner sees it, out of what is stored of it; and the making of one.
import { newApiToken } from '@lothub/kit/secrets/api-token';
import { instantText, instantTextOrNull } from '@lothub/kit/clock';
import type { Sql } from 'sql-template-tag';
import type { Static } from 'typebox';
import { SIGNING_ADAPTER, choosePrefix, type Adapter } from './key-prefix.ts';
import { insertKey, type KeyRow } from './key-queries.ts';
import type { IssuedKeySchema, KeySchema, KeyState } from './key-schema.ts';

export type Key = Static<typeof KeySchema>;
export type IssuedKey = Static<typeof IssuedKeySchema>;

export interface MadeKey {
  readonly row: KeyRow;
  /** What its owner sends: to be shown once. */
  readonly token: string;
  readonly insert: Sql;
}

export function newKey({
  groupId,
  name,
  adapter,
  createdBy,
  nowMs: createdAt,
  expiresAt,
}: {
  readonly groupId: string;
  readonly name: string;
  readonly adapter: Adapter | null;
  readonly createdBy: string | null;
  readonly nowMs: number;
  readonly expiresAt: number | null;
}): MadeKey {
  const { id, token, hash } = newApiToken(choosePrefix(adapter));
  const key = { id, groupId, name, adapter, createdBy, createdAt, expiresAt };
  const signingSecret = adapter === SIGNING_ADAPTER ? token : null;
  const row: KeyRow = { ...key, rotatedTo: null, revokedAt: null, lastUsedAt: null };
  return { row, token, insert: insertKey({ ...key, secretHash: hash, signingSecret }) };
}

export function judgeKeyState(key: KeyRow, nowMs: number): KeyState {
  if (key.revokedAt !== null) return 'revoked';
  return key.expiresAt !== null && key.expiresAt <= nowMs ? 'expired' : 'active';
}

export function keyFrom(row: KeyRow, nowMs: number): Key {
  return {
    id: row.id,
    name: row.name,
    ...(row.adapter === null ? {} : { adapter: row.adapter }),
    state: judgeKeyState(row, nowMs),
    created_by: row.createdBy,
    created_at: instantText(row.createdAt),
    expires_at: instantTextOrNull(row.expiresAt),
    rotated_to: row.rotatedTo,
    revoked_at: instantTextOrNull(row.revokedAt),
    last_used_at: instantTextOrNull(row.lastUsedAt),
  };
}
