// Keys in the database: issued, rotated, revoked, taken from the settings, and found by what a
// request carries.
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { readMigrations } from '@lothub/kit/migrations';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { SqliteConnection, migrateSqlite } from '@lothub/kit/sqlite/connection';
import { newTestDatabase, testEngine } from '../../test/engine.ts';
import { newestAuditEntries } from '../ledger/audit-reader.ts';
import { openOperated } from '../ledger/operate/open-operated.ts';
import { SERVICE_NAME, sqliteSchemaFolder } from '../ledger/schema.ts';
import { databaseFile } from '../ledger/sqlite/store.ts';
import { ensureFirstKeys } from './first-keys.ts';
import { buildKeyDetails } from './key-entries.ts';
import { KeyRing } from './key-ring.ts';
import { isActive, issueKey, listKeys, revokeKey, rotateKey } from './key-store.ts';
import type { KeyDatabase } from './key-store.ts';

const START_MS = Date.UTC(2026, 0, 1);
const HOUR_MS = 3_600_000;
const REQUEST = { role: 'tenant', label: 'bakery ERP', tenantId: null, nowMs: START_MS } as const;

async function keyDatabase(t: TestContext): Promise<KeyDatabase> {
  const place = await newTestDatabase();
  // On PostgreSQL a test's database has the schema from the beginning.
  if (testEngine === 'sqlite') {
    await using connection = new SqliteConnection(databaseFile(place.dataDir), 'write');
    migrateSqlite(connection, readMigrations(sqliteSchemaFolder), SERVICE_NAME);
  }
  const database = await openOperated(place);
  t.after(async () => {
    await database[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  return database;
}

/** What a process sees that looked for keys before there were any, and writes only now. */
function asBeforeAnyKey(database: KeyDatabase): KeyDatabase {
  return {
    reader: {
      all: () => Promise.resolve([]),
      first: () => Promise.resolve(undefined),
      close: () => Promise.resolve(),
      [Symbol.asyncDispose]: () => Promise.resolve(),
    },
    write: (statements) => database.write(statements),
  };
}

/** A ring whose clock the test sets. */
async function makeRing(database: KeyDatabase): Promise<{ ring: KeyRing; clock: { ms: number } }> {
  const clock = { ms: START_MS };
  const ring = await KeyRing.open({
    database,
    clock: { nowMs: () => clock.ms },
    onError: (error) => {
      throw error;
    },
  });
  return { ring, clock };
}

test('an issued key is stored as its SHA-256 and found by itself alone', async (t) => {
  const database = await keyDatabase(t);
  const { key, record } = await issueKey(database, { ...REQUEST, tenantId: 'bakery' });
  const { ring } = await makeRing(database);
  using _ring = ring;

  const [stored] = await listKeys(database);

  assert.equal(stored?.key_hash, sha256Hex(key));
  assert.deepEqual(
    { ...stored },
    {
      key_id: record.key_id,
      role: 'tenant',
      label: 'bakery ERP',
      key_hash: sha256Hex(key),
      tenant_id: 'bakery',
      origin: 'issued',
      created_at: '2026-01-01T00:00:00.000Z',
      expires_at: null,
      revoked_at: null,
      first_tenant_id: null,
      second_tenant_id: null,
      second_tenant_at: null,
      tenants_accepted_at: null,
      limited_to: 'all',
    },
  );
  assert.equal(ring.find(key)?.key_id, record.key_id);
  for (const other of [undefined, '', `${key}x`, key.slice(0, -1), stored.key_hash]) {
    assert.equal(ring.find(other), undefined);
  }
});

test('a revoked key is found no more, and cannot be revoked or rotated again', async (t) => {
  const database = await keyDatabase(t);
  const { key, record } = await issueKey(database, REQUEST);
  const { ring } = await makeRing(database);
  using _ring = ring;

  const revoked = await revokeKey(database, { keyId: record.key_id, nowMs: START_MS + 1 });
  await ring.refresh();

  assert.equal(revoked.revoked_at, '2026-01-01T00:00:00.001Z');
  assert.equal(ring.find(key), undefined);
  const again = { keyId: record.key_id, nowMs: START_MS + 2, overlapMs: HOUR_MS };
  await assert.rejects(revokeKey(database, again), { code: 'key_not_found' });
  await assert.rejects(rotateKey(database, again), { code: 'key_not_found' });
});

test('issuing, rotating and revoking are in the audit, without a key', async (t) => {
  const database = await keyDatabase(t);
  const old = await issueKey(database, { ...REQUEST, tenantId: 'bakery' });
  const keyId = old.record.key_id;
  const renewed = await rotateKey(database, { keyId, overlapMs: HOUR_MS, nowMs: START_MS });
  await revokeKey(database, { keyId: renewed.record.key_id, nowMs: START_MS + 1 });

  const entries = await newestAuditEntries(database.reader, {
    tenantId: 'bakery',
    action: undefined,
    entityId: undefined,
    before: Number.MAX_SAFE_INTEGER,
    limit: 10,
  });

  const about = { role: 'tenant', label: 'bakery ERP' };
  const reported = entries.toReversed().map(({ actor, action, entityId, details }) => {
    const parsed: unknown = JSON.parse(details);
    return [actor, action, entityId, parsed];
  });
  const until = '2026-01-01T01:00:00.000Z';
  assert.deepEqual(reported, [
    ['lothub keys issue', 'issue_key', keyId, buildKeyDetails(old.record)],
    [
      'lothub keys rotate',
      'issue_key',
      renewed.record.key_id,
      { ...buildKeyDetails(renewed.record), replaces: keyId },
    ],
    [
      'lothub keys rotate',
      'revoke_key',
      keyId,
      { ...about, expires_at: until, valid_until: until },
    ],
    [
      'lothub keys revoke',
      'revoke_key',
      renewed.record.key_id,
      { ...about, revoked_at: '2026-01-01T00:00:00.001Z' },
    ],
  ]);
  assert.ok(!JSON.stringify(entries).includes(old.key));
  assert.ok(!JSON.stringify(entries).includes(old.record.key_hash));
});

test('a rotated key stays valid for its overlap and not a moment longer', async (t) => {
  const database = await keyDatabase(t);
  const old = await issueKey(database, { ...REQUEST, tenantId: 'bakery' });
  const renewed = await rotateKey(database, {
    keyId: old.record.key_id,
    overlapMs: HOUR_MS,
    nowMs: START_MS,
  });
  const { ring, clock } = await makeRing(database);
  using _ring = ring;

  clock.ms = START_MS + HOUR_MS - 1;
  const during = [old, renewed].map(({ key }) => ring.find(key) !== undefined);
  clock.ms = START_MS + HOUR_MS;
  const afterwards = [old, renewed].map(({ key }) => ring.find(key) !== undefined);

  assert.deepEqual(during, [true, true]);
  assert.deepEqual(afterwards, [false, true]);
  assert.equal(renewed.record.tenant_id, 'bakery');
  assert.equal(renewed.record.label, 'bakery ERP');
  assert.equal(renewed.record.role, 'tenant');
});

test('that keys cannot be read is reported once, and again when it happens again', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const database = await keyDatabase(t);
  const { key } = await issueKey(database, REQUEST);
  const reported: unknown[] = [];
  let isAway = false;
  using ring = await KeyRing.open({
    database: {
      ...asBeforeAnyKey(database),
      reader: {
        ...asBeforeAnyKey(database).reader,
        all: (query) => (isAway ? Promise.reject(new Error('away')) : database.reader.all(query)),
      },
    },
    clock: { nowMs: () => START_MS },
    onError: (error) => reported.push(error),
  });
  const askAgain = async (): Promise<void> => {
    t.mock.timers.tick(1_000);
    await ring.refresh().catch(() => undefined);
  };

  isAway = true;
  await askAgain();
  await askAgain();
  isAway = false;
  await askAgain();
  isAway = true;
  await askAgain();

  assert.equal(reported.length, 2);
  assert.notEqual(ring.find(key), undefined);
});

test('an unknown key cannot be revoked', async (t) => {
  const database = await keyDatabase(t);

  await assert.rejects(revokeKey(database, { keyId: 'none', nowMs: START_MS }), {
    code: 'key_not_found',
  });
});

test('the first start without given keys makes one of each role, later ones none', async (t) => {
  const database = await keyDatabase(t);
  const options = { given: { tenant: undefined, admin: undefined }, nowMs: START_MS };

  const first = await ensureFirstKeys(database, options);
  const later = await ensureFirstKeys(database, options);

  assert.deepEqual(
    first.map(({ record }) => record.role),
    ['tenant', 'admin'],
  );
  assert.deepEqual(later, []);
});

test('of several processes that start at the same time one makes the first keys', async (t) => {
  const database = await keyDatabase(t);
  const options = { given: { tenant: undefined, admin: undefined }, nowMs: START_MS };
  const first = await ensureFirstKeys(database, options);

  const second = await ensureFirstKeys(asBeforeAnyKey(database), options);

  assert.equal(first.length, 2);
  assert.deepEqual(second, []);
  assert.deepEqual(
    (await listKeys(database)).map((record) => record.key_hash).sort(),
    first.map(({ record }) => record.key_hash).sort(),
  );
});

test('several processes that start at the same time may be given the same keys', async (t) => {
  const database = await keyDatabase(t);
  const options = { given: { tenant: 'key-one', admin: 'key-two' }, nowMs: START_MS };
  await ensureFirstKeys(database, options);

  await ensureFirstKeys(asBeforeAnyKey(database), options);

  assert.equal((await listKeys(database)).length, 2);
});

test('after every key was revoked no new one is made at the start', async (t) => {
  const database = await keyDatabase(t);
  const options = { given: { tenant: undefined, admin: undefined }, nowMs: START_MS };
  for (const { record } of await ensureFirstKeys(database, options)) {
    await revokeKey(database, { keyId: record.key_id, nowMs: START_MS });
  }

  assert.deepEqual(await ensureFirstKeys(database, options), []);
});

test('a key of the settings is valid as long as it is there', async (t) => {
  const database = await keyDatabase(t);
  const issued = await issueKey(database, REQUEST);
  const { ring } = await makeRing(database);
  using _ring = ring;
  const startWith = async (tenant: string): Promise<readonly boolean[]> => {
    await ensureFirstKeys(database, { given: { tenant, admin: undefined }, nowMs: START_MS });
    await ring.refresh();
    return ['key-one', 'key-two', issued.key].map((key) => ring.find(key) !== undefined);
  };

  assert.deepEqual(await startWith('key-one'), [true, false, true]);
  assert.deepEqual(await startWith('key-two'), [false, true, true]);
  assert.deepEqual(await startWith('key-one'), [true, false, true]);
});

test('given keys are not handed out as new ones', async (t) => {
  const database = await keyDatabase(t);

  const made = await ensureFirstKeys(database, {
    given: { tenant: 'key-one', admin: 'key-two' },
    nowMs: START_MS,
  });

  assert.deepEqual(made, []);
  assert.equal((await listKeys(database)).length, 2);
});

test('a key is active until it is revoked or expires', async (t) => {
  const { record } = await issueKey(await keyDatabase(t), REQUEST);
  const expires = { ...record, expires_at: '2026-01-01T00:00:01.000Z' };

  assert.ok(isActive(record, START_MS));
  assert.ok(!isActive({ ...record, revoked_at: record.created_at }, START_MS));
  assert.ok(isActive(expires, START_MS + 999));
  assert.ok(!isActive(expires, START_MS + 1_000));
});
