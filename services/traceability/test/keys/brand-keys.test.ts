// The keys of one brand in the hands of its managers: what they see, issue, rotate and revoke, whose name stands
// in the audit, and that other brands' keys are not there.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import sql from 'sql-template-tag';
import {
  ENDED_KEYS_PER_PAGE,
  issueBrandKey,
  listBrandKeys,
  revokeBrandKey,
  rotateBrandKey,
} from '../../src/keys/brand-keys.ts';
import type { BrandKeys, IssuedBrandKey } from '../../src/keys/brand-keys.ts';
import {
  BRAND_KEYS_A_DAY_MAX,
  BRAND_KEYS_MAX,
  issueKey,
  listKeys,
  rotateKey,
} from '../../src/keys/key-store.ts';
import { KeyUses } from '../../src/keys/key-uses.ts';
import { newestAuditEntries } from '../../src/ledger/audit-reader.ts';
import type { LedgerStore } from '../../src/ledger/store.ts';
import { openTestLedger, openTestStore } from '../ledger.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const ADA = { actor: 'Ada Miller', requestId: 'request-7' };
const BY_ADA = { tenantId: 'acme', caller: ADA, nowMs: START_MS } as const;
const NOT_FOUND = { name: 'Refusal', code: 'not_found', message: 'The brand has no such key' };

async function openStoreWithKeys(t: TestContext): Promise<LedgerStore> {
  const ledger = await openTestLedger();
  t.after(() => ledger[Symbol.asyncDispose]());
  return ledger.store;
}

async function issue(
  store: LedgerStore,
  label: string,
  given: { readonly tenantId?: string; readonly nowMs?: number } = {},
): Promise<IssuedBrandKey> {
  return await issueBrandKey(store, { ...BY_ADA, label, limitedTo: 'all', ...given });
}

async function readList(
  store: LedgerStore,
  given: { readonly tenantId?: string; readonly nowMs?: number; readonly before?: string } = {},
): Promise<BrandKeys> {
  const asked = { tenantId: 'acme', before: null, nowMs: START_MS, ...given };
  return await listBrandKeys(store.reader, asked);
}

const listLabels = (keys: BrandKeys['active']): readonly string[] => keys.map(({ label }) => label);

test('a brand sees its own keys alone, newest first, and no hash', async (t) => {
  const store = await openStoreWithKeys(t);
  await issue(store, 'till', { nowMs: START_MS - 2 });
  await issue(store, 'ERP', { nowMs: START_MS - 1 });
  await issue(store, 'other', { tenantId: 'bolt' });
  await issueKey(store, { role: 'tenant', label: 'any', tenantId: null, nowMs: START_MS });

  const listed = await readList(store);

  assert.deepEqual(listLabels(listed.active), ['ERP', 'till']);
  assert.deepEqual([listed.ended, listed.next], [[], null]);
  assert.doesNotMatch(JSON.stringify(listed), /[0-9a-f]{64}|lh_tenant_/);
});

test('a list says limit, state and last use of a key', async (t) => {
  const store = await openStoreWithKeys(t);
  const made = { ...BY_ADA, label: 'BI', limitedTo: 'read' } as const;
  const { brandKey } = await issueBrandKey(store, made);
  const noted = new KeyUses({
    write: (statements) => store.write(statements),
    clock: { nowMs: () => START_MS + 90_000 },
    onError: (error) => {
      throw error;
    },
  });
  noted.note(brandKey.keyId);
  await noted.flush();

  const { active } = await readList(store);

  assert.equal(brandKey.lastUsedAt, null);
  assert.deepEqual(active, [
    {
      keyId: brandKey.keyId,
      label: 'BI',
      limitedTo: 'read',
      state: 'active',
      createdAt: '2026-01-01T00:00:00.000Z',
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: '2026-01-01T00:01:00.000Z',
    },
  ]);
});

test('an issued key is bound to the brand, limited, and found by itself', async (t) => {
  const store = await openStoreWithKeys(t);

  const issued = await issueBrandKey(store, { ...BY_ADA, label: 'ERP', limitedTo: 'post-events' });

  const [stored] = await listKeys(store);
  assert.match(issued.key, /^lh_tenant_[A-Za-z0-9_-]{43}$/);
  assert.equal(stored?.key_id, issued.brandKey.keyId);
  assert.deepEqual(
    [stored.role, stored.tenant_id, stored.limited_to, stored.origin],
    ['tenant', 'acme', 'post-events', 'issued'],
  );
});

