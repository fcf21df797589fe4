// POST /v1/recall/simulate as docs/interface/traceability.md#simulation describes it.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { resolveReferences } from '@lothub/kit/test/description/resolve-references';
import { anEvent, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';
import { testEngine } from '../engine.ts';

const hub = await openForFile(boot());

const line = (lot: string, direction: string, quantity: number, more: object = {}): object => ({
  lot_code: lot,
  product_sku: `SKU-${lot[0]}`,
  direction,
  quantity,
  unit: 'kg',
  ...more,
});

async function post(tenantId: string, type: string, lines: readonly object[], more: object = {}) {
  const event = anEvent({ event_type: type, lines, ...more });
  const answer = await hub.post('/v1/events', event, { 'X-Tenant-Id': tenantId });
  assert.equal(answer.status, 201, answer.text);
  return Number(answer.json['id']);
}

function simulate(tenantId: string, body: object): Promise<Answer> {
  return hub.post('/v1/recall/simulate', body, { 'X-Tenant-Id': tenantId });
}

async function simulated(tenantId: string, body: object): Promise<Json> {
  const answer = await simulate(tenantId, body);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const DELIVERED = { supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' };
const SOLD = { customer_ref: 'CUST-1', channel: 'webshop' };

/**
 * Flour F1 and salt S1 become bread B1; F1 becomes C1 besides, of which everything is disposed. B1 is
 * shipped and sold.
 */
async function bakery(): Promise<string> {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('F1', 'in', 100, DELIVERED), line('S1', 'in', 5)]);
  await post(tenantId, 'PRODUCE', [
    line('F1', 'in', 60),
    line('S1', 'in', 1),
    line('B1', 'out', 80),
  ]);
  await post(tenantId, 'PRODUCE', [line('F1', 'in', 40), line('C1', 'out', 50)]);
  await post(tenantId, 'DISPOSE', [line('C1', 'out', 50)]);
  await post(tenantId, 'SHIP', [line('B1', 'out', 30.5)], {
    occurred_at: '2026-03-03T08:00:00Z',
    location: 'DOCK-2',
    reference: 'DN-7',
  });
  await post(tenantId, 'SELL', [
    line('B1', 'out', 0.1, SOLD),
    line('B1', 'out', 0.2, SOLD),
    line('B1', 'out', 3),
  ]);
  return tenantId;
}

const codes = (json: Json, list = 'affected_lots'): unknown[] =>
  (json[list] as unknown as readonly Json[]).map((entry) => entry['lot_code']);

test('a simulation answers every part of docs/interface/traceability.md#simulation', async () => {
  const tenantId = await bakery();

  const json = await simulated(tenantId, {
    lot_code: 'F1',
    direction: 'both',
    include_disposed: false,
  });

  assert.deepEqual(
    (json['affected_lots'] as unknown as readonly Json[]).map((lot) =>
      ['lot_code', 'relation', 'distance', 'status', 'hold_status'].map((name) => lot[name]),
    ),
    [
      ['F1', 'self', 0, 'depleted', 'released'],
      ['B1', 'downstream', 1, 'active', 'released'],
    ],
  );
  assert.equal(valueAt(json, 'affected_lots', 1, 'quantities', 0, 'remaining'), 49.5);
  assert.deepEqual(json['affected_products'], ['SKU-B', 'SKU-F']);
  const [shipment] = json['shipments'] as unknown as readonly Record<string, unknown>[];
  const { event_id: id, block_height: height, ...shipped } = shipment!;
  assert.equal(id, height);
  assert.deepEqual(shipped, {
    occurred_at: '2026-03-03T08:00:00Z',
    location: 'DOCK-2',
    reference: 'DN-7',
    lot_code: 'B1',
    product_sku: 'SKU-B',
    quantity: 30.5,
    unit: 'kg',
  });
  assert.deepEqual(json['customers'], [
    {
      customer_ref: 'CUST-1',
      lots: 1,
      quantity: 0.3,
      unit: 'kg',
      channels: ['webshop'],
      first_sold_at: '2026-03-02T06:15:00Z',
      last_sold_at: '2026-03-02T06:15:00Z',
    },
  ]);
  assert.equal(valueAt(json, 'unnamed_sales', 0, 'quantity'), 3);
  assert.deepEqual(json['channels'], ['webshop']);
  assert.deepEqual(json['channel_classes'], ['online']);
  assert.equal(valueAt(json, 'suppliers', 0, 'supplier_lot_code'), 'BR-118');
  assert.equal(json['event_count'], 6);
  assert.equal(json['excluded_disposed'], 1);
  assert.deepEqual(json['suspects'], []);
  assert.equal(json['truncated'], false);
  assert.equal(typeof json['elapsed_ms'], 'number');
});

test('the chain of a simulation is the newest block that it took into account', async () => {
  const tenantId = await bakery();

  const json = await simulated(tenantId, { lot_code: 'B1' });

  const { height, block_hash: hash } = (
    await hub.call(`/public/explorer/block/${String(valueAt(json, 'chain', 'height'))}`)
  ).json;
  const { stats } = (await hub.call('/public/explorer')).json;
  assert.deepEqual(json['chain'], { height, tip_hash: hash });
  assert.equal(height, stats!['height']);
});

test('a disposed lot is shown when asked for, and what is behind it in any case', async () => {
  const tenantId = await bakery();
  await post(tenantId, 'PRODUCE', [line('C1', 'in', 0), line('D1', 'out', 1)]);

  const without = await simulated(tenantId, { lot_code: 'F1', direction: 'downstream' });
  const withThem = await simulated(tenantId, {
    lot_code: 'F1',
    direction: 'downstream',
    include_disposed: true,
  });

  assert.deepEqual(codes(without), ['F1', 'B1', 'D1']);
  assert.equal(without['excluded_disposed'], 1);
  assert.deepEqual(codes(withThem), ['F1', 'B1', 'C1', 'D1']);
  assert.equal(withThem['excluded_disposed'], 0);
});

test('who bought of a lot whose rest was disposed of is given all the same', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('F1', 'in', 10)]);
  await post(tenantId, 'SELL', [line('F1', 'out', 4, SOLD)]);
  await post(tenantId, 'DISPOSE', [line('F1', 'out', 6)]);

  const json = await simulated(tenantId, { lot_code: 'F1' });

  assert.deepEqual(json['affected_lots'], []);
  assert.equal(json['excluded_disposed'], 1);
  assert.equal(valueAt(json, 'customers', 0, 'quantity'), 4);
  assert.deepEqual(json['affected_products'], ['SKU-F']);
});

