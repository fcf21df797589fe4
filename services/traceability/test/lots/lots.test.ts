// The tenant's list of lots, the search in it, and the record of a lot
// (docs/interface/traceability.md#lots).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';

const hub = await openForFile(boot());

const buildHeaders = (tenant: string) => ({ 'X-Tenant-Id': tenant });

async function post(tenant: string, event: Record<string, unknown>): Promise<number> {
  const posted = await hub.post('/v1/events', event, buildHeaders(tenant));
  assert.equal(posted.status, 201, posted.text);
  return Number(posted.json['id']);
}

/** Receives lots, one event each, in the order given. */
async function receive(
  tenant: string,
  ...lots: readonly (string | Record<string, unknown>)[]
): Promise<void> {
  for (const lot of lots) {
    const changes = typeof lot === 'string' ? { lot_code: lot } : lot;
    await post(tenant, anEvent({ lines: [aLine(changes)] }));
  }
}

async function list(tenant: string, query: Record<string, string> = {}): Promise<Answer> {
  const search = new URLSearchParams(query).toString();
  return await hub.call(`/v1/lots?${search}`, { headers: buildHeaders(tenant) });
}

function listCodes(answer: Answer): readonly unknown[] {
  assert.equal(answer.status, 200, answer.text);
  return (answer.json['lots'] as unknown as readonly Json[]).map((lot) => lot['lot_code']);
}

async function found(tenant: string, q: string): Promise<readonly unknown[]> {
  return listCodes(await list(tenant, { q }));
}

test('lots come newest first, with the fields of the page', async () => {
  const tenant = newTenant();
  await receive(tenant, 'A', { lot_code: 'B', product_sku: 'RYE', quantity: 2, unit: 'pcs' }, 'C');

  const answer = await list(tenant, { limit: '2', offset: '1' });

  assert.deepEqual(listCodes(answer), ['B', 'A']);
  assert.deepEqual(Object.keys(answer.json), ['lots', 'total', 'limit', 'offset']);
  assert.equal(answer.json['total'], 3);
  assert.equal(answer.json['limit'], 2);
  assert.equal(answer.json['offset'], 1);
  const { quantities, ...lot } = answer.json['lots']?.[0] as unknown as Record<string, unknown>;
  assert.deepEqual(lot, {
    lot_code: 'B',
    product_sku: 'RYE',
    product_skus: ['RYE'],
    status: 'active',
    hold_status: 'released',
    truncated: false,
  });
  assert.equal(valueAt(quantities, 0, 'received'), 2);
  assert.equal(valueAt(quantities, 0, 'unit'), 'pcs');
});

test('a tenant that never wrote has no lots', async () => {
  const answer = await list('nobody', { q: 'A' });

  assert.equal(answer.status, 200);
  assert.deepEqual(answer.json, { lots: [], total: 0, limit: 50, offset: 0 });
});

test('fifty lots make a page when no limit is given, and pages join without gaps', async () => {
  const tenant = newTenant();
  const codes = Array.from({ length: 53 }, (_, index) => `LOT-${index}`);
  await post(tenant, anEvent({ lines: codes.map((lot_code) => aLine({ lot_code })) }));

  const first = await list(tenant);
  const second = await list(tenant, { offset: '50' });
  const behind = await list(tenant, { offset: '53' });

  assert.equal(listCodes(first).length, 50);
  assert.deepEqual([...listCodes(first), ...listCodes(second)], codes.toReversed());
  assert.deepEqual(listCodes(behind), []);
  assert.equal(behind.json['total'], 53);
});

