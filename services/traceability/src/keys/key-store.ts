// API keys: issue, rotate, revoke, accept, list. Only SHA-256 hashes are stored; a key is shown once,
// by its issuer. Who may do it is decided before: the operator at the machine (`lothub keys`), a
// manager for the keys of the own brand (brand-keys.ts).
import { instantText } from '@lothub/kit/clock';
import { keyHash, newKey } from '@lothub/kit/secrets/secrets';
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRowWhere, selectList } from '@lothub/kit/rows/stored-table';
import { randomUUID } from 'node:crypto';
import sql, { empty, type Sql } from 'sql-template-tag';
import { auditRow, insertAuditEntry, type AuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import { AUDIT_ENTRIES } from '../ledger/tables/audit.ts';
import { API_KEYS, type KeyLimit, type KeyRow } from '../ledger/tables/off-chain.ts';
import { buildKeyDetails, keyEntry } from './key-entries.ts';

export type KeyRole = KeyRow['role'];

export const KEY_PREFIX: Readonly<Record<KeyRole, string>> = {
  tenant: 'lh_tenant_',
  admin: 'lh_admin_',
};

/** Keys of a hub that are valid at a time: each process holds them in memory. */
export const KEYS_MAX = 10_000;
/** Keys of one brand that are valid at a time: a brand has a few systems, and each has a key or two. */
export const BRAND_KEYS_MAX = 50;
/**
 * Maximum number of keys that are made for one brand within a day, ended ones included. Their rows are kept because the
 * audit names them, and nobody may fill the hub with them.
 */
export const BRAND_KEYS_A_DAY_MAX = 200;
const DAY_MS = 86_400_000;

/** Keys that one query reads. */
const KEYS_PER_PAGE = 1_000;

export type KeyRecord = KeyRow;

/** What the store of keys needs of a database, so that the command line can use it too. */
export interface KeyDatabase {
  readonly reader: DatabaseReader;
  write(statements: readonly Sql[]): Promise<readonly (readonly unknown[])[]>;
}

export interface IssuedKey {
  /** The key itself: shown now and never again. */
  readonly key: string;
  readonly record: KeyRecord;
}

export class KeyNotFoundError extends Error {
  readonly code = 'key_not_found';

  constructor(keyId: string) {
    super(`no active key ${keyId}: see \`lothub keys list\``);
    this.name = 'KeyNotFoundError';
  }
}

export class KeyBoundError extends Error {
  readonly code = 'key_bound';

  constructor({ key_id: keyId, role }: Pick<KeyRecord, 'key_id' | 'role'>) {
    const reason = role === 'admin' ? 'is an admin key' : 'is bound to one tenant';
    super(`accepting key ${keyId}: it ${reason}, so no second tenant can write with it`);
    this.name = 'KeyBoundError';
  }
}

/** More keys are valid, or were made today, than are allowed. */
export class TooManyKeysError extends Error {
  readonly code = 'too_many_keys';

  constructor(message: string) {
    super(message);
    this.name = 'TooManyKeysError';
  }
}

/** All keys of the hub, ended ones too, oldest first. */
export async function listKeys(database: KeyDatabase): Promise<readonly KeyRecord[]> {
  const keys: KeyRecord[] = [];
  for (;;) {
    const last = keys.at(-1);
    const behind =
      last === undefined
        ? empty
        : sql`where (created_at, key_id) > (${last.created_at}, ${last.key_id})`;
    const page = await database.reader.all<KeyRecord>(sql`
      select ${selectList(API_KEYS)}
      from api_keys
      ${behind}
      order by created_at, key_id
      limit ${KEYS_PER_PAGE}`);
    keys.push(...page);
    if (page.length < KEYS_PER_PAGE) return keys;
  }
}

/** The keys that are valid now, oldest first. */
export async function listActiveKeys(
  database: Pick<KeyDatabase, 'reader'>,
  nowMs: number,
): Promise<readonly KeyRecord[]> {
  return await database.reader.all<KeyRecord>(sql`
    select ${selectList(API_KEYS)}
    from api_keys
    where ${isActiveAt(instantText(nowMs))}
    order by created_at, key_id
    limit ${KEYS_MAX}`);
}

/**
 * @param request `limitedTo`: `all` without it; `caller`: without it `lothub keys`, whose user is unknown
 * @throws TooManyKeysError
 */
export async function issueKey(
  database: KeyDatabase,
  request: {
    readonly role: KeyRole;
    readonly label: string;
    readonly tenantId: string | null;
    readonly limitedTo?: KeyLimit;
    readonly nowMs: number;
    readonly caller?: Caller;
  },
): Promise<IssuedKey> {
  const { caller = commandCaller('issue') } = request;
  const key = newKey(KEY_PREFIX[request.role]);
  const record = newRecord({ ...request, key, origin: 'issued' });
  await insertNewKey(database, {
    record,
    nowMs: request.nowMs,
    ends: 0,
    others: [],
    entry: keyEntry(record, {
      caller,
      action: 'issue_key',
      at: record.created_at,
      state: buildKeyDetails(record),
    }),
  });
  return { key, record };
}

/**
 * Issues a key in place of an older one, which stays valid for `overlapMs` more.
 * @throws KeyNotFoundError when there is no such active key; TooManyKeysError
 */
export async function rotateKey(
  database: KeyDatabase,
  request: {
    readonly keyId: string;
    readonly overlapMs: number;
    readonly nowMs: number;
    readonly caller?: Caller;
  },
): Promise<IssuedKey> {
  const { nowMs, overlapMs, caller = commandCaller('rotate') } = request;
  const old = await getActiveKey(database, request.keyId, nowMs);
  const key = newKey(KEY_PREFIX[old.role]);
  const record = newRecord({
    role: old.role,
    label: old.label,
    tenantId: old.tenant_id,
    limitedTo: old.limited_to,
    nowMs,
    key,
    origin: 'issued',
    tenantsAcceptedAt: old.tenants_accepted_at,
  });
  const until = instantText(nowMs + overlapMs);
  const at = record.created_at;
  const isIssued = sql`exists (select 1 from api_keys where key_id = ${record.key_id})`;
  const ending = keyEntry(old, {
    caller,
    action: 'revoke_key',
    at,
    state: { expires_at: until, valid_until: until },
  });
  await insertNewKey(database, {
    record,
    nowMs,
    ends: overlapMs > 0 ? 0 : 1,
    entry: keyEntry(record, {
      caller,
      action: 'issue_key',
      at,
      state: { ...buildKeyDetails(record), replaces: old.key_id },
    }),
    others: [
      sql`update api_keys set expires_at = ${until} where key_id = ${old.key_id} and ${isIssued}`,
      insertRowWhere(AUDIT_ENTRIES, auditRow(ending), isIssued),
    ],
  });
  return { key, record };
}

/** @throws TooManyKeysError, and nothing is written then */
async function insertNewKey(
  database: KeyDatabase,
  made: {
    readonly record: KeyRecord;
    readonly nowMs: number;
    readonly entry: AuditEntry;
    /** How many keys of the same brand end with it. */
    readonly ends: 0 | 1;
    /** Written behind it, and conditional on its row. */
    readonly others: readonly Sql[];
  },
): Promise<void> {
  const { record, nowMs, entry, ends, others } = made;
  const at = record.created_at;
  const isIssued = sql`exists (select 1 from api_keys where key_id = ${record.key_id})`;
  const active = sql`select count(*) from api_keys where ${isActiveAt(at)}`;
  const ofBrand = sql`select count(*) from api_keys where tenant_id = ${record.tenant_id}`;
  const hasRoom = sql`
    (${active}) < ${KEYS_MAX + ends}
    and (${ofBrand} and ${isActiveAt(at)}) < ${BRAND_KEYS_MAX + ends}
    and (${ofBrand} and created_at > ${instantText(nowMs - DAY_MS)}) < ${BRAND_KEYS_A_DAY_MAX}`;
  const [, inserted] = await database.write([
    lockOldest(record.tenant_id),
    sql`${insertRowWhere(API_KEYS, record, hasRoom)} returning key_id`,
    insertRowWhere(AUDIT_ENTRIES, auditRow(entry), isIssued),
    ...others,
  ]);
  if (inserted?.length === 1) return;
  throw new TooManyKeysError(
    `making a key: ${BRAND_KEYS_MAX} keys of a brand are valid at most, and ${BRAND_KEYS_A_DAY_MAX} are made ` +
      `within a day (of a hub ${KEYS_MAX} are valid): revoke those that are not used`,
  );
}

/**
 * Another creation of a key of the same brand waits, and then counts this one. Where there is no key there is
 * nothing to wait for, and room for all.
 */
function lockOldest(tenantId: string | null): Sql {
  return sql`
    update api_keys
    set key_id = key_id
    where key_id = (
      select key_id
      from api_keys
      where tenant_id = ${tenantId}
      order by created_at, key_id
      limit 1
    )`;
}

/** @throws KeyNotFoundError when there is no such active key */
export async function revokeKey(
  database: KeyDatabase,
  request: { readonly keyId: string; readonly nowMs: number; readonly caller?: Caller },
): Promise<KeyRecord> {
  const { caller = commandCaller('revoke') } = request;
  const record = await getActiveKey(database, request.keyId, request.nowMs);
  const at = instantText(request.nowMs);
  await database.write([
    sql`update api_keys set revoked_at = ${at} where key_id = ${record.key_id}`,
    insertAuditEntry(
      keyEntry(record, { caller, action: 'revoke_key', at, state: { revoked_at: at } }),
    ),
  ]);
  return { ...record, revoked_at: at };
}

/**
 * Accepts that several tenants write with a key that is bound to none: it warns of that no more, and
 * neither does a key that is issued in place of it.
 * @throws KeyNotFoundError when there is no such active key; KeyBoundError when it serves one tenant alone
 */
export async function acceptKey(
  database: KeyDatabase,
  request: { readonly keyId: string; readonly nowMs: number },
): Promise<KeyRecord> {
  const record = await getActiveKey(database, request.keyId, request.nowMs);
  if (record.role !== 'tenant' || record.tenant_id !== null) throw new KeyBoundError(record);
  const at = instantText(request.nowMs);
  await database.write([
    sql`update api_keys set tenants_accepted_at = ${at} where key_id = ${record.key_id}`,
    insertAuditEntry(
      keyEntry(record, {
        caller: commandCaller('accept'),
        action: 'accept_key',
        at,
        state: { tenants_accepted_at: at },
      }),
    ),
  ]);
  return { ...record, tenants_accepted_at: at };
}

/** @throws KeyNotFoundError */
async function getActiveKey(
  database: Pick<KeyDatabase, 'reader'>,
  keyId: string,
  nowMs: number,
): Promise<KeyRecord> {
  const record = await findKey(database, keyId);
  if (record === undefined || !isActive(record, nowMs)) throw new KeyNotFoundError(keyId);
  return record;
}

export async function findKey(
  { reader }: Pick<KeyDatabase, 'reader'>,
  keyId: string,
): Promise<KeyRecord | undefined> {
  const [record] = await reader.all<KeyRecord>(sql`
    select ${selectList(API_KEYS)}
    from api_keys
    where key_id = ${keyId}`);
  return record;
}

export function newRecord(parts: {
  readonly role: KeyRole;
  readonly label: string;
  readonly tenantId: string | null;
  /** `all` without it. */
  readonly limitedTo?: KeyLimit;
  readonly nowMs: number;
  readonly key: string;
  readonly origin: 'issued' | 'settings';
  readonly tenantsAcceptedAt?: string | null;
}): KeyRecord {
  return {
    key_id: randomUUID(),
    role: parts.role,
    label: parts.label,
    key_hash: keyHash(parts.key),
    tenant_id: parts.tenantId,
    origin: parts.origin,
    created_at: instantText(parts.nowMs),
    expires_at: null,
    revoked_at: null,
    first_tenant_id: null,
    second_tenant_id: null,
    second_tenant_at: null,
    tenants_accepted_at: parts.tenantsAcceptedAt ?? null,
    limited_to: parts.limitedTo ?? 'all',
  };
}

/** The person who runs the command is not known here. */
function commandCaller(command: 'issue' | 'rotate' | 'revoke' | 'accept'): Caller {
  return { actor: `lothub keys ${command}`, requestId: null };
}

export function isActive(record: KeyRecord, nowMs: number): boolean {
  if (record.revoked_at !== null) return false;
  return record.expires_at === null || record.expires_at > instantText(nowMs);
}

export type KeyStanding = 'active' | 'expired' | 'revoked';

export function keyStanding(record: KeyRecord, nowMs: number): KeyStanding {
  if (record.revoked_at !== null) return 'revoked';
  return isActive(record, nowMs) ? 'active' : 'expired';
}

/** As `isActive`, for queries. */
export function isActiveAt(at: string): Sql {
  return sql`revoked_at is null and (expires_at is null or expires_at > ${at})`;
}
