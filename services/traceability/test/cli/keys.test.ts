// `lothub keys` against a database and against a running service.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { until } from '@lothub/kit/test/until';
import { TENANT_KEY, boot, type Booted } from '../boot.ts';
import { runCli, toText } from './run.ts';

const HASH = /[0-9a-f]{64}/;

async function statusWith(hub: Booted, key: string, tenant = 'acme'): Promise<number> {
  const headers = { 'X-Api-Key': key, 'X-Tenant-Id': tenant };
  return (await hub.call('/v1/events', { headers })).status;
}

async function untilStatus(hub: Booted, key: string, status: number): Promise<void> {
  await until(`the service answers ${status}`, async () => (await statusWith(hub, key)) === status);
}

test('an issued key opens the running service, and only for the tenant it is bound to', async () => {
  await using hub = await boot();
  const env = hub.database.env;

  const args = [
    'keys',
    'issue',
    '--role',
    'tenant',
    '--label',
    'ERP',
    '--tenant',
    'acme',
    '--json',
  ];
  const issued = await runCli(args, env);

  assert.equal(issued.code, 0);
  const key = toText(issued.json['key']?.['key']);
  await untilStatus(hub, key, 200);
  assert.equal(await statusWith(hub, key, 'other'), 401);
});

test('a revoked key is refused by the running service within seconds', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const args = ['keys', 'issue', '--role', 'tenant', '--label', 'a', '--any-tenant', '--json'];
  const issued = await runCli(args, env);
  const key = toText(issued.json['key']?.['key']);
  await untilStatus(hub, key, 200);

  const revoked = await runCli(['keys', 'revoke', toText(issued.json['key']?.['key_id'])], env);

  assert.equal(revoked.code, 0);
  await untilStatus(hub, key, 401);
});

test('a rotated key gives way to a new one of the same kind at once when nothing overlaps', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const issue = ['keys', 'issue', '--role', 'tenant', '--label', 'till', '--tenant', 'acme'];
  const old = (await runCli([...issue, '--json'], env)).json['key'];

  const args = ['keys', 'rotate', toText(old?.['key_id']), '--overlap-hours', '0', '--json'];
  const rotated = (await runCli(args, env)).json;

  await untilStatus(hub, toText(rotated['key']?.['key']), 200);
  assert.equal(await statusWith(hub, toText(old?.['key'])), 401);
  assert.deepEqual(
    ['role', 'label', 'tenant_id'].map((name) => rotated['key']?.[name]),
    ['tenant', 'till', 'acme'],
  );
});

test('a rotated key stays valid for as long as it overlaps', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const issue = ['keys', 'issue', '--role', 'tenant', '--label', 'till', '--any-tenant', '--json'];
  const old = (await runCli(issue, env)).json['key'];

  const args = ['keys', 'rotate', toText(old?.['key_id']), '--overlap-hours', '2', '--json'];
  const rotated = (await runCli(args, env)).json;

  await untilStatus(hub, toText(rotated['key']?.['key']), 200);
  assert.equal(await statusWith(hub, toText(old?.['key'])), 200);
  const until = Date.parse(toText(rotated['replaces']?.['valid_until']));
  assert.ok(Math.abs(until - Date.now() - 2 * 3_600_000) < 60_000);
});

test('a list of keys shows neither keys nor their hashes', async () => {
  await using hub = await boot();

  const table = await runCli(['keys', 'list'], hub.database.env);
  const json = await runCli(['keys', 'list', '--json'], hub.database.env);

  assert.match(table.stdout, /^key id +role +tenant +limit +state +created +last used +label\n/);
  assert.equal(table.stdout.trimEnd().split('\n').length, 3);
  for (const { stdout } of [table, json]) {
    assert.doesNotMatch(stdout, HASH);
    assert.ok(!stdout.includes(TENANT_KEY));
  }
});

test('whoever revokes a key of the settings is asked to change the setting', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const keys = (await runCli(['keys', 'list', '--json'], env)).json['keys'];
  const admin = Object.values(keys ?? {}).find((key) => toText(key['role']) === 'admin');

  const run = await runCli(['keys', 'revoke', toText(admin?.['key_id'])], env);

  assert.equal(run.code, 0);
  assert.match(run.stderr, /change ADMIN_API_KEY as well/);
});

test('an admin key is never bound to a tenant', async () => {
  await using hub = await boot();

  const args = ['keys', 'issue', '--role', 'admin', '--label', 'a', '--tenant', 'acme'];
  const run = await runCli(args, hub.database.env);

  assert.equal(run.code, 2);
  assert.match(run.stderr, /spans all tenants; leave --tenant out/);
});

for (const action of ['rotate', 'revoke']) {
  test(`keys ${action} of a key that is not there ends with 1`, async () => {
    await using hub = await boot();

    const run = await runCli(['keys', action, 'nobody', '--json'], hub.database.env);

    assert.equal(run.code, 1);
    assert.equal(run.json['error']?.['code'], 'key_not_found');
  });
}