test('a searched page goes on where the one before it ended', async () => {
  const tenant = newTenant();
  await receive(tenant, 'SEED-1', 'OTHER', 'SEED-2', 'SEED', 'SEED-3');

  const pages = [
    await list(tenant, { q: 'seed', limit: '2' }),
    await list(tenant, { q: 'seed', limit: '2', offset: '2' }),
  ];
  const exactly = [
    await list(tenant, { q: 'SEED', limit: '2' }),
    await list(tenant, { q: 'SEED', limit: '2', offset: '2' }),
  ];

  assert.deepEqual(pages.flatMap(listCodes), ['SEED-3', 'SEED', 'SEED-2', 'SEED-1']);
  assert.deepEqual(exactly.flatMap(listCodes), ['SEED', 'SEED-3', 'SEED-2', 'SEED-1']);
  assert.deepEqual(
    [...pages, ...exactly].map((answer) => answer.json['total']),
    [4, 4, 4, 4],
  );
});

for (const [term, line] of [
  ['lot code', { lot_code: 'Xylo-7' }],
  ['SKU', { product_sku: 'Xylo-7' }],
  ['supplier lot code', { supplier_lot_code: 'Xylo-7' }],
  ['supplier name', { supplier_name: 'Xylo-7 & Sons' }],
] as const) {
  test(`a part of a ${term} finds the lot, upper and lower case alike`, async () => {
    const tenant = newTenant();
    const lot = { lot_code: 'LOT-1', ...line };
    await receive(tenant, 'OTHER-1', lot, 'OTHER-2');

    const answers = await Promise.all(
      ['Xylo-7', 'xyLO', 'YLO-', 'o-', '7'].map(async (q) => {
        return await found(tenant, q);
      }),
    );

    assert.deepEqual(
      answers,
      answers.map(() => [lot.lot_code]),
    );
  });
}

test('a lot is found by every SKU and supplier that it ever had', async () => {
  const tenant = newTenant();
  await receive(
    tenant,
    { lot_code: 'L', product_sku: 'FIRST', supplier_name: 'Ada' },
    { lot_code: 'L', product_sku: 'SECOND', supplier_name: 'Bob', supplier_lot_code: 'B-77' },
  );

  for (const q of ['first', 'second', 'ada', 'bob', 'b-77']) {
    assert.deepEqual(await found(tenant, q), ['L'], q);
  }
});

test('a search does not match across two terms, nor what is no term', async () => {
  const tenant = newTenant();
  await post(
    tenant,
    anEvent({
      location: 'PLANT-9',
      reference: 'REF-9',
      lines: [aLine({ lot_code: 'AB', product_sku: 'CD', origin_facility: 'SILO-9', unit: 'box' })],
    }),
  );

  for (const q of ['ABCD', 'B C', 'b\nc', 'PLANT-9', 'REF-9', 'SILO-9', 'box']) {
    assert.deepEqual(await found(tenant, q), [], JSON.stringify(q));
  }
});

test('signs that mean something to a database are plain text', async () => {
  const tenant = newTenant();
  const codes = ['100%-JUICE', 'A_B', `it's "quoted"`, 'NEAR(x)', 'a*b', 'AXB', '100-JUICE', '-x'];
  await receive(tenant, ...codes);

  assert.deepEqual(await found(tenant, '%'), ['100%-JUICE']);
  assert.deepEqual(await found(tenant, '0%-J'), ['100%-JUICE']);
  assert.deepEqual(await found(tenant, '_'), ['A_B']);
  assert.deepEqual(await found(tenant, 'a_b'), ['A_B']);
  assert.deepEqual(await found(tenant, "'"), [`it's "quoted"`]);
  assert.deepEqual(await found(tenant, `t's "q`), [`it's "quoted"`]);
  assert.deepEqual(await found(tenant, '"""'), []);
  assert.deepEqual(await found(tenant, 'near('), ['NEAR(x)']);
  assert.deepEqual(await found(tenant, 'A*B'), ['a*b']);
  assert.deepEqual(await found(tenant, '-x'), ['-x']);
  assert.deepEqual(await found(tenant, 'axb OR juice'), []);
});

test('letters outside of ASCII are found in upper and lower case', async () => {
  const tenant = newTenant();
  await receive(tenant, { lot_code: 'L', supplier_name: 'Molkerei Ökohof 乳業' }, 'M');

  for (const q of ['ÖKO', 'ökohof', 'ö', '乳業', '乳']) {
    assert.deepEqual(await found(tenant, q), ['L'], q);
  }
});

