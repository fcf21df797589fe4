// /v1/admin/*: what the operator sees of all tenants, with the admin key alone
// (docs/interface/traceability.md#overview-of-the-operator).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { ADMIN_KEY, TENANT_KEY, aLine, anEvent, boot, newTenant, valueAt } from '../boot.ts';
import type { Answer } from '../boot.ts';

const hub = await openForFile(boot());

/** With the admin key, and no tenant unless one is given. */
async function admin(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const response = await fetch(hub.base + path, {
    headers: { 'X-Api-Key': ADMIN_KEY, ...headers },
  });
  const text = await response.text();
  const json = JSON.parse(text) as Answer['json'];
  return { status: response.status, headers: response.headers, text, json };
}

type Row = Readonly<Record<string, unknown>>;

function readList(answer: Answer, key: string): readonly Row[] {
  assert.equal(answer.status, 200, answer.text);
  const list = valueAt(answer.json, key);
  assert.ok(Array.isArray(list));
  return list as readonly Row[];
}

/** A tenant with two lots, one of them on hold. */
async function workedTenant(): Promise<string> {
  const tenantId = newTenant();
  const headers = { 'X-Tenant-Id': tenantId };
  const lines = [aLine({ lot_code: 'FLOUR' }), aLine({ lot_code: 'YEAST' })];
  const posted = await hub.post('/v1/events', anEvent({ lines }), headers);
  assert.equal(posted.status, 201, posted.text);
  await hub.post('/v1/lots/FLOUR/hold', { reason: 'mould', by: 'Ada' }, headers);
  return tenantId;
}

test('the overview shows each tenant with its counts and when it was heard of last', async () => {
  const tenantId = await workedTenant();

  const [row, ...others] = readList(
    await admin(`/v1/admin/overview?tenant_id=${tenantId}`),
    'tenants',
  );

  const events = await hub.call('/v1/events', { headers: { 'X-Tenant-Id': tenantId } });
  assert.deepEqual(others, []);
  assert.deepEqual(row, {
    tenant_id: tenantId,
    name: tenantId,
    events: 1,
    corrections: 0,
    transactions: 2,
    lots: 2,
    lots_on_hold: 1,
    lots_recalled: 0,
    open_recalls: 0,
    last_event_at: valueAt(events.json, 'events', 0, 'recorded_at'),
  });
});

test('the overview shows the chain as the explorer does, and what the verifier found', async () => {
  await workedTenant();

  const { json } = await admin('/v1/admin/overview');

  const { stats } = (await hub.call('/public/explorer')).json;
  for (const field of ['chain_id', 'height', 'tip_hash', 'chain_valid']) {
    assert.equal(valueAt(json, 'chain', field), valueAt(stats, field), field);
  }
  assert.equal(json['first_bad_height'], null);
  assert.deepEqual(json['alarms'], []);
  assert.deepEqual(json['hub'], {
    tenants: valueAt(stats, 'brands'),
    transactions: valueAt(stats, 'transactions'),
    lots: valueAt(stats, 'lots'),
  });
});

test('the pages of the overview go through all tenants in the order of their ids', async () => {
  for (let count = 0; count < 3; count += 1) await workedTenant();
  const all = readList(await admin('/v1/admin/overview?limit=200'), 'tenants');

  const paged: unknown[] = [];
  let next: unknown = '';
  while (next !== null) {
    const after = next === '' ? '' : `&after=${String(next)}`;
    const page = await admin(`/v1/admin/overview?limit=2${after}`);
    paged.push(...readList(page, 'tenants').map((row) => row['tenant_id']));
    next = page.json['next'] ?? null;
  }

  assert.deepEqual(
    paged,
    all.map((row) => row['tenant_id']),
  );
  assert.ok(paged.length >= 3);
});

test('the header of a tenant narrows nothing, and is refused when it is none', async () => {
  const [one, two] = [await workedTenant(), await workedTenant()];

  const answer = await admin('/v1/admin/overview?limit=200', { 'X-Tenant-Id': one });
  const malformed = await admin('/v1/admin/overview', { 'X-Tenant-Id': '?' });

  const ids = readList(answer, 'tenants').map((row) => row['tenant_id']);
  assert.ok(ids.includes(one) && ids.includes(two));
  assert.equal(malformed.status, 422);
  assert.deepEqual(valueAt(malformed.json, 'detail', 0, 'loc'), ['header', 'x-tenant-id']);
});

