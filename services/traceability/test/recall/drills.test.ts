// /v1/recall/drills: a trace against the clock that leaves nothing behind but its evidence
// (docs/interface/traceability.md#drills).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';

const hub = await openForFile(boot());

const line = (lotCode: string, direction: 'in' | 'out', changes: object = {}) =>
  aLine({ lot_code: lotCode, product_sku: lotCode, direction, quantity: 10, ...changes });

/** Flour from a mill into bread, which is shipped and sold; and salt, which has nothing to do with it. */
const CHAIN = [
  anEvent({ lines: [line('FLOUR', 'in', { quantity: 100, supplier_lot_code: 'MILL-9' })] }),
  anEvent({ lines: [line('SALT', 'in')] }),
  anEvent({
    event_type: 'PRODUCE',
    lines: [
      line('FLOUR', 'in', { quantity: 40 }),
      line('BREAD', 'out', { quantity: 60, unit: 'pcs' }),
    ],
  }),
  anEvent({ event_type: 'SHIP', lines: [line('BREAD', 'out', { quantity: 50, unit: 'pcs' })] }),
  anEvent({
    event_type: 'SELL',
    lines: [
      line('BREAD', 'out', {
        quantity: 75,
        unit: 'pcs',
        customer_ref: 'CUST-77',
        channel: 'Corner shop',
      }),
    ],
  }),
];

async function bakery(): Promise<string> {
  const tenantId = newTenant();
  const answer = await hub.post('/v1/events/batch', CHAIN, { 'X-Tenant-Id': tenantId });
  assert.equal(answer.status, 201, answer.text);
  return tenantId;
}

async function drill(tenantId: string, body: object = {}): Promise<Answer> {
  return await hub.post('/v1/recall/drills', body, { 'X-Tenant-Id': tenantId });
}

async function get(tenantId: string, path: string): Promise<Answer> {
  return await hub.call(path, { headers: { 'X-Tenant-Id': tenantId } });
}

test('a lot that is an ancestor and a descendant is counted as each', async () => {
  const tenantId = newTenant();
  const rework = [
    ['SOUR', 'DOUGH'],
    ['DOUGH', 'SOUR'],
  ].map(([from = '', to = '']) =>
    anEvent({ event_type: 'PRODUCE', lines: [line(from, 'in'), line(to, 'out')] }),
  );
  await hub.post('/v1/events/batch', rework, { 'X-Tenant-Id': tenantId });

  const { json } = await drill(tenantId, { lot_code: 'SOUR' });

  assert.partialDeepStrictEqual(json['result'], { lots: 2, upstream: 1, downstream: 1 });
});

test('a drill traces the lot in both directions and adds up what it finds', async () => {
  const tenantId = await bakery();

  const { status, json, text } = await drill(tenantId, { lot_code: 'FLOUR', drilled_by: 'Ada' });

  assert.equal(status, 201, text);
  const { balance, ...counts } = json['result'] ?? {};
  assert.deepEqual(counts, {
    seed: 'own',
    lots: 2,
    upstream: 0,
    downstream: 1,
    products: 2,
    events: 4,
    shipments: 1,
    customers: 1,
    suppliers: 1,
    truncated: false,
    balance_truncated: false,
  });
  const nothing = {
    ...{ returned: 0, packed: 0, packed_from: 0, disposed: 0 },
    ...{ delivered: 0, delivered_and_sold: 0 },
  };
  assert.deepEqual(balance, [
    {
      ...nothing,
      product_sku: 'BREAD',
      unit: 'pcs',
      received: 0,
      produced: 60,
      consumed: 0,
      shipped: 50,
      sold: 75,
      remaining: -15,
      accounted_percent: 125,
    },
    {
      ...nothing,
      product_sku: 'FLOUR',
      unit: 'kg',
      received: 100,
      produced: 0,
      consumed: 40,
      shipped: 0,
      sold: 0,
      remaining: 60,
      accounted_percent: 100,
    },
  ]);
});