test('status and hold narrow a list and a search, and total counts what is left', async () => {
  const tenant = newTenant();
  await receive(tenant, 'KEEP-1', 'GONE-1', 'WASTE-1', 'KEEP-2', 'GONE-2');
  for (const lot_code of ['GONE-1', 'GONE-2']) {
    const lines = [aLine({ lot_code, direction: 'out' })];
    await post(tenant, anEvent({ event_type: 'SHIP', lines }));
  }
  const waste = [aLine({ lot_code: 'WASTE-1', direction: 'out' })];
  await post(tenant, anEvent({ event_type: 'DISPOSE', lines: waste }));
  for (const code of ['KEEP-1', 'GONE-2']) {
    const hold = { reason: 'test', by: 'Ada' };
    const held = await hub.post(`/v1/lots/${code}/hold`, hold, buildHeaders(tenant));
    assert.equal(held.status, 200, held.text);
  }
  const cases: readonly (readonly [Record<string, string>, readonly string[]])[] = [
    [{ status: 'active' }, ['KEEP-2', 'KEEP-1']],
    [{ status: 'depleted' }, ['GONE-2', 'GONE-1']],
    [{ status: 'disposed' }, ['WASTE-1']],
    [{ status: 'recalled' }, []],
    [{ hold_status: 'on_hold' }, ['GONE-2', 'KEEP-1']],
    [{ hold_status: 'released' }, ['KEEP-2', 'WASTE-1', 'GONE-1']],
    [{ status: 'depleted', hold_status: 'on_hold' }, ['GONE-2']],
    [{ status: 'active', hold_status: 'released' }, ['KEEP-2']],
    [{ q: '-1', status: 'depleted' }, ['GONE-1']],
    [{ q: 'KEEP', hold_status: 'on_hold' }, ['KEEP-1']],
    [{ q: 'keep-1', hold_status: 'released' }, []],
    // The code that is exactly searched comes first only when the filter leaves it.
    [{ q: 'GONE-1', hold_status: 'on_hold' }, []],
  ];

  for (const [query, expected] of cases) {
    const answer = await list(tenant, query);

    assert.deepEqual(listCodes(answer), expected, JSON.stringify(query));
    assert.equal(answer.json['total'], expected.length, JSON.stringify(query));
  }
});

test('tenants with the same codes do not see each other', async () => {
  const [one, other] = [newTenant(), newTenant()];
  await receive(one, { lot_code: 'SAME', quantity: 1 }, 'ONE-ONLY');
  await receive(other, { lot_code: 'SAME', quantity: 2, supplier_name: 'Secret Mill' });

  const lists = [await list(one, { q: 'same' }), await list(other, { q: 'same' })];
  const all = await list(one);

  const received = lists.map((answer) =>
    valueAt(answer.json, 'lots', 0, 'quantities', 0, 'received'),
  );
  assert.deepEqual(lists.map(listCodes), [['SAME'], ['SAME']]);
  assert.deepEqual(received, [1, 2]);
  assert.deepEqual(listCodes(all), ['ONE-ONLY', 'SAME']);
  assert.deepEqual(await found(one, 'secret'), []);
});

test("another tenant's lot is as unknown as one that never was", async () => {
  const [one, other] = [newTenant(), newTenant()];
  await receive(one, 'MINE');
  await receive(other, 'THEIRS');

  const theirs = await hub.call('/v1/lots/THEIRS', { headers: buildHeaders(one) });
  const never = await hub.call('/v1/lots/NEVER', { headers: buildHeaders(one) });

  assert.equal(theirs.status, 404);
  assert.equal(theirs.text, never.text);
  assert.equal(typeof theirs.json['detail'], 'string');
});

