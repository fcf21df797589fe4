// A key that is bound to no tenant may write in any brand's name: when a second tenant writes with one,
// the operator is warned until the key is revoked or accepted.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testInLongRun } from '@lothub/kit/test/rounds';
import { until } from '@lothub/kit/test/until';
import { openHub } from '../../src/cli/operated-hub.ts';
import { listKeys } from '../../src/keys/key-store.ts';
import { noteTenant } from '../../src/keys/key-tenants.ts';
import { ADMIN_KEY, TENANT_KEY, anEvent, boot, valueAt, type Booted } from '../boot.ts';
import { runCli, toText } from '../cli/run.ts';

interface Warning {
  readonly code: string;
  readonly message: string;
}

async function readWarnings(hub: Booted): Promise<readonly Warning[]> {
  const { json } = await hub.call('/health');
  assert.equal(json['status'], 'ok');
  return json['warnings'] as unknown as readonly Warning[];
}

async function overviewWarnings(hub: Booted): Promise<readonly Record<string, unknown>[]> {
  const answer = await hub.call('/v1/admin/overview', { headers: { 'X-Api-Key': ADMIN_KEY } });
  assert.equal(answer.status, 200, answer.text);
  return answer.json['warnings'] as unknown as readonly Record<string, unknown>[];
}

async function write(hub: Booted, tenant: string, key = TENANT_KEY): Promise<void> {
  const headers = { 'X-Tenant-Id': tenant, 'X-Api-Key': key };
  const answer = await hub.post('/v1/events', anEvent(), headers);
  assert.equal(answer.status, 201, answer.text);
}

async function untilWarnings(hub: Booted, count: number): Promise<void> {
  await until(`${count} warnings`, async () => (await readWarnings(hub)).length === count);
}

/** @param tenant that the key is bound to; any when it is not given */
async function issue(hub: Booted, tenant?: string): Promise<string> {
  const options = tenant === undefined ? ['--any-tenant'] : ['--tenant', tenant];
  const args = ['keys', 'issue', '--role', 'tenant', '--label', 'ERP', '--json', ...options];
  const run = await runCli(args, hub.database.env);
  assert.equal(run.code, 0, run.stderr);
  const key = toText(run.json['key']?.['key']);
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': tenant ?? 'acme' };
  await until('the key is taken', async () => {
    return (await hub.call('/v1/lots', { headers })).status === 200;
  });
  return key;
}

test('a second brand under one unbound key is a warning, and a first one is not', async () => {
  await using hub = await boot();
  await write(hub, 'acme');
  await write(hub, 'acme');
  const before = await readWarnings(hub);

  await write(hub, 'bolt');
  await write(hub, 'crab');

  assert.deepEqual(before, []);
  const [warning, ...others] = await readWarnings(hub);
  assert.deepEqual(others, []);
  assert.equal(warning?.code, 'unbound_key_shared');
  assert.doesNotMatch(warning.message, /acme|bolt|crab|settings/);
  const [shown] = await overviewWarnings(hub);
  assert.partialDeepStrictEqual(shown, {
    code: 'unbound_key_shared',
    label: 'tenant key of the settings',
    tenant_ids: ['acme', 'bolt'],
  });
  assert.match(String(shown?.['message']), /lothub keys accept/);
  assert.match(hub.log(), /a second tenant writes with a key that is bound to none/);
});

testInLongRun('keys that are bound to one tenant each are no warning', async () => {
  await using hub = await boot();
  const [acme, bolt] = [await issue(hub, 'acme'), await issue(hub, 'bolt')];

  await write(hub, 'acme', acme);
  await write(hub, 'bolt', bolt);

  assert.deepEqual(await readWarnings(hub), []);
});

test('what a second brand reads, has refused or tries out is no warning', async () => {
  await using hub = await boot();
  await write(hub, 'acme');
  const bolt = { 'X-Tenant-Id': 'bolt' };
  const body = new FormData();
  const header =
    'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';
  const row = 'RECEIVE,2026-03-02T07:15:00Z,SHOP,SO-7,FLOUR-1,SKU,in,1,pcs';
  body.set('file', new Blob([`${header}\n${row}`]), 'events.csv');

  const statuses = [
    await hub.call('/v1/lots', { headers: bolt }),
    await hub.post('/v1/events', {}, bolt),
    await hub.call('/v1/import/csv?dry_run=true', { method: 'POST', headers: bolt, body }),
  ].map((answer) => answer.status);

  assert.deepEqual(statuses, [200, 422, 200]);
  assert.deepEqual(await readWarnings(hub), []);
});