test('a drill says when it was made, by whom, on which block, and how long it took', async () => {
  const tenantId = await bakery();

  const explorer = await hub.call('/public/explorer');

  const { json } = await drill(tenantId, { lot_code: 'BREAD', drilled_by: 'Ada' });

  assert.equal(json['lot_code'], 'BREAD');
  assert.equal(json['drilled_by'], 'tenant key of the settings (Ada)');
  assert.match(String(json['drilled_at']), /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  assert.ok(Number(json['elapsed_ms']) > 0);
  assert.deepEqual(json['chain'], {
    height: valueAt(explorer.json, 'stats', 'height'),
    tip_hash: valueAt(explorer.json, 'stats', 'tip_hash'),
  });
});

test('a drill without a lot takes one of the tenant', async () => {
  const tenantId = await bakery();

  const drilled = new Set<unknown>();
  for (let count = 0; count < 30; count += 1) drilled.add((await drill(tenantId)).json['lot_code']);

  assert.deepEqual([...drilled].map(String).toSorted(), ['BREAD', 'FLOUR', 'SALT']);
});

test('a drill may be asked for without a body', async () => {
  const tenantId = await bakery();

  const answer = await hub.call('/v1/recall/drills', {
    method: 'POST',
    headers: { 'X-Tenant-Id': tenantId },
  });

  assert.equal(answer.status, 201, answer.text);
});

test('a lot code of a supplier can be drilled', async () => {
  const tenantId = await bakery();

  const { json } = await drill(tenantId, { lot_code: 'MILL-9' });

  assert.equal(valueAt(json, 'result', 'seed'), 'supplier');
  assert.equal(valueAt(json, 'result', 'lots'), 2);
});

test('an unknown lot is a 404, the same as that of another tenant', async () => {
  const [tenantId] = [await bakery(), newTenant()];
  const spy = newTenant();
  await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': spy });

  const unknown = await drill(tenantId, { lot_code: 'NOTHING' });
  const others = await drill(spy, { lot_code: 'BREAD' });

  assert.deepEqual([unknown.status, others.status], [404, 404]);
  assert.equal(others.text, unknown.text);
});

test('a tenant without lots has nothing to drill', async () => {
  const answer = await drill(newTenant());

  assert.equal(answer.status, 400, answer.text);
});

test('wrong fields of a drill are a 422', async () => {
  const answer = await drill(await bakery(), { lot_code: '', colour: 'red' });

  assert.equal(answer.status, 422, answer.text);
});

test('drills are kept, newest first, and each can be read again', async () => {
  const tenantId = await bakery();
  const made: Answer[] = [];
  for (const lotCode of ['FLOUR', 'BREAD', 'SALT']) {
    made.push(await drill(tenantId, { lot_code: lotCode }));
  }

  const first = await get(tenantId, '/v1/recall/drills?limit=2');
  const second = await get(
    tenantId,
    `/v1/recall/drills?limit=2&before=${String(first.json['next'])}`,
  );
  const again = await get(tenantId, `/v1/recall/drills/${String(made[0]?.json['id'])}`);

  const listCodes = ({ json }: Answer): readonly unknown[] =>
    [0, 1].map((index) => valueAt(json, 'drills', index, 'lot_code'));
  assert.deepEqual(
    [...listCodes(first), ...listCodes(second)],
    ['SALT', 'BREAD', 'FLOUR', undefined],
  );
  assert.equal(second.json['next'], null);
  assert.equal(valueAt(first.json, 'drills', 0, 'result', 'balance'), undefined);
  assert.deepEqual(again.json, made[0]?.json);
});

test('drills of another tenant are not there', async () => {
  const spy = newTenant();
  const { json } = await drill(await bakery());

  const list = await get(spy, '/v1/recall/drills');
  const one = await get(spy, `/v1/recall/drills/${String(json['id'])}`);

  assert.deepEqual(list.json, { drills: [], next: null });
  assert.equal(one.status, 404);
});

test('a drill names no customer and no channel', async () => {
  const tenantId = await bakery();
  const made = await drill(tenantId, { lot_code: 'BREAD' });

  const kept = await hub.database.rows('select result from recall_drills');

  assert.doesNotMatch(`${made.text} ${JSON.stringify(kept)}`, /CUST-77|Corner shop/);
});

test('a drill is in the audit and on the dashboard', async () => {
  const tenantId = await bakery();
  const before = await get(tenantId, '/v1/dashboard/summary');
  const { json } = await drill(tenantId, { lot_code: 'BREAD', drilled_by: 'Ada' });

  const summary = await get(tenantId, '/v1/dashboard/summary');
  const audit = await get(tenantId, '/v1/dashboard/audit');

  const isDrilled = (answer: Answer): unknown => valueAt(answer.json, 'compliance', 'checks', 8);
  const check = { code: 'drilled_in_time', of: 1, sample: [] };
  assert.deepEqual(isDrilled(before), { ...check, ok: false, count: 1 });
  assert.deepEqual(isDrilled(summary), { ...check, ok: true, count: 0 });
  assert.deepEqual(valueAt(summary.json, 'compliance', 'last_drill'), {
    id: json['id'],
    lot_code: 'BREAD',
    drilled_at: json['drilled_at'],
    days_ago: 0,
    seconds: Math.round(Number(json['elapsed_ms']) * 1_000) / 1_000_000,
  });
  const entry = ['action', 'entity_type', 'entity_id', 'actor'].map((field) =>
    valueAt(audit.json, 'entries', 0, field),
  );
  assert.deepEqual(entry, ['drill_recall', 'drill', 'BREAD', 'tenant key of the settings (Ada)']);
});

test('of a drill one block is public, which says neither who drilled nor what was found', async () => {
  const tenantId = await bakery();

  const { json } = await drill(tenantId, { lot_code: 'BREAD', drilled_by: 'Ada Miller' });

  const [row] = await hub.database.rows(
    'select canonical, hash from blocks where height = ?',
    Number(json['block_height']),
  );
  assert.equal(row?.['hash'], json['block_hash']);
  const { payload } = JSON.parse(String(row?.['canonical'])) as {
    payload: { type: string; decision: Record<string, object> };
  };
  const { committed, ...decision } = payload.decision;
  assert.equal(payload.type, 'drill');
  assert.deepEqual(decision, {
    at: json['drilled_at'],
    drill: json['id'],
    elapsed_us: Math.round(Number(json['elapsed_ms']) * 1_000),
    lot: 'BREAD',
    tip: { hash: valueAt(json, 'chain', 'tip_hash'), height: valueAt(json, 'chain', 'height') },
  });
  assert.deepEqual(Object.keys(committed!), ['by', 'result']);
});

test('drills that meet have numbers of their own', async () => {
  const tenantId = await bakery();

  const answers = await Promise.all(
    Array.from({ length: 8 }, () => drill(tenantId, { lot_code: 'BREAD' })),
  );

  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([201]));
  assert.equal(new Set(answers.map(({ json }) => String(json['id']))).size, 8);
});

test('nothing else that is public and no lot changes with a drill', async () => {
  const tenantId = await bakery();
  const paths = [
    '/public/notices',
    `/public/verify/BREAD?brand=${tenantId}`,
    '/v1/lots',
    '/v1/recall/cases',
  ];
  const readDrills = async (): Promise<readonly string[]> =>
    await Promise.all(
      paths.map(async (path) => (await get(tenantId, path)).text.replace(VERIFIED, '')),
    );
  const before = await readDrills();

  await drill(tenantId, { lot_code: 'BREAD' });

  assert.deepEqual(await readDrills(), before);
});

/** How long the chain is, and how far the verifier, which continues by itself. */
const VERIFIED = /"(?:verified_(?:through|at)|tip_hash|height|blocks)":("[^"]*"|\d+|null),?/g;