for (const [direction, expected] of [
  ['upstream', ['B1', 'F1', 'S1']],
  ['backward', ['B1', 'F1', 'S1']],
  ['downstream', ['B1']],
  ['forward', ['B1']],
  ['both', ['B1', 'F1', 'S1']],
] as const) {
  test(`the direction ${direction} covers what it says, and never siblings`, async () => {
    const tenantId = await bakery();

    const json = await simulated(tenantId, { lot_code: 'B1', direction });

    assert.deepEqual(codes(json), expected);
  });
}

test('suspects are ancestors, and first the one that would add most', async () => {
  const tenantId = await bakery();

  const json = await simulated(tenantId, { lot_code: 'B1' });

  assert.deepEqual(json['suspects'], [
    { lot_code: 'F1', product_sku: 'SKU-F', distance: 1, further_lots: 1 },
    { lot_code: 'S1', product_sku: 'SKU-S', distance: 1, further_lots: 0 },
  ]);
  assert.equal(json['suspects_truncated'], false);
});

test('the code of a supplier’s lot covers what came in under it and what was made of that', async () => {
  const tenantId = await bakery();

  const json = await simulated(tenantId, { lot_code: 'BR-118', include_disposed: true });

  assert.equal(json['seed_type'], 'supplier_lot');
  assert.deepEqual(codes(json), ['F1', 'B1', 'C1']);
  assert.deepEqual(
    (json['affected_lots'] as unknown as readonly Json[]).map((lot) => lot['distance']),
    [1, 2, 2],
  );
});

test('a lot code of several suppliers is answered when one of them is named', async () => {
  const tenantId = newTenant();
  const from = (supplier_name: string | null, lot: string) =>
    line(lot, 'in', 1, { supplier_name, supplier_lot_code: 'L-7' });
  await post(tenantId, 'RECEIVE', [from('Mill', 'F1'), from('Dairy', 'M1'), from(null, 'X1')]);
  await post(tenantId, 'RECEIVE', [line('L-7', 'in', 1)]);
  const ask = (supplier_name?: string) => simulate(tenantId, { lot_code: 'L-7', supplier_name });

  const own = await ask();
  const mill = await ask('Mill');
  const nobody = await ask('Baker');

  assert.deepEqual([own.json['seed_type'], codes(own.json)], ['lot', ['L-7']]);
  // What names no supplier may be of any of them.
  assert.deepEqual([mill.json['seed_type'], codes(mill.json)], ['supplier_lot', ['F1', 'X1']]);
  assert.equal(nobody.status, 404);
});