for (const label of ['', ' ', 'a\u0000', 'a\u001b[2J', 'x'.repeat(201), 'a\u202eb', 'a\ud800']) {
  test(`the label ${JSON.stringify(label)} is refused`, async (t) => {
    const store = await openStoreWithKeys(t);

    await assert.rejects(issue(store, label), { name: 'FieldsRefusal' });
    assert.deepEqual(await listKeys(store), []);
  });
}

test('a revoked key is among the ended ones, and is revoked once', async (t) => {
  const store = await openStoreWithKeys(t);
  const { keyId } = (await issue(store, 'ERP')).brandKey;

  await revokeBrandKey(store, { ...BY_ADA, keyId });

  const { active, ended } = await readList(store);
  assert.deepEqual(active, []);
  assert.deepEqual(
    ended.map(({ state, revokedAt }) => [state, revokedAt]),
    [['revoked', '2026-01-01T00:00:00.000Z']],
  );
  await assert.rejects(revokeBrandKey(store, { ...BY_ADA, keyId }), NOT_FOUND);
});

test('a rotated key keeps label and limit, and the old one ends when it is said to', async (t) => {
  const store = await openStoreWithKeys(t);
  const made = { ...BY_ADA, label: 'BI', limitedTo: 'read' } as const;
  const old = await issueBrandKey(store, made);

  const renewed = await rotateBrandKey(store, {
    ...BY_ADA,
    keyId: old.brandKey.keyId,
    overlapMs: HOUR_MS,
  });

  const during = await readList(store, { nowMs: START_MS + HOUR_MS - 1 });
  const afterwards = await readList(store, { nowMs: START_MS + HOUR_MS });
  assert.deepEqual([renewed.brandKey.label, renewed.brandKey.limitedTo], ['BI', 'read']);
  assert.notEqual(renewed.key, old.key);
  assert.equal(during.active.length, 2);
  assert.deepEqual(
    afterwards.active.map(({ keyId }) => keyId),
    [renewed.brandKey.keyId],
  );
  assert.deepEqual(
    afterwards.ended.map(({ keyId, state, expiresAt }) => [keyId, state, expiresAt]),
    [[old.brandKey.keyId, 'expired', '2026-01-01T01:00:00.000Z']],
  );
});

test('a key of another brand, of none, and one that is not there are not found alike', async (t) => {
  const store = await openStoreWithKeys(t);
  const other = await issue(store, 'other', { tenantId: 'bolt' });
  const unbound = { role: 'tenant', label: 'any', tenantId: null, nowMs: START_MS } as const;
  const { record } = await issueKey(store, unbound);
  const before = await listKeys(store);

  for (const keyId of [other.brandKey.keyId, record.key_id, 'nobody']) {
    await assert.rejects(revokeBrandKey(store, { ...BY_ADA, keyId }), NOT_FOUND);
    await assert.rejects(rotateBrandKey(store, { ...BY_ADA, keyId, overlapMs: 0 }), NOT_FOUND);
  }

  assert.deepEqual(await listKeys(store), before);
});

test('the audit of the brand names the person who issued, rotated and revoked', async (t) => {
  const store = await openStoreWithKeys(t);
  const { keyId } = (await issue(store, 'ERP')).brandKey;
  const renewed = await rotateBrandKey(store, { ...BY_ADA, keyId, overlapMs: HOUR_MS });
  await revokeBrandKey(store, { ...BY_ADA, keyId: renewed.brandKey.keyId });

  const entries = await newestAuditEntries(store.reader, {
    tenantId: 'acme',
    action: undefined,
    entityId: undefined,
    before: Number.MAX_SAFE_INTEGER,
    limit: 10,
  });

  assert.deepEqual(
    entries
      .toReversed()
      .map(({ actor, requestId, action, entityId }) => [actor, requestId, action, entityId]),
    [
      ['Ada Miller', 'request-7', 'issue_key', keyId],
      ['Ada Miller', 'request-7', 'issue_key', renewed.brandKey.keyId],
      ['Ada Miller', 'request-7', 'revoke_key', keyId],
      ['Ada Miller', 'request-7', 'revoke_key', renewed.brandKey.keyId],
    ],
  );
  const [issued] = entries.toReversed();
  assert.equal((JSON.parse(issued!.details) as { limited_to: string }).limited_to, 'all');
});