testInLongRun('a recall simulated for a second brand is no warning', async () => {
  await using hub = await boot();
  const bound = await issue(hub, 'bolt');
  await write(hub, 'bolt', bound);
  await write(hub, 'acme');

  const simulated = await hub.post(
    '/v1/recall/simulate',
    { lot_code: 'FLOUR-1' },
    { 'X-Tenant-Id': 'bolt' },
  );

  assert.equal(simulated.status, 200, simulated.text);
  assert.deepEqual(await readWarnings(hub), []);
});

test('the warning outlives the process', async () => {
  const first = await boot();
  await write(first, 'acme');
  await write(first, 'bolt');

  await using again = await first.restart();

  assert.equal((await readWarnings(again)).length, 1);
});

testInLongRun('a brand that writes through another process counts', async () => {
  await using hub = await boot();
  await write(hub, 'acme');
  await using other = await openHub(hub.database);
  const [key] = (await listKeys(other)).filter(({ role }) => role === 'tenant');

  await noteTenant(other, { keyId: key!.key_id, tenantId: 'bolt', nowMs: Date.now() });

  await untilWarnings(hub, 1);
});

testInLongRun('of brands that write at the same time two are noted, and stay', async () => {
  await using hub = await boot();
  await using database = await openHub(hub.database);
  const [key] = (await listKeys(database)).filter(({ role }) => role === 'tenant');
  const keyId = key!.key_id;

  const tenants = ['acme', 'bolt', 'crab', 'dove', 'acme', 'bolt'];
  await Promise.all(
    tenants.map((tenantId) => noteTenant(database, { keyId, tenantId, nowMs: Date.now() })),
  );

  const [noted] = (await listKeys(database)).filter((record) => record.key_id === keyId);
  await noteTenant(database, { keyId, tenantId: 'emu', nowMs: Date.now() });
  const [later] = (await listKeys(database)).filter((record) => record.key_id === keyId);
  const [first, second] = [noted?.first_tenant_id, noted?.second_tenant_id];
  assert.ok(tenants.includes(first ?? '') && tenants.includes(second ?? ''));
  assert.notEqual(first, second);
  assert.deepEqual(later, noted);
});

test('a key that was issued for any tenant is warned of, until it is accepted', async () => {
  await using hub = await boot();
  const key = await issue(hub);
  await write(hub, 'acme', key);
  await write(hub, 'bolt', key);
  const [warning] = await overviewWarnings(hub);
  const keyId = toText(warning?.['key_id']);

  const accepted = await runCli(['keys', 'accept', keyId, '--json'], hub.database.env);

  assert.equal(accepted.code, 0, accepted.stderr);
  await untilWarnings(hub, 0);
  await write(hub, 'crab', key);
  assert.deepEqual(await overviewWarnings(hub), []);
  const listed = await runCli(['keys', 'list'], hub.database.env);
  assert.match(listed.stdout, /any \(acme, bolt\)/);
  const entries = await hub.call('/v1/admin/audit?action=accept_key', {
    headers: { 'X-Api-Key': ADMIN_KEY },
  });
  assert.equal(valueAt(entries.json, 'entries', 0, 'entity_id'), keyId);
});

testInLongRun('a key that is issued in place of an accepted one is accepted as well', async () => {
  await using hub = await boot();
  await issue(hub);
  const listed = await runCli(['keys', 'list', '--json'], hub.database.env);
  const issued = Object.values(listed.json['keys'] ?? {}).find(
    (one) => toText(one['label']) === 'ERP',
  );
  const keyId = toText(issued?.['key_id']);
  await runCli(['keys', 'accept', keyId], hub.database.env);

  const rotated = await runCli(['keys', 'rotate', keyId, '--json'], hub.database.env);

  assert.match(toText(rotated.json['key']?.['tenants_accepted_at']), /^\d{4}-/);
});

test('the warning ends with the key', async () => {
  await using hub = await boot();
  const key = await issue(hub);
  await write(hub, 'acme', key);
  await write(hub, 'bolt', key);
  const [warning] = await overviewWarnings(hub);

  await runCli(['keys', 'revoke', toText(warning?.['key_id'])], hub.database.env);

  await untilWarnings(hub, 0);
});

test('a key that serves one tenant alone, and an admin key, cannot be accepted', async () => {
  await using hub = await boot();
  await issue(hub, 'acme');
  const listed = await runCli(['keys', 'list', '--json'], hub.database.env);
  const keys = Object.values(listed.json['keys'] ?? {});
  const bound = keys.find((one) => toText(one['label']) === 'ERP');
  const admin = keys.find((one) => toText(one['role']) === 'admin');

  for (const [key, reason] of [
    [bound, /it is bound to one tenant/],
    [admin, /it is an admin key/],
  ] as const) {
    const run = await runCli(
      ['keys', 'accept', toText(key?.['key_id']), '--json'],
      hub.database.env,
    );

    assert.equal(run.code, 1);
    assert.equal(run.json['error']?.['code'], 'key_bound');
    assert.match(run.stderr, reason);
  }
});
