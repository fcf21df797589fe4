// Keys and tenants: who may do what, in which order it is checked, and how keys are made, rotated
// and revoked. Written from docs/interface/traceability.md#keys.
import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openHub } from '../../src/cli/operated-hub.ts';
import { issueKey, listKeys, revokeKey, rotateKey } from '../../src/keys/key-store.ts';
import type { IssuedKey, KeyDatabase, KeyRole } from '../../src/keys/key-store.ts';
import { openService } from '../../src/server.ts';
import { readSettings } from '../../src/settings.ts';
import { ADMIN_KEY, TENANT_KEY, anEvent, boot, valueAt } from '../boot.ts';
import type { Answer, Booted, CallInit } from '../boot.ts';
import { stretchForLoad } from '@lothub/kit/test/patience';
import { rawRequest, requestText } from '@lothub/kit/test/raw-request';
import { newTestDatabase, testEngine, type TestDatabase } from '../engine.ts';
import { storedHeight } from '../stored.ts';

/** A revoked or new key must have taken effect within this time. */
const EFFECT_MS = 1_000;
/** How long two keys live after a rotation, if the machine has nothing else to do. */
const OVERLAP_MS = 750;
const POLL_MS = 20;

let hub: Booted;
let commandLine: KeyDatabase;
let closeCommandLine: () => Promise<void>;
before(async () => {
  hub = await boot();
  // A connection of its own, as the operator's command line has one.
  const opened = await openHub(hub.database);
  commandLine = opened;
  closeCommandLine = () => Promise.resolve(opened[Symbol.asyncDispose]());
});
after(async () => {
  await closeCommandLine();
  await hub[Symbol.asyncDispose]();
});

function assertInvalidKey(answer: Answer): void {
  assert.equal(answer.status, 401, answer.text);
  assert.deepEqual(answer.json, { detail: 'Invalid API key' });
}

async function issue(role: KeyRole, tenantId: string | null = null): Promise<IssuedKey> {
  return await issueKey(commandLine, { role, label: 'test', tenantId, nowMs: Date.now() });
}

type Headers = Readonly<Record<string, string>>;

function withKey(key: string, headers: Headers = {}): Promise<Answer> {
  return hub.call('/v1/events', { headers: { 'X-Api-Key': key, ...headers } });
}

/** Asks again and again; answers after how many milliseconds the status was this one. */
async function timeUntil(status: number, key: string, headers: Headers = {}): Promise<number> {
  const startedMs = performance.now();
  for (;;) {
    const answer = await withKey(key, headers);
    const elapsedMs = performance.now() - startedMs;
    if (answer.status === status) return elapsedMs;
    if (elapsedMs > 5 * stretchForLoad(EFFECT_MS))
      throw new Error(`still ${answer.status} after ${elapsedMs} ms`);
    await sleep(POLL_MS);
  }
}

/** Every endpoint below /v1 that the service describes, each with a body that would be refused. */
async function v1Requests(): Promise<readonly (readonly [string, CallInit])[]> {
  const description = JSON.parse((await hub.call('/openapi.json')).text) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  };
  return Object.entries(description.paths)
    .filter(([path]) => path.startsWith('/v1/'))
    .flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => {
        const url = path.replace(/\{\w+\}/g, 'X-1');
        return [url, { method: method.toUpperCase() }] as const;
      }),
    );
}

test('a missing, empty or wrong key is a 401 on every /v1 endpoint', async () => {
  const requests = await v1Requests();

  assert.ok(requests.length >= 4);
  for (const [path, init] of requests) {
    for (const key of [
      '',
      'wrong',
      `${TENANT_KEY}x`,
      TENANT_KEY.slice(1),
      ` ${'x'.repeat(9_000)}`,
    ]) {
      assertInvalidKey(await hub.call(path, { ...init, headers: { 'X-Api-Key': key } }));
    }
    const line = `${init.method} ${path}`;
    const missing = await rawRequest(hub.base, requestText(line, ['X-Tenant-Id: acme']));
    assert.equal(missing.status, 401);
    assert.equal(missing.body, '{"detail":"Invalid API key"}');
  }
});

test('the admin key opens no tenant endpoint and the tenant key none below /v1/admin', async () => {
  for (const [path, init] of await v1Requests()) {
    const admin = path.startsWith('/v1/admin/');
    const key = admin ? TENANT_KEY : ADMIN_KEY;
    assertInvalidKey(await hub.call(path, { ...init, headers: { 'X-Api-Key': key } }));
  }
  assertInvalidKey(await hub.call('/v1/admin/overview'));
  assertInvalidKey(await hub.call('/v1/admin/audit'));
});

