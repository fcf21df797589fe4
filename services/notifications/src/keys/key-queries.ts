// Reads and writes of group keys; their secrets are hashes.
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import sql, { empty, type Sql } from 'sql-template-tag';
import type { Adapter } from './key-prefix.ts';

export interface KeyRow {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  /** null: a key of the interface. */
  readonly adapter: Adapter | null;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly rotatedTo: string | null;
  readonly revokedAt: number | null;
  readonly lastUsedAt: number | null;
}

const KEYS = sql`
  select
    k.id as "id",
    k.group_id as "groupId",
    k.name as "name",
    k.adapter as "adapter",
    k.created_by as "createdBy",
    k.created_at as "createdAt",
    k.expires_at as "expiresAt",
    k.rotated_to as "rotatedTo",
    k.revoked_at as "revokedAt",
    k.last_used_at as "lastUsedAt"
  from group_keys k`;

/** The newest first. */
export function readKeys(
  reader: DatabaseReader,
  page: { readonly groupId: string; readonly after: string | undefined; readonly limit: number },
): Promise<readonly KeyRow[]> {
  const behind =
    page.after === undefined
      ? empty
      : sql`
        and (k.created_at, k.id) < (
          select c.created_at, c.id
          from group_keys c
          where c.id = ${page.after}
        )`;
  return reader.all<KeyRow>(sql`
    ${KEYS}
    where k.group_id = ${page.groupId}
      ${behind}
    order by k.created_at desc, k.id desc
    limit ${page.limit}`);
}

export function keyById(reader: DatabaseReader, keyId: string): Promise<KeyRow | undefined> {
  return reader.first<KeyRow>(sql`
    ${KEYS}
    where k.id = ${keyId}`);
}

/** A key as its next post needs it. */
export function findPostingKey(
  reader: DatabaseReader,
  keyId: string,
): Promise<
  | (Pick<KeyRow, 'groupId' | 'expiresAt' | 'revokedAt' | 'lastUsedAt'> & {
      readonly paused: 0 | 1;
    })
  | undefined
> {
  return reader.first(sql`
    select
      k.group_id as "groupId",
      k.expires_at as "expiresAt",
      k.revoked_at as "revokedAt",
      k.last_used_at as "lastUsedAt",
      g.paused as "paused"
    from group_keys k
    join groups g on g.id = k.group_id
    where k.id = ${keyId}`);
}

function activeKeys(groupId: string, nowMs: number): Sql {
  return sql`
    select count(*)
    from group_keys active
    where active.group_id = ${groupId}
      and active.revoked_at is null
      and (active.expires_at is null or active.expires_at > ${nowMs})`;
}

export async function countActiveKeys(
  reader: DatabaseReader,
  { groupId, nowMs }: { readonly groupId: string; readonly nowMs: number },
): Promise<number> {
  const row = await reader.first<{ readonly keys: number }>(sql`
    select (${activeKeys(groupId, nowMs)}) as keys`);
  return present(row, 'the row of a count').keys;
}

/** For a guard: the group has room for another key. */
export function stillRoom(room: {
  readonly groupId: string;
  readonly nowMs: number;
  readonly keysMax: number;
}): Sql {
  return sql`
    and (${activeKeys(room.groupId, room.nowMs)}) < ${room.keysMax}`;
}

/** A condition of a guard: the key was not changed, rotated or revoked. */
export function stillKey(key: KeyRow): Sql {
  return sql`
    and exists (
      select 1
      from group_keys k
      where k.id = ${key.id}
        and k.name = ${key.name}
        and ${isValue(sql`k.expires_at`, key.expiresAt)}
        and ${isValue(sql`k.rotated_to`, key.rotatedTo)}
        and ${isValue(sql`k.revoked_at`, key.revokedAt)}
    )`;
}

function isValue(column: Sql, value: string | number | null): Sql {
  return value === null ? sql`${column} is null` : sql`${column} = ${value}`;
}

export function insertKey(key: {
  readonly id: string;
  readonly groupId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly adapter: Adapter | null;
  /** The secret of a sender that signs; a signature cannot be verified with a hash of it. */
  readonly signingSecret: string | null;
  readonly createdBy: string | null;
  readonly createdAt: number;
  readonly expiresAt: number | null;
}): Sql {
  return sql`
    insert into group_keys
      (id, group_id, name, secret_hash, adapter, signing_secret, created_by, created_at, expires_at)
    values (
      ${key.id},
      ${key.groupId},
      ${key.name},
      ${key.secretHash},
      ${key.adapter},
      ${key.signingSecret},
      ${key.createdBy},
      ${key.createdAt},
      ${key.expiresAt}
    )`;
}

export function updateKey(
  keyId: string,
  values: { readonly name: string; readonly expiresAt: number | null },
): Sql {
  return sql`
    update group_keys
    set
      name = ${values.name},
      expires_at = ${values.expiresAt}
    where id = ${keyId}`;
}

export function endRotated(
  keyId: string,
  by: { readonly rotatedTo: string; readonly expiresAt: number },
): Sql {
  return sql`
    update group_keys
    set
      rotated_to = ${by.rotatedTo},
      expires_at = ${by.expiresAt}
    where id = ${keyId}`;
}

export function revokeKeyAt(keyId: string, at: number): Sql {
  return sql`
    update group_keys
    set revoked_at = ${at}
    where id = ${keyId}`;
}
