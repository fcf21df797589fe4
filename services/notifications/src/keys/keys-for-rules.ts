// Keys that this service itself posts with, by a rule of another group. Their secret is not kept. They are in the
// list of the group's keys, name the sender, and end when an owner of the group revokes them.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import { NAME_MAX } from '@lothub/kit/http/schemas/name-pattern';
import { Problem } from '../errors.ts';
import { insertSignal } from '../feed/signals.ts';
import type { OwnedGroup } from '../groups/ownership.ts';
import { insertAuditEntry } from '../store/audit.ts';
import { ACTIVE_KEYS_MAX } from './key-limits.ts';
import { countActiveKeys, revokeKeyAt, stillRoom } from './key-queries.ts';
import { newKey } from './key-record.ts';

export interface PlannedKey {
  readonly keyId: string;
  readonly groupId: string;
  /** For the guard of the change. */
  readonly whileRoom: Sql;
  readonly statements: readonly Sql[];
}

/**
 * A key to be made by the change that needs it.
 * @param wanted the caller has checked that the actor owns the group
 * @throws Problem `limit_reached`
 */
export async function planKey(
  reader: DatabaseReader,
  wanted: OwnedGroup & { readonly name: string; readonly at: number },
): Promise<PlannedKey> {
  const { actor, groupId, at: nowMs } = wanted;
  if ((await countActiveKeys(reader, { groupId, nowMs })) >= ACTIVE_KEYS_MAX) {
    throw new Problem(
      'limit_reached',
      `The other group has ${ACTIVE_KEYS_MAX} active keys: revoke one of them first`,
    );
  }
  const name = [...wanted.name].slice(0, NAME_MAX).join('');
  const { row, insert } = newKey({
    ...{ groupId, name, nowMs },
    adapter: null,
    createdBy: actor.accountId,
    expiresAt: null,
  });
  const entry = { at: nowMs, actor, groupId, subject: row.id, details: { name } };
  return {
    keyId: row.id,
    groupId,
    whileRoom: stillRoom({ groupId, nowMs, keysMax: ACTIVE_KEYS_MAX }),
    statements: [insert, insertAuditEntry({ ...entry, action: 'key_issued' })],
  };
}

/** Statements for the end of a transaction: the key is refused from then on. */
export function endKey(
  { actor, groupId, keyId }: OwnedGroup & { readonly keyId: string },
  at: number,
): readonly Sql[] {
  const entry = { at, actor, groupId, subject: keyId, details: {} };
  return [
    revokeKeyAt(keyId, at),
    insertAuditEntry({ ...entry, action: 'key_revoked' }),
    ...insertSignal({ kind: 'key', groupId, accountId: null, detail: { keyId }, at }),
  ];
}