test('the admin key is not refused below /v1/admin', async () => {
  const answer = await hub.call('/v1/admin/overview', { headers: { 'X-Api-Key': ADMIN_KEY } });

  assert.notEqual(answer.status, 401);
});

test('/health and /public need no key', async () => {
  for (const path of ['/health', '/public/explorer', '/openapi.json', '/docs', '/api-docs']) {
    const answer = await rawRequest(hub.base, requestText(`GET ${path}`));
    assert.equal(answer.status, 200, path);
  }
});

test('the key is checked before the tenant id, and the tenant id before the body', async () => {
  const headers = { 'Content-Type': 'application/json', 'X-Tenant-Id': '?' };

  const wrongKey = await hub.call('/v1/events', {
    method: 'POST',
    headers: { ...headers, 'X-Api-Key': 'wrong' },
    body: '{',
  });
  const wrongTenant = await hub.call('/v1/events', { method: 'POST', headers, body: '{' });
  const wrongType = await hub.call('/v1/events', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'text/plain' },
    body: '{',
  });

  assertInvalidKey(wrongKey);
  for (const answer of [wrongTenant, wrongType]) {
    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['header', 'x-tenant-id']);
  }
});

test('X-Tenant-Id is required', async () => {
  const line = requestText('GET /v1/events', [`X-Api-Key: ${TENANT_KEY}`]);

  const answer = await rawRequest(hub.base, line);

  assert.equal(answer.status, 422);
  const detail = valueAt(JSON.parse(answer.body), 'detail', 0);
  assert.deepEqual(valueAt(detail, 'loc'), ['header', 'x-tenant-id']);
  assert.equal(valueAt(detail, 'type'), 'missing');
});

for (const id of ['a', '0', 'A.b_c-D', 'a'.repeat(64), '9-.', 'null', '__proto__x'.slice(2)]) {
  test(`the tenant id ${id} is taken as it is`, async () => {
    const answer = await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': id });

    assert.equal(answer.status, 201, answer.text);
    const block = await hub.call(`/public/explorer/block/${String(valueAt(answer.json, 'id'))}`);
    assert.match(String(valueAt(block.json, 'canonical')), new RegExp(`"brand":"${id}"`));
  });
}

for (const id of ['', '.a', '-a', '_a', 'a b', 'a/b', 'a,b', 'a\u00e9', 'a'.repeat(65), '../a']) {
  test(`the tenant id ${JSON.stringify(id)} is refused`, async () => {
    const answer = await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': id });

    assert.equal(answer.status, 422);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['header', 'x-tenant-id']);
  });
}

test('tenant ids that differ in case are two tenants', async () => {
  const event = anEvent({ external_id: 'case' });
  await hub.post('/v1/events', event, { 'X-Tenant-Id': 'Case' });

  const other = await hub.post('/v1/events', event, { 'X-Tenant-Id': 'case' });

  assert.equal(other.status, 201);
});

test('a repeated header is neither the first nor the last value', async () => {
  const send = async (headers: readonly string[]): Promise<number> =>
    (await rawRequest(hub.base, requestText('GET /v1/events', headers))).status;
  const key = `X-Api-Key: ${TENANT_KEY}`;

  const keys = await send([key, 'X-Api-Key: wrong', 'X-Tenant-Id: acme']);
  const sameKeys = await send([key, key, 'X-Tenant-Id: acme']);
  const tenants = await send([key, 'X-Tenant-Id: acme', 'X-Tenant-Id: other']);

  assert.deepEqual([keys, sameKeys, tenants], [401, 401, 422]);
});

test('a bound key serves its tenant and no other', async () => {
  const { key } = await issue('tenant', 'bound-1');
  await timeUntil(200, key, { 'X-Tenant-Id': 'bound-1' });

  const height = await storedHeight(hub.database);
  const other = await hub.post('/v1/events', anEvent(), {
    'X-Api-Key': key,
    'X-Tenant-Id': 'bound-2',
  });

  assertInvalidKey(other);
  assert.equal(await storedHeight(hub.database), height);
});

test('an issued key works within a second', async () => {
  const { key } = await issue('tenant');

  const elapsedMs = await timeUntil(200, key);

  assert.ok(elapsedMs <= stretchForLoad(EFFECT_MS), `it took ${elapsedMs} ms`);
});