test('a label cannot bring control characters to the terminal', async () => {
  await using hub = await boot();

  const args = ['keys', 'issue', '--role', 'tenant', '--any-tenant', '--label', 'a\u001b[2J'];
  const run = await runCli(args, hub.database.env);

  assert.equal(run.code, 2);
  assert.match(run.stderr, /printable characters/);
});

test('a tenant key names its tenant unless it is asked to serve any', async () => {
  await using hub = await boot();
  const issue = ['keys', 'issue', '--role', 'tenant', '--label', 'ERP', '--json'];

  const unnamed = await runCli(issue, hub.database.env);
  const both = await runCli([...issue, '--tenant', 'acme', '--any-tenant'], hub.database.env);
  const bound = await runCli([...issue, '--tenant', 'acme'], hub.database.env);
  const unbound = await runCli([...issue, '--any-tenant'], hub.database.env);

  assert.equal(unnamed.code, 2);
  assert.match(unnamed.stderr, /name the tenant that it is for with --tenant/);
  assert.equal(both.code, 2);
  assert.match(both.stderr, /'--tenant <ID>' cannot be used with option '--any-tenant'/);
  assert.deepEqual([bound.code, bound.json['key']?.['tenant_id']], [0, 'acme']);
  assert.deepEqual([unbound.code, unbound.json['key']?.['tenant_id']], [0, null]);
});

test('an admin key is issued without a tenant, and never for any', async () => {
  await using hub = await boot();
  const issue = ['keys', 'issue', '--role', 'admin', '--label', 'staff'];

  const plain = await runCli(issue, hub.database.env);
  const forAny = await runCli([...issue, '--any-tenant'], hub.database.env);

  assert.equal(plain.code, 0);
  assert.equal(forAny.code, 2);
  assert.match(forAny.stderr, /spans all tenants; leave --any-tenant out/);
});

test('a key is issued with a limit, keeps it when it is rotated, and the list says so', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const issue = ['keys', 'issue', '--role', 'tenant', '--label', 'BI', '--tenant', 'acme'];

  const issued = await runCli([...issue, '--limit', 'read', '--json'], env);
  const keyId = toText(issued.json['key']?.['key_id']);
  const rotated = await runCli(['keys', 'rotate', keyId, '--json'], env);
  const spoken = await runCli([...issue, '--limit', 'post-events'], env);
  const listed = await runCli(['keys', 'list'], env);

  assert.equal(issued.json['key']?.['limited_to'], 'read');
  assert.equal(rotated.json['key']?.['limited_to'], 'read');
  assert.match(spoken.stdout, /tenant key for acme, limited to post-events\./);
  const limits = listed.stdout.match(/ (?:read|post-events|all) /g)?.map((word) => word.trim());
  assert.deepEqual(limits?.toSorted(), ['all', 'all', 'post-events', 'read', 'read']);
});

for (const [args, code, message] of [
  [['--role', 'admin', '--limit', 'read'], 2, /it has no limit; leave --limit out/],
  [['--role', 'tenant', '--tenant', 'acme', '--limit', 'write'], 2, /Allowed choices are read/],
] as const) {
  test(`keys issue ${args.join(' ')} is refused`, async () => {
    await using hub = await boot();

    const run = await runCli(['keys', 'issue', '--label', 'a', ...args], hub.database.env);

    assert.equal(run.code, code);
    assert.match(run.stderr, message);
  });
}

test('the list says when a key was used last, once the process has written it', async () => {
  const first = await boot();
  const before = new Date();
  assert.equal(await statusWith(first, TENANT_KEY), 200);

  await using again = await first.restart();

  const listed = await runCli(['keys', 'list', '--json'], again.database.env);
  const keys = Object.values(listed.json['keys'] ?? {});
  const used = keys.find((key) => toText(key['role']) === 'tenant');
  const unused = keys.find((key) => toText(key['role']) === 'admin');
  const lastUsedAt = toText(used?.['last_used_at']);
  assert.match(lastUsedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
  assert.ok(Math.abs(Date.parse(lastUsedAt) - before.getTime()) <= 120_000);
  assert.equal(unused?.['last_used_at'], null);
});

test('a file is imported with a key that only posts events', async () => {
  await using hub = await boot();
  const env = hub.database.env;
  const issue = ['keys', 'issue', '--role', 'tenant', '--label', 'a', '--tenant', 'acme'];
  const issued = await runCli([...issue, '--limit', 'post-events', '--json'], env);
  const key = toText(issued.json['key']?.['key']);
  await untilStatus(hub, key, 403);
  const file = join(hub.dataDir, 'events.csv');
  const header =
    'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';
  const row = 'RECEIVE,2026-03-02T07:15:00Z,SHOP,SO-7,FLOUR-1,SKU,in,1,pcs';
  await writeFile(file, `${header}\n${row}\n`);

  const args = ['import', file, '--url', hub.base, '--tenant', 'acme'];
  const run = await runCli(args, { ...env, TENANT_API_KEY: key });

  assert.equal(run.code, 0, run.stderr);
});
