// API keys: issue, rotate, revoke, accept, list. Only SHA-256 hashes are stored; a key is shown once,
// by whoever issued it.
import { instantText } from '@lothub/kit/clock';
import { keyHash, newKey } from '@lothub/kit/secrets/secrets';
import type { DatabaseReader } from '@lothub/kit/database';
import { insertRow, insertRowWhere, selectList } from '@lothub/kit/rows/stored-table';
import { randomUUID } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { auditRow, insertAuditEntry } from '../ledger/audit.ts';
import type { AuditEntry } from '../ledger/audit.ts';
import { AUDIT_ENTRIES } from '../ledger/tables/audit.ts';
import { API_KEYS } from '../ledger/tables/beside.ts';
import type { KeyRow } from '../ledger/tables/beside.ts';
import { adoptingEntry, keyEntry, stateOf } from './key-entries.ts';

export type KeyRole = KeyRow['role'];

export const KEY_PREFIX: Readonly<Record<KeyRole, string>> = {
  tenant: 'lh_tenant_',
  admin: 'lh_admin_',
};

/** Ids of the keys that a first start makes: of several processes, one can make them. */
const FIRST_KEY_ID: Readonly<Record<KeyRole, string>> = {
  tenant: 'first-tenant',
  admin: 'first-admin',
};

/** Who changes the keys that the settings give. */
const SETTINGS = 'settings';

/** Keys listed or held in memory at most; an operator issues dozens, not thousands. */
const KEYS_MAX = 10_000;

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

export async function listKeys(database: KeyDatabase): Promise<readonly KeyRecord[]> {
  return await database.reader.all<KeyRecord>(sql`
    select ${selectList(API_KEYS)}
    from api_keys order by created_at, key_id limit ${KEYS_MAX}`);
}

export async function issueKey(
  database: KeyDatabase,
  request: {
    readonly role: KeyRole;
    readonly label: string;
    readonly tenantId: string | null;
    readonly nowMs: number;
  },
): Promise<IssuedKey> {
  const key = newKey(KEY_PREFIX[request.role]);
  const record = newRecord({ ...request, key, origin: 'issued' });
  await database.write([
    insertRow(API_KEYS, record),
    auditOf(record, { command: 'issue', at: record.created_at, state: stateOf(record) }),
  ]);
  return { key, record };
}

/**
 * Issues a key in place of an older one, which stays valid for `overlapMs` more.
 * @throws KeyNotFoundError when there is no such active key
 */
export async function rotateKey(
  database: KeyDatabase,
  request: { readonly keyId: string; readonly overlapMs: number; readonly nowMs: number },
): Promise<IssuedKey> {
  const old = await getActiveKey(database, request.keyId, request.nowMs);
  const key = newKey(KEY_PREFIX[old.role]);
  const record = newRecord({
    role: old.role,
    label: old.label,
    tenantId: old.tenant_id,
    nowMs: request.nowMs,
    key,
    origin: 'issued',
    tenantsAcceptedAt: old.tenants_accepted_at,
  });
  const until = instantText(request.nowMs + request.overlapMs);
  const at = record.created_at;
  await database.write([
    insertRow(API_KEYS, record),
    sql`update api_keys set expires_at = ${until} where key_id = ${old.key_id}`,
    auditOf(record, {
      command: 'rotate',
      at,
      state: { ...stateOf(record), replaces: old.key_id },
    }),
    auditOf(old, {
      command: 'rotate',
      action: 'revoke_key',
      at,
      state: { expires_at: until, valid_until: until },
    }),
  ]);
  return { key, record };
}

/** @throws KeyNotFoundError when there is no such active key */
export async function revokeKey(
  database: KeyDatabase,
  request: { readonly keyId: string; readonly nowMs: number },
): Promise<KeyRecord> {
  const record = await getActiveKey(database, request.keyId, request.nowMs);
  const at = instantText(request.nowMs);
  await database.write([
    sql`update api_keys set revoked_at = ${at} where key_id = ${record.key_id}`,
    auditOf(record, { command: 'revoke', action: 'revoke_key', at, state: { revoked_at: at } }),
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
    auditOf(record, {
      command: 'accept',
      action: 'accept_key',
      at,
      state: { tenants_accepted_at: at },
    }),
  ]);
  return { ...record, tenants_accepted_at: at };
}

/**
 * Makes the first keys: those of the settings, or new ones when none was ever made. Any number of
 * processes may do it at a time.
 * @returns the keys made just now by this process, to be shown once
 */