test('a revoked key is refused within a second, and for good', async () => {
  const { key, record } = await issue('tenant');
  await timeUntil(200, key);

  await revokeKey(commandLine, { keyId: record.key_id, nowMs: Date.now() });
  const elapsedMs = await timeUntil(401, key);

  assert.ok(elapsedMs <= stretchForLoad(EFFECT_MS), `it took ${elapsedMs} ms`);
  await assert.rejects(revokeKey(commandLine, { keyId: record.key_id, nowMs: Date.now() }), {
    code: 'key_not_found',
  });
});

test('after a rotation both keys work, until the old one expires', async () => {
  const old = await issue('tenant', 'rotated');
  const overlapMs = stretchForLoad(OVERLAP_MS);
  const headers = { 'X-Tenant-Id': 'rotated' };
  const rotatedMs = Date.now();
  const { key, record } = await rotateKey(commandLine, {
    keyId: old.record.key_id,
    overlapMs,
    nowMs: rotatedMs,
  });
  await timeUntil(200, key, headers);

  const during = await withKey(old.key, headers);
  assert.equal(during.status, 200);
  assert.ok(Date.now() < rotatedMs + overlapMs, 'the new key took too long to work');
  await sleep(rotatedMs + overlapMs - Date.now() + 1);
  const afterwards = await withKey(old.key, headers);
  const renewed = await withKey(key, headers);

  assertInvalidKey(afterwards);
  assert.equal(renewed.status, 200);
  assert.equal(record.tenant_id, 'rotated');
  assert.notEqual(key, old.key);
});

test('keys are 256 random bits after a readable prefix', async () => {
  const tenant = await issue('tenant');
  const admin = await issue('admin');

  assert.match(tenant.key, /^lh_tenant_[A-Za-z0-9_-]{43}$/);
  assert.match(admin.key, /^lh_admin_[A-Za-z0-9_-]{43}$/);
});

test('no file, no list and no log holds a key', async () => {
  const { key } = await issue('tenant');
  await timeUntil(200, key);
  await withKey(`${key}-wrong`);

  const entries = await readdir(hub.dataDir, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const contents = await Promise.all(
    files.map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  const rows = testEngine === 'postgres' ? await everyRow(hub.database) : [];
  const texts = [...contents, ...rows, hub.log(), JSON.stringify(await listKeys(commandLine))];

  assert.ok(contents.length + rows.length > 1);
  for (const secret of [key, TENANT_KEY, ADMIN_KEY]) {
    assert.ok(texts.every((text) => !text.includes(secret)));
  }
});

/** Every row of every table, as text; on SQLite the file has them. */
async function everyRow(database: TestDatabase): Promise<readonly string[]> {
  const tables = await database.rows(
    "select table_name from information_schema.tables where table_schema = 'public'",
  );
  const rows = await Promise.all(
    tables.map(({ table_name }) =>
      database.rows(`select stored::text as text from ${String(table_name)} as stored`),
    ),
  );
  return rows.flat().map(({ text }) => String(text));
}

test('the first start without keys makes one of each, and the next start none', async () => {
  await using database = await newTestDatabase();
  const settings = readSettings({ ...database.env, LOG_LEVEL: 'silent' });
  const onFatal = (error: Error): void => {
    throw error;
  };
  const first = await openService({ settings, onFatal });
  const keys = first.firstKeys.map((issued) => issued.key);
  await first.close();

  await using second = await openService({ settings, onFatal });
  const base = await second.app.listen({ host: '127.0.0.1', port: 0 });
  const answer = await fetch(`${base}/v1/events`, {
    headers: { 'X-Api-Key': keys[0]!, 'X-Tenant-Id': 'acme' },
  });

  assert.equal(keys.length, 2);
  assert.ok(keys[0]!.startsWith('lh_tenant_') && keys[1]!.startsWith('lh_admin_'));
  assert.deepEqual(second.firstKeys, []);
  assert.equal(answer.status, 200);
  await answer.text();
});

test('a key of the settings replaces the one that was there before', async () => {
  await using first = await boot();
  await first.service.close();
  const renewed = 'renewed-tenant-key-0123456789abcdef';
  await using second = await boot({ database: first.database, env: { TENANT_API_KEY: renewed } });

  const old = await second.call('/v1/events');
  const now = await second.call('/v1/events', { headers: { 'X-Api-Key': renewed } });

  assertInvalidKey(old);
  assert.equal(now.status, 200);
});