test('a lot code of several suppliers without an own lot is a 409 that names them', async () => {
  const tenantId = newTenant();
  const from = (supplier_name: string | null, lot: string) =>
    line(lot, 'in', 1, { supplier_name, supplier_lot_code: 'L-8' });
  await post(tenantId, 'RECEIVE', [from('Mill', 'F1'), from('Dairy', 'M1')]);

  const several = await simulate(tenantId, { lot_code: 'L-8' });
  const dairy = await simulate(tenantId, { lot_code: 'L-8', supplier_name: 'Dairy' });

  assert.equal(several.status, 409);
  assert.deepEqual(several.json['suppliers'], ['Dairy', 'Mill']);
  assert.deepEqual(codes(dairy.json), ['M1']);
});

test('an unknown lot and one of another tenant are the same 404', async () => {
  const tenantId = await bakery();
  const other = newTenant();
  await post(other, 'RECEIVE', [line('Z1', 'in', 1, { supplier_lot_code: 'Z-SUP' })]);

  const answers = await Promise.all([
    simulate(tenantId, { lot_code: 'never' }),
    simulate(tenantId, { lot_code: 'Z1' }),
    simulate(tenantId, { lot_code: 'Z-SUP' }),
    simulate(newTenant(), { lot_code: 'Z1' }),
  ]);

  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.equal(answer.text, answers[0].text);
  }
});

for (const [body, loc, type] of [
  [{}, ['body', 'lot_code'], 'missing'],
  [{ lot_code: 7 }, ['body', 'lot_code'], 'string_type'],
  [{ lot_code: 'B1', direction: 'sideways' }, ['body', 'direction'], 'enum'],
  [{ lot_code: 'B1', include_disposed: 'yes' }, ['body', 'include_disposed'], 'bool_type'],
  [{ lot_code: 'B1', as_of_height: -1 }, ['body', 'as_of_height'], 'greater_than_equal'],
  [{ lot_code: 'B1', as_of_height: 1e9 }, ['body', 'as_of_height'], 'less_than_equal'],
  [{ lot_code: 'B1', depth: 3 }, ['body', 'depth'], 'extra_forbidden'],
] as const) {
  test(`${JSON.stringify(body)} is a 422 that says ${type}`, async () => {
    const tenantId = await bakery();

    const answer = await simulate(tenantId, body);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), loc);
    assert.equal(valueAt(answer.json, 'detail', 0, 'type'), type);
  });
}

test('as of a height, what was recorded and corrected later does not count', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('F1', 'in', 10)]);
  const height = await post(tenantId, 'SELL', [line('F1', 'out', 4, SOLD)]);
  await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: height,
      reason: 'typing error',
      requested_by: 'Ada',
      changes: [
        { field: 'lines[0].quantity', old_value: 4, new_value: 5 },
        { field: 'lines[0].customer_ref', old_value: 'CUST-1', new_value: 'CUST-2' },
      ],
    },
    { 'X-Tenant-Id': tenantId },
  );
  await post(tenantId, 'PRODUCE', [line('F1', 'in', 1), line('B1', 'out', 1)]);

  const then = await simulated(tenantId, { lot_code: 'F1', as_of_height: height });
  const now = await simulated(tenantId, { lot_code: 'F1' });
  const unknown = await simulate(tenantId, { lot_code: 'B1', as_of_height: height });

  const bought = (json: Json): unknown[] =>
    ['customer_ref', 'quantity'].map((name) => valueAt(json, 'customers', 0, name));
  assert.deepEqual(codes(then), ['F1']);
  assert.deepEqual(bought(then), ['CUST-1', 4]);
  assert.equal(valueAt(then, 'affected_lots', 0, 'quantities', 0, 'remaining'), 6);
  assert.equal(valueAt(then, 'chain', 'height'), height);
  assert.deepEqual(codes(now), ['F1', 'B1']);
  assert.deepEqual(bought(now), ['CUST-2', 5]);
  assert.equal(unknown.status, 404);
});

test('as of a height, a lot is on hold when it was so then', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('F1', 'in', 10)]);
  await hub.post('/v1/lots/F1/hold', { reason: 'wet', by: 'Ada' }, { 'X-Tenant-Id': tenantId });
  const held = await post(tenantId, 'RECEIVE', [line('F1', 'in', 1)]);
  await hub.post('/v1/lots/F1/release', { by: 'Ada' }, { 'X-Tenant-Id': tenantId });

  const statusAt = async (asked: object): Promise<unknown> =>
    valueAt(
      await simulated(tenantId, { lot_code: 'F1', ...asked }),
      'affected_lots',
      0,
      'hold_status',
    );

  assert.equal(await statusAt({ as_of_height: held }), 'on_hold');
  assert.equal(await statusAt({}), 'released');
});

