// Keys of the hub for its watches, made at the first start and kept in its database, so that all processes have the
// same: what signs the links of mails, and what push services know the hub by.
import { randomBytes } from 'node:crypto';
import type { DatabaseReader } from '@lothub/kit/database';
import { present } from '@lothub/kit/present';
import { newVapidKeys, type VapidKeys } from '@lothub/delivery/push/vapid-keys';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';

const LINK_KEY_BYTES = 32;

export interface WatchKeys {
  readonly links: string;
  readonly vapid: VapidKeys;
}

export interface KeysStore {
  readonly reader: DatabaseReader;
  write(statements: readonly Sql[]): Promise<unknown>;
}

/** Reads the keys, or makes them. If several processes start at once, the first one makes them. */
export async function ensureWatchKeys(store: KeysStore, nowMs: number): Promise<WatchKeys> {
  const known = await readKeys(store.reader);
  if (known !== undefined) return known;
  const vapid = newVapidKeys();
  await store.write([
    insertKey('links', randomBytes(LINK_KEY_BYTES).toString('base64url'), nowMs),
    insertKey('vapid', JSON.stringify(vapid), nowMs),
  ]);
  return present(await readKeys(store.reader), 'the keys that were just made');
}

function insertKey(name: keyof WatchKeys, value: string, nowMs: number): Sql {
  return sql`
    insert into watch_keys (name, value, created_at)
    values (${name}, ${value}, ${nowMs})
    on conflict (name) do nothing`;
}

async function readKeys(reader: DatabaseReader): Promise<WatchKeys | undefined> {
  const rows = await reader.all<{ readonly name: string; readonly value: string }>(
    sql`select name as "name", value as "value" from watch_keys order by name`,
  );
  const values = new Map(rows.map(({ name, value }) => [name, value]));
  const links = values.get('links');
  const vapid = values.get('vapid');
  if (links === undefined || vapid === undefined) return undefined;
  return { links, vapid: readVapid(vapid) };
}

function readVapid(text: string): VapidKeys {
  const parsed: unknown = JSON.parse(text);
  if (
    typeof parsed === 'object' &&
    parsed !== null &&
    'publicKey' in parsed &&
    'privateKey' in parsed &&
    typeof parsed.publicKey === 'string' &&
    typeof parsed.privateKey === 'string'
  ) {
    return { publicKey: parsed.publicKey, privateKey: parsed.privateKey };
  }
  throw new Error('the VAPID keys of the hub are not as they were written');
}