test('a brand has so many valid keys and no more; another brand has its own', async (t) => {
  const store = await openStoreWithKeys(t);
  for (let count = 0; count < BRAND_KEYS_MAX; count += 1) await issue(store, `key ${count}`);
  const { keyId } = (await readList(store)).active[0]!;
  const tooMany = { name: 'Refusal', code: 'rule_broken', message: /50 keys of a brand/ };

  await assert.rejects(issue(store, 'one more'), tooMany);
  const beside = { ...BY_ADA, keyId, overlapMs: HOUR_MS };
  await assert.rejects(rotateBrandKey(store, beside), tooMany);
  await rotateKey(store, { keyId, overlapMs: 0, nowMs: START_MS });
  await issue(store, 'other', { tenantId: 'bolt' });

  const { active, ended } = await readList(store);
  assert.deepEqual([active.length, ended.length], [BRAND_KEYS_MAX, 1]);
  const entries = await store.reader.all(sql`
    select id
    from audit_entries
    where tenant_id = 'acme' and action = 'issue_key'`);
  assert.equal(entries.length, BRAND_KEYS_MAX + 1);
});

test('a refused rotation leaves the old key as it is', async (t) => {
  const store = await openStoreWithKeys(t);
  for (let count = 0; count < BRAND_KEYS_MAX; count += 1) await issue(store, `key ${count}`);
  const before = await listKeys(store);
  const [first] = before;

  const rotating = rotateBrandKey(store, {
    ...BY_ADA,
    keyId: first!.key_id,
    overlapMs: HOUR_MS,
  });

  await assert.rejects(rotating, { code: 'rule_broken' });
  assert.deepEqual(await listKeys(store), before);
});

test('keys that end at once do not let a brand fill the hub within a day', async (t) => {
  const store = await openStoreWithKeys(t);
  for (let count = 0; count < BRAND_KEYS_A_DAY_MAX; count += 1) {
    const { keyId } = (await issue(store, 'again')).brandKey;
    await revokeBrandKey(store, { ...BY_ADA, keyId });
  }

  await assert.rejects(issue(store, 'again'), { code: 'rule_broken' });
  await issue(store, 'next day', { nowMs: START_MS + DAY_MS });

  assert.deepEqual(listLabels((await readList(store, { nowMs: START_MS + DAY_MS })).active), [
    'next day',
  ]);
});

test('pages of ended keys follow each other without a gap', async (t) => {
  const store = await openStoreWithKeys(t);
  const count = ENDED_KEYS_PER_PAGE + 5;
  for (let index = 0; index < count; index += 1) {
    const { keyId } = (await issue(store, `key ${index}`, { nowMs: START_MS + index })).brandKey;
    await revokeBrandKey(store, { ...BY_ADA, keyId, nowMs: START_MS + index });
  }

  const nowMs = START_MS + count;
  const first = await readList(store, { nowMs });
  const second = await readList(store, { nowMs, before: first.next! });

  assert.equal(first.ended.length, ENDED_KEYS_PER_PAGE);
  assert.deepEqual(
    listLabels([...first.ended, ...second.ended]),
    Array.from({ length: count }, (_, index) => `key ${count - 1 - index}`),
  );
  assert.equal(second.next, null);
});

test('of many who issue at the same moment no more get a key than there is room for', async (t) => {
  const ledger = await openTestLedger();
  t.after(() => ledger[Symbol.asyncDispose]());
  const { store } = ledger;
  for (let count = 0; count < BRAND_KEYS_MAX - 3; count += 1) await issue(store, `key ${count}`);
  const other =
    ledger.database.databaseUrl === undefined ? store : await openTestStore(ledger.database);
  t.after(() => (other === store ? undefined : other.close()));

  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, index) => issue(index % 2 === 0 ? store : other, 'late')),
  );

  const issued = outcomes.filter(({ status }) => status === 'fulfilled');
  assert.equal(issued.length, 3);
  assert.equal((await readList(store)).active.length, BRAND_KEYS_MAX);
});
