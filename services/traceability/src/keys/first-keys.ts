// The keys that a hub begins with: those of the settings, or new ones of the first start. They are the
// tenant key and the admin key of docs/interface/traceability.md#keys: none of them is ever limited.
import { instantText } from '@lothub/kit/clock';
import { keyHash, newKey } from '@lothub/kit/secrets/secrets';
import { insertRow, insertRowWhere } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import { auditRow, insertAuditEntry } from '../ledger/audit.ts';
import type { Caller } from '../ledger/draft.ts';
import { AUDIT_ENTRIES } from '../ledger/tables/audit.ts';
import { API_KEYS } from '../ledger/tables/off-chain.ts';
import { adoptingEntry, keyEntry } from './key-entries.ts';
import { KEY_PREFIX, listKeys, newRecord } from './key-store.ts';
import type { IssuedKey, KeyDatabase, KeyRecord, KeyRole } from './key-store.ts';

/** Ids of the keys that a first start makes: of several processes, one can make them. */
const FIRST_KEY_ID: Readonly<Record<KeyRole, string>> = {
  tenant: 'first-tenant',
  admin: 'first-admin',
};

/** Who changes the keys that the settings give. */
const SETTINGS: Caller = { actor: 'settings', requestId: null };

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

/** The key of the settings is valid; the one that was there before is not any more. */
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
        caller: SETTINGS,
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
          caller: SETTINGS,
          action: 'adopt_key',
          at,
          state: { revoked_at: null },
        }),
      ),
    );
  }
  return statements;
}

/** When several processes start at once, one has inserted the key; its entry exists once. */
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

/** Does nothing where another process has put the same key; the row that was inserted is answered. */
function insertKeyOnce(record: KeyRecord): Sql {
  return sql`${insertRow(API_KEYS, record)} on conflict do nothing returning key_id`;
}
