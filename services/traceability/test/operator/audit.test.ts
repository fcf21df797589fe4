// GET /v1/dashboard/audit: who did what, as the tenant reads it (docs/interface/traceability.md#audit).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { untilChained } from '../audit/chained.ts';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';

const hub = await openForFile(boot());

interface Entry {
  readonly id: number;
  readonly action: string;
  readonly entity_id: string;
  readonly [field: string]: unknown;
}

async function audit(tenantId: string, query = ''): Promise<Answer> {
  const headers = { 'X-Tenant-Id': tenantId };
  return await hub.call(`/v1/dashboard/audit${query}`, { headers });
}

async function readEntries(tenantId: string, query = ''): Promise<readonly Entry[]> {
  const answer = await audit(tenantId, query);
  assert.equal(answer.status, 200, answer.text);
  const entries = valueAt(answer.json, 'entries');
  assert.ok(Array.isArray(entries));
  return entries as readonly Entry[];
}

async function post(tenantId: string, path: string, body: object): Promise<Answer> {
  const answer = await hub.post(path, body, { 'X-Tenant-Id': tenantId });
  assert.ok([200, 201].includes(answer.status), answer.text);
  return answer;
}

/** Two lots, the first of which is held, used all the same, and released: three entries. */
async function workedTenant(): Promise<{ readonly tenantId: string; readonly breach: number }> {
  const tenantId = newTenant();
  const lines = [aLine({ lot_code: 'FLOUR' }), aLine({ lot_code: 'YEAST' })];
  await post(tenantId, '/v1/events', anEvent({ lines }));
  await post(tenantId, '/v1/lots/FLOUR/hold', { reason: 'smells of mould', by: 'Ada' });
  const { json } = await post(tenantId, '/v1/events', anEvent({ event_type: 'DISPOSE', lines }));
  await post(tenantId, '/v1/lots/FLOUR/release', { by: 'Bo' });
  return { tenantId, breach: Number(json['id']) };
}

test('a tenant that did nothing that is audited has an empty audit', async () => {
  const answer = await audit(newTenant());

  assert.deepEqual(answer.json, { entries: [], next: null });
});

test('entries say who did what to which thing, newest first', async () => {
  const { tenantId, breach } = await workedTenant();

  const entries = await readEntries(tenantId);

  const [release, ...others] = entries;
  assert.deepEqual(Object.keys(release ?? {}).toSorted(), [
    'action',
    'actor',
    'at',
    'block_height',
    'details',
    'entity_id',
    'entity_type',
    'hash',
    'id',
    'prev_hash',
    'request_id',
    'sequence',
    'tenant_id',
  ]);
  assert.match(String(release?.['at']), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  assert.equal(release?.['tenant_id'], tenantId);
  assert.equal(release?.['actor'], 'tenant key of the settings (Bo)');
  assert.equal(typeof release?.['request_id'], 'string');
  const noted = [release, ...others].map((entry) => [
    entry?.action,
    entry?.['entity_type'],
    entry?.entity_id,
    entry?.['block_height'],
  ]);
  assert.deepEqual(noted, [
    ['release_lot', 'lot', 'FLOUR', breach + 1],
    ['hold_breach', 'lot', 'FLOUR', breach],
    ['hold_lot', 'lot', 'FLOUR', breach - 1],
  ]);
  assert.deepEqual(others[1]?.['details'], { source: 'manual', reason: 'smells of mould' });
});

test('pages follow each other without a gap', async () => {
  const { tenantId } = await workedTenant();
  // An entry says its place in the chain once it has one.
  await untilChained(hub);
  const all = await readEntries(tenantId);

  const first = await audit(tenantId, '?limit=2');
  const second = await audit(tenantId, `?limit=2&before=${String(first.json['next'])}`);

  const paged = [...asList(first), ...asList(second)];
  assert.deepEqual(paged, all);
  assert.equal(second.json['next'], null);
});

function asList({ json }: Answer): readonly unknown[] {
  const entries = valueAt(json, 'entries');
  assert.ok(Array.isArray(entries));
  return entries;
}

test('filters narrow by action, by kind of thing, by thing, and together', async () => {
  const { tenantId } = await workedTenant();
  await post(tenantId, '/v1/lots/YEAST/hold', { reason: 'late', by: 'Ada' });

  const readIds = async (query: string): Promise<readonly string[]> =>
    (await readEntries(tenantId, query)).map((entry) => `${entry.action} ${entry.entity_id}`);

  assert.deepEqual(await readIds('?action=hold_lot'), ['hold_lot YEAST', 'hold_lot FLOUR']);
  assert.deepEqual(await readIds('?entity_id=YEAST'), ['hold_lot YEAST']);
  assert.deepEqual(await readIds('?entity_type=event'), []);
  assert.deepEqual(await readIds('?entity_type=lot&entity_id=FLOUR&action=hold_breach'), [
    'hold_breach FLOUR',
  ]);
  assert.deepEqual(await readIds('?action=hold_lot&entity_id=FLOUR&limit=1'), ['hold_lot FLOUR']);
  assert.deepEqual(await readIds('?entity_type=lot&limit=1'), ['hold_lot YEAST']);
});

test('a page that ends between entries that match says where the next one begins', async () => {
  const { tenantId } = await workedTenant();
  await untilChained(hub);

  const query = '?entity_type=lot&limit=1';
  const first = await audit(tenantId, query);
  const second = await audit(tenantId, `${query}&before=${String(first.json['next'])}`);

  assert.deepEqual(
    [...asList(first), ...asList(second)],
    (await readEntries(tenantId)).slice(0, 2),
  );
});

for (const { query, type } of [
  { query: 'limit=0', type: 'greater_than_equal' },
  { query: 'limit=201', type: 'less_than_equal' },
  { query: 'before=0', type: 'greater_than_equal' },
  { query: 'action=think', type: 'enum' },
  { query: 'entity_type=planet', type: 'enum' },
]) {
  test(`${query} is a 422 of the type ${type}`, async () => {
    const answer = await audit(newTenant(), `?${query}`);

    assert.equal(answer.status, 422, answer.text);
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
  });
}

test('the audit of one tenant shows nothing of another', async () => {
  const spy = newTenant();
  await workedTenant();

  for (const query of ['', '?entity_id=FLOUR', '?action=hold_lot', '?entity_type=lot']) {
    assert.deepEqual(await readEntries(spy, query), [], query);
  }
});

test('a change of the brand is in the audit, with what it changed; the same again is not', async () => {
  const tenantId = newTenant();
  const change = () =>
    hub.call('/v1/brand', {
      method: 'PATCH',
      headers: { 'X-Tenant-Id': tenantId, 'Content-Type': 'application/json' },
      body: JSON.stringify({ name: 'Old Mill', website: 'https://mill.example' }),
    });

  await change();
  await change();

  const [entry, ...others] = await readEntries(tenantId);
  assert.deepEqual(others, []);
  assert.deepEqual(
    [entry?.action, entry?.['entity_type'], entry?.entity_id, entry?.['details']],
    ['update_brand', 'brand', tenantId, { name: 'Old Mill', website: 'https://mill.example' }],
  );
});