test('a customer whose values are gone is erased, and one that was never named is not', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'SELL', [
    line('F1', 'out', 2, SOLD),
    line('F1', 'out', 3, { customer_ref: 'CUST-9', channel: 'store' }),
    line('F1', 'out', 4),
  ]);
  const erased = await hub.post(
    '/v1/privacy/erase',
    { customer_ref: SOLD.customer_ref },
    { 'X-Tenant-Id': tenantId },
  );
  assert.equal(erased.status, 200, erased.text);

  const json = await simulated(tenantId, { lot_code: 'F1' });

  const customers = json['customers'] as unknown as readonly Record<string, unknown>[];
  assert.deepEqual(
    customers.map((customer) => [
      customer['customer_ref'],
      customer['erased'],
      customer['quantity'],
    ]),
    [
      ['CUST-9', undefined, 3],
      ['erased', true, 2],
    ],
  );
  // Of the channel its class is on the chain.
  assert.deepEqual(json['channels'], ['online', 'store']);
  assert.equal(valueAt(json, 'unnamed_sales', 0, 'quantity'), 4);
});

test('a sale that a correction has declared void reaches no customer and is no event', async () => {
  const tenantId = newTenant();
  await post(tenantId, 'RECEIVE', [line('F1', 'in', 10)]);
  await post(tenantId, 'SELL', [line('F1', 'out', 2, SOLD)]);
  const height = await post(tenantId, 'SELL', [
    line('F1', 'out', 3, { customer_ref: 'CUST-9', channel: 'store' }),
  ]);
  const before = await simulated(tenantId, { lot_code: 'F1' });
  const voided = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: height,
      reason: 'It did not happen',
      requested_by: 'Ada',
      changes: [{ field: 'status', old_value: 'accepted', new_value: 'voided' }],
    },
    { 'X-Tenant-Id': tenantId },
  );
  assert.equal(voided.status, 201, voided.text);

  const after = await simulated(tenantId, { lot_code: 'F1' });

  const listCustomers = (json: Json): readonly unknown[] =>
    (json['customers'] as unknown as readonly Json[]).map((customer) => customer['customer_ref']);
  assert.deepEqual(listCustomers(before), ['CUST-1', 'CUST-9']);
  assert.deepEqual(listCustomers(after), ['CUST-1']);
  assert.deepEqual([before['event_count'], after['event_count']], [3, 2]);
});

test('a simulation writes one entry of the audit and nothing else', async () => {
  const tenantId = await bakery();
  const before = await everyTable();

  await simulated(tenantId, { lot_code: 'B1' });
  await simulate(tenantId, { lot_code: 'never' });

  const { audit_entries: entries, ...others } = await everyTable();
  const { audit_entries: entriesBefore, ...othersBefore } = before;
  assert.deepEqual(others, othersBefore);
  const added = entries!.filter((entry) => !entriesBefore!.includes(entry));
  assert.equal(added.length, 1);
  const {
    id: _id,
    at: _at,
    request_id: _request,
    ...entry
  } = JSON.parse(added[0]!) as Record<string, unknown>;
  assert.deepEqual(entry, {
    tenant_id: tenantId,
    actor: 'tenant key of the settings',
    action: 'simulate_recall',
    entity_type: 'lot',
    entity_id: 'B1',
    block_height: valueAt((await hub.call('/public/explorer')).json, 'stats', 'height'),
    details: '{"direction":"both","affected_lots":3}',
  });
});

/** Every row of every table but those that a running service keeps for itself. */
async function everyTable(): Promise<Record<string, readonly string[]>> {
  const names = await hub.database.rows(
    testEngine === 'sqlite'
      ? "select name from sqlite_schema where type = 'table' and name not like 'lot_search%'"
      : "select tablename as name from pg_tables where schemaname = 'public'",
  );
  const tables: Record<string, readonly string[]> = {};
  for (const name of names.map((row) => String(row['name'])).sort()) {
    if (RUNNING.has(name)) continue;
    const rows = await hub.database.rows(`select * from ${name}`);
    tables[name] = rows.map((row) => JSON.stringify(row)).sort();
  }
  return tables;
}

/** Written by the service on its own, whatever is asked of it. */
const RUNNING: ReadonlySet<string> = new Set([
  'leases',
  'rate_counts',
  'verifier_progress',
  'lot_search_through',
  'block_hashes',
  'block_hashes_through',
  // When keys were used last is written every few seconds.
  'key_uses',
  'recall_progress',
  // Entries from before get their places in the chain of the audit.
  'audit_chain',
  'audit_progress',
]);

test('the answer has the shape that the description gives it', async () => {
  const tenantId = await bakery();
  const description = resolveReferences((await hub.call('/openapi.json')).json);

  const json = await simulated(tenantId, { lot_code: 'B1', include_disposed: true });

  const schema = valueAt(
    description,
    ...['paths', '/v1/recall/simulate', 'post', 'responses', '200'],
    ...['content', 'application/json', 'schema', 'properties'],
  );
  assert.deepEqual(Object.keys(json).sort(), Object.keys(schema as object).sort());
});