test('a stored alarm is in the overview until it is cleared', async () => {
  await using other = await boot();
  await other.database.change(
    "insert into chain_alarms (height, code, message, found_at) values (3, 'hash_mismatch', " +
      "'block 3 is not the text that was hashed', '2026-03-04T10:00:00.000Z')",
  );

  const { json } = await other.call('/v1/admin/overview', { headers: { 'X-Api-Key': ADMIN_KEY } });

  assert.deepEqual(json['alarms'], [
    {
      height: 3,
      code: 'hash_mismatch',
      message: 'block 3 is not the text that was hashed',
      found_at: '2026-03-04T10:00:00.000Z',
    },
  ]);
});

test('the audit of the operator has the entries of all tenants, and of one when asked', async () => {
  const [one, two] = [await workedTenant(), await workedTenant()];

  const all = readList(await admin('/v1/admin/audit?action=hold_lot&limit=2'), 'entries');
  const ofOne = readList(await admin(`/v1/admin/audit?tenant_id=${one}`), 'entries');

  assert.deepEqual(
    all.map((entry) => entry['tenant_id']),
    [two, one],
  );
  assert.deepEqual(
    ofOne.map((entry) => [entry['tenant_id'], entry['action']]),
    [[one, 'hold_lot']],
  );
});

test('a refused key is in the audit of the operator, and in that of no tenant', async () => {
  const tenantId = await workedTenant();
  const wrong = 'wrong-key-0123456789-0123456789';
  const headers = { 'X-Api-Key': wrong, 'X-Tenant-Id': tenantId };
  const refused = await hub.call('/v1/lots/SECRET-LOT?q=hidden', { headers });

  const answer = await admin('/v1/admin/audit?action=refuse_key');
  const ofTenant = await hub.call('/v1/dashboard/audit', {
    headers: { 'X-Tenant-Id': tenantId },
  });

  const [entry] = readList(answer, 'entries');
  assert.equal(refused.status, 401);
  assert.deepEqual(
    [entry?.['tenant_id'], entry?.['actor'], entry?.['entity_type'], entry?.['entity_id']],
    [null, 'unknown key', 'key', 'unknown'],
  );
  assert.deepEqual(entry?.['details'], {
    client: '127.0.0.1',
    path: '/v1',
    reason: 'unknown',
    count: 1,
  });
  assert.doesNotMatch(answer.text, /wrong-key|SECRET-LOT|hidden/);
  assert.doesNotMatch(ofTenant.text, /refuse_key/);
});

test('a tenant key that asks as the operator is refused, and named by its label', async () => {
  const refused = await hub.call('/v1/admin/audit', { headers: { 'X-Api-Key': TENANT_KEY } });

  const entries = readList(await admin('/v1/admin/audit?action=refuse_key'), 'entries');

  assert.equal(refused.status, 401);
  assert.equal(refused.text, '{"detail":"Invalid API key"}');
  const entry = entries.find((one) => valueAt(one, 'details', 'path') === '/v1/admin');
  assert.equal(entry?.['actor'], 'tenant key of the settings');
  assert.equal(valueAt(entry, 'details', 'reason'), 'wrong_role');
});

test('refusals that were counted are written when the service ends', async () => {
  const first = await boot();
  for (let count = 0; count < 5; count += 1) {
    await first.call('/v1/events', { headers: { 'X-Api-Key': 'wrong' } });
  }
  await using again = await first.restart();

  const rows = await again.database.rows(
    "select details from audit_entries where action = 'refuse_key' order by id",
  );

  const counts = rows.map((row) => valueAt(JSON.parse(String(row['details'])), 'count'));
  assert.deepEqual(counts, [1, 4]);
});

for (const { query, type } of [
  { query: 'limit=0', type: 'greater_than_equal' },
  { query: 'limit=201', type: 'less_than_equal' },
  { query: 'tenant_id=%3F', type: 'string_pattern_mismatch' },
]) {
  for (const path of ['/v1/admin/overview', '/v1/admin/audit']) {
    test(`${path}?${query} is a 422 of the type ${type}`, async () => {
      const answer = await admin(`${path}?${query}`);

      assert.equal(answer.status, 422, answer.text);
      assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
    });
  }
}