export async function ensureFirstKeys(
  database: KeyDatabase,
  options: {
    readonly given: Readonly<Record<KeyRole, string | undefined>>;
    readonly nowMs: number;
  },
): Promise<readonly IssuedKey[]> {
  const { given, nowMs } = options;
  const known = await listKeys(database);
  const statements: Sql[] = [];
  const made: IssuedKey[] = [];
  for (const role of ['tenant', 'admin'] as const) {
    const key = given[role];
    const ofRole = known.filter((record) => record.role === role);
    if (key !== undefined) {
      statements.push(...settingsKeyStatements(ofRole, { role, key, nowMs }));
    } else if (ofRole.length === 0) {
      made.push(newFirstKey(role, nowMs));
    }
  }
  // In one transaction, so that one process shows both keys.
  const inserts = made.map(({ record }) => insertKeyOnce(record));
  if (statements.length + inserts.length === 0) return [];
  const adopted = made.map(({ record }) => adoptOnce(record));
  const answers = await database.write([...inserts, ...adopted, ...statements]);
  return made.filter((_, index) => answers[index]?.length === 1);
}

function newFirstKey(role: KeyRole, nowMs: number): IssuedKey {
  const key = newKey(KEY_PREFIX[role]);
  const label = `first ${role} key`;
  const record = newRecord({ role, label, tenantId: null, nowMs, key, origin: 'issued' });
  return { key, record: { ...record, key_id: FIRST_KEY_ID[role] } };
}

/** The key of the settings is valid; the one that stood there before is not any more. */
function settingsKeyStatements(
  known: readonly KeyRecord[],
  given: { readonly role: KeyRole; readonly key: string; readonly nowMs: number },
): readonly Sql[] {
  const hash = keyHash(given.key);
  const at = instantText(given.nowMs);
  const stale = known.filter(
    (record) =>
      record.origin === 'settings' && record.key_hash !== hash && record.revoked_at === null,
  );
  const statements = stale.flatMap((record) => [
    sql`update api_keys set revoked_at = ${at} where key_id = ${record.key_id}`,
    insertAuditEntry(
      keyEntry(record, {
        actor: SETTINGS,
        action: 'revoke_key',
        at,
        state: { revoked_at: at },
      }),
    ),
  ]);
  const same = known.find((record) => record.key_hash === hash);
  if (same === undefined) {
    const label = `${given.role} key of the settings`;
    const record = newRecord({ ...given, label, tenantId: null, origin: 'settings' });
    statements.push(insertKeyOnce(record), adoptOnce(record));
  } else if (same.origin === 'settings' && same.revoked_at !== null) {
    statements.push(
      sql`update api_keys set revoked_at = null where key_id = ${same.key_id}`,
      insertAuditEntry(
        keyEntry(same, {
          actor: SETTINGS,
          action: 'adopt_key',
          at,
          state: { revoked_at: null },
        }),
      ),
    );
  }
  return statements;
}

/** Of several processes that start at a time, one has inserted the key; its entry is there once. */
function adoptOnce(record: KeyRecord): Sql {
  const entry = adoptingEntry(record, record.created_at);
  return insertRowWhere(
    AUDIT_ENTRIES,
    auditRow(entry),
    sql`
      exists (
        select 1 from api_keys where key_id = ${record.key_id} and key_hash = ${record.key_hash}
      )
      and not exists (
        select 1
        from audit_entries
        where tenant_id is null and entity_id = ${record.key_id} and action = ${entry.action}
      )`,
  );
}

async function getActiveKey(
  database: KeyDatabase,
  keyId: string,
  nowMs: number,
): Promise<KeyRecord> {
  const keys = await listKeys(database);
  const record = keys.find((key) => key.key_id === keyId && isActive(key, nowMs));
  if (record === undefined) throw new KeyNotFoundError(keyId);
  return record;
}

function newRecord(parts: {
  readonly role: KeyRole;
  readonly label: string;
  readonly tenantId: string | null;
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
  };
}

/** Whoever may run the command is not known here; the tenant that a key is bound to sees the entry. */
function auditOf(
  record: KeyRecord,
  done: {
    readonly command: 'issue' | 'rotate' | 'revoke' | 'accept';
    /** `issue_key` when it is not given. */
    readonly action?: 'revoke_key' | 'accept_key';
    readonly at: string;
    readonly state: AuditEntry['details'];
  },
): Sql {
  const { command, action = 'issue_key', at, state } = done;
  return insertAuditEntry(keyEntry(record, { actor: `lothub keys ${command}`, action, at, state }));
}

/** Does nothing where another process has put the same key; the row that was inserted is answered. */
function insertKeyOnce(record: KeyRecord): Sql {
  return sql`${insertRow(API_KEYS, record)} on conflict do nothing returning key_id`;
}

export function isActive(record: KeyRecord, nowMs: number): boolean {
  if (record.revoked_at !== null) return false;
  return record.expires_at === null || record.expires_at > instantText(nowMs);
}