test("a supplier's lot code finds its lot in the list, and leads to its record", async () => {
  const tenant = newTenant();
  await receive(tenant, { lot_code: 'L', supplier_lot_code: 'SUP-1' });

  const record = await hub.call('/v1/lots/SUP-1', { headers: buildHeaders(tenant) });
  const never = await hub.call('/v1/lots/NEVER', { headers: buildHeaders(tenant) });

  assert.deepEqual(await found(tenant, 'SUP-1'), ['L']);
  assert.deepEqual([record.status, record.json['lot_code']], [200, 'L']);
  assert.equal(never.status, 404);
});

test('a record is the item of the list with holds, provenance and the first block', async () => {
  const tenant = newTenant();
  const provenance = { supplier_name: 'Mill', origin_facility: 'Silo 3' };
  const first = await post(tenant, anEvent({ lines: [aLine({ lot_code: 'L', ...provenance })] }));
  const second = await post(
    tenant,
    anEvent({
      lines: [aLine({ lot_code: 'L' }), aLine({ lot_code: 'L', supplier_lot_code: 'S' })],
    }),
  );

  const record = await hub.call('/v1/lots/L', { headers: buildHeaders(tenant) });

  const item = (await list(tenant)).json['lots']?.[0] as unknown as Record<string, unknown>;
  const block = await hub.call(`/public/explorer/block/${first}`);
  assert.deepEqual(record.json, {
    ...item,
    holds: [],
    provenance: [
      { ...provenance, supplier_lot_code: null, event_id: first },
      { supplier_name: null, origin_facility: null, supplier_lot_code: 'S', event_id: second },
    ],
    first_block_height: first,
    first_recorded_at: block.json['recorded_at'],
  });
});

test('a lot code with a slash is read as %2F, and codes differ by case', async () => {
  const tenant = newTenant();
  await receive(tenant, 'A/B', 'a/b', 'Ü 1%');

  for (const code of ['A/B', 'a/b', 'Ü 1%']) {
    const record = await hub.call(`/v1/lots/${encodeURIComponent(code)}`, {
      headers: buildHeaders(tenant),
    });

    assert.equal(record.json['lot_code'], code, record.text);
  }
});

const WRONG: readonly (readonly [string, string, string])[] = [
  ['q=', 'q', 'string_too_short'],
  [`q=${'x'.repeat(201)}`, 'q', 'string_too_long'],
  ['q=%00', 'q', 'string_unicode'],
  ['status=gone', 'status', 'enum'],
  ['hold_status=held', 'hold_status', 'enum'],
  ['limit=0', 'limit', 'greater_than_equal'],
  ['limit=201', 'limit', 'less_than_equal'],
  ['limit=x', 'limit', 'int_type'],
  ['offset=-1', 'offset', 'greater_than_equal'],
  ['offset=10001', 'offset', 'less_than_equal'],
];

for (const [query, field, type] of WRONG) {
  test(`${query.slice(0, 20)} is refused as ${type}`, async () => {
    const answer = await hub.call(`/v1/lots?${query}`);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(answer.json['detail']?.[0]?.['loc'], ['query', field]);
    assert.equal(answer.json['detail']?.[0]?.['type'], type);
  });
}

test('all errors of a list are reported at once', async () => {
  const answer = await hub.call('/v1/lots?q=&status=gone&limit=0&offset=-1');

  const detail = answer.json['detail'] as unknown as readonly Json[];
  assert.deepEqual(
    new Set(detail.map((error) => error['loc']?.[1])),
    new Set(['q', 'status', 'limit', 'offset']),
  );
});

test('the largest page and the last offset are accepted', async () => {
  const answer = await hub.call('/v1/lots?limit=200&offset=10000');

  assert.equal(answer.status, 200, answer.text);
});

test('lots are read with a tenant key only', async () => {
  for (const path of ['/v1/lots', '/v1/lots/L']) {
    const answer = await hub.call(path, { headers: { 'X-Api-Key': 'wrong' } });

    assert.equal(answer.status, 401);
    assert.deepEqual(answer.json, { detail: 'Invalid API key' });
  }
});
