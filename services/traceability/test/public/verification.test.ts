// GET /public/verify/{lot_code}, from docs/interface/traceability.md#verification.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import { aLine, anEvent, boot, type Answer, type Booted } from '../boot.ts';
import { tamper } from '../ledger.ts';

let service: Booted;
beforeEach(async () => {
  service = await boot();
});
afterEach(async () => {
  await service[Symbol.asyncDispose]();
});

/** Asks as a customer does: without a key. */
async function verify(path: string): Promise<Answer['json'] & { readonly status: number }> {
  const response = await fetch(`${service.base}/public/verify/${path}`);
  const body = (await response.json()) as Answer['json'];
  return { ...body, status: response.status } as never;
}

/** Type and lot of each step. */
function listSteps(answer: Answer['json']): readonly string[] {
  const steps = answer['steps'] as unknown as { event_type: string; lot_code: string }[];
  return steps.map((step) => `${step.event_type} ${step.lot_code}`);
}

/** A JSON value as text; a string as it is. */
const toText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

async function record(tenantId: string, ...events: readonly object[]): Promise<void> {
  for (const event of events) {
    const { status, text } = await service.post('/v1/events', event, { 'X-Tenant-Id': tenantId });
    assert.equal(status, 201, text);
  }
}

const RECEIVE = anEvent({
  occurred_at: '2026-03-02T07:15:00+01:00',
  reference: 'PO-SECRETIVE',
  notes: 'dry, sealed',
  lines: [aLine({ supplier_name: 'Mill Brandt', origin_facility: 'Brandt silo 3' })],
});
const PRODUCE = anEvent({
  event_type: 'PRODUCE',
  occurred_at: '2026-03-02T10:00:00+01:00',
  reference: 'WO-77',
  lines: [
    aLine({ quantity: 120.5 }),
    aLine({
      lot_code: 'BREAD-1',
      product_sku: 'RYE',
      direction: 'out',
      quantity: 160,
      unit: 'pcs',
    }),
  ],
});
const sell = (channel: string, changes: object = {}) =>
  anEvent({
    event_type: 'SELL',
    occurred_at: '2026-03-03T09:00:00+01:00',
    location: 'SHOP-2',
    reference: 'S-1',
    notes: 'regular of the house',
    lines: [
      aLine({
        lot_code: 'BREAD-1',
        product_sku: 'RYE',
        direction: 'out',
        quantity: 40,
        unit: 'pcs',
        channel,
        customer_ref: 'CUST-4711',
      }),
    ],
    ...changes,
  });

test('a lot is verified with its journey, its channels, the chain and whom to trust', async () => {
  await record('bakery', RECEIVE, PRODUCE, sell('supermarket'));
  const tip = await service.call('/public/explorer/block/3');
  const genesis = await service.call('/public/explorer/block/0');
  const produce = await service.call('/public/explorer/block/2');

  const { trust, ...answer } = await verify('BREAD-1');

  assert.deepEqual(answer, {
    status: 200,
    verified: true,
    brand: { id: 'bakery', name: 'bakery' },
    lot: {
      lot_code: 'BREAD-1',
      product_sku: 'RYE',
      status: 'active',
      hold_status: 'released',
    },
    journey_title: 'From Brandt silo 3 to retail',
    steps: [
      {
        event_type: 'RECEIVE',
        occurred_at: '2026-03-02T06:15:00Z',
        location: 'BAKERY-1',
        product_sku: 'FLOUR-T55',
        lot_code: 'FLOUR-1',
        note: 'dry, sealed',
        channel: null,
      },
      {
        event_type: 'PRODUCE',
        occurred_at: '2026-03-02T09:00:00Z',
        location: 'BAKERY-1',
        product_sku: 'FLOUR-T55',
        lot_code: 'FLOUR-1',
        note: null,
        channel: null,
      },
      {
        event_type: 'PRODUCE',
        occurred_at: '2026-03-02T09:00:00Z',
        location: 'BAKERY-1',
        product_sku: 'RYE',
        lot_code: 'BREAD-1',
        note: null,
        channel: null,
      },
      {
        event_type: 'SELL',
        occurred_at: '2026-03-03T08:00:00Z',
        location: 'SHOP-2',
        product_sku: 'RYE',
        lot_code: 'BREAD-1',
        note: null,
        channel: 'retail',
      },
    ],
    decisions: [],
    channels_reached: ['retail'],
    notices: [],
    ledger: {
      chain_id: genesis.json['block_hash'],
      height: 3,
      tip_hash: tip.json['block_hash'],
      blocks: 4,
      chain_valid: true,
    },
    proof: [
      { height: 2, block_hash: produce.json['block_hash'] },
      { height: 3, block_hash: tip.json['block_hash'] },
    ],
    other_brands: [],
    truncated: false,
  });
  const { statement, ...rest } = trust!;
  assert.match(toText(statement), /^[^.]+ proves [^.]+ not [^.]+\.$/);
  assert.deepEqual(rest, {
    data_owner: 'bakery',
    hub: 'Lothub',
    chain_valid: true,
    tip_hash: tip.json['block_hash'],
  });
});

test('no quantity, reference, customer, raw channel or note of a sale is shown', async () => {
  await record('bakery', RECEIVE, PRODUCE, sell('Supermarket Kranz'));

  const response = await fetch(`${service.base}/public/verify/BREAD-1`);
  // Any digits may be in a hash or an instant by chance.
  const text = (await response.text()).replaceAll(/[0-9a-f]{64}|\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, '');

  assert.equal(response.status, 200);
  const words = [
    '120.5',
    '160',
    'PO-SECRETIVE',
    'WO-77',
    'CUST-4711',
    'Kranz',
    'regular of the house',
  ];
  for (const word of words) assert.equal(text.includes(word), false, word);
  for (const key of ['quantity', 'reference', 'customer_ref']) {
    assert.equal(text.includes(`"${key}"`), false, key);
  }
});

test('a lot code that nobody has recorded is a 404', async () => {
  const { status, detail } = await verify('NOBODY-1');

  assert.equal(status, 404);
  assert.equal(typeof detail, 'string');
});

test('a lot code that only a supplier uses is a 404', async () => {
  await record('bakery', anEvent({ lines: [aLine({ supplier_lot_code: 'BR-118' })] }));

  const { status } = await verify('BR-118');

  assert.equal(status, 404);
});

test('lot codes distinguish upper and lower case', async () => {
  await record('bakery', RECEIVE);

  assert.equal((await verify('FLOUR-1')).status, 200);
  assert.equal((await verify('flour-1')).status, 404);
});

test('a lot code with a slash, a space and an umlaut is found percent-encoded', async () => {
  const lotCode = 'MÜHLE/7 a';
  await record('bakery', anEvent({ lines: [aLine({ lot_code: lotCode })] }));

  const { lot } = await verify(encodeURIComponent(lotCode));

  assert.equal(lot!['lot_code'], lotCode);
});

test('many sales in one class at one location are one step', async () => {
  const sales = Array.from({ length: 5 }, (_, index) =>
    sell('supermarket', { reference: `S-${index}` }),
  );
  await record('bakery', PRODUCE, ...sales, sell('webshop'), sell('store', { location: 'SHOP-3' }));

  const { steps, channels_reached } = await verify('BREAD-1');

  const sold = (steps as unknown as { event_type: string; channel: string; location: string }[])
    .filter((step) => step.event_type === 'SELL')
    .map((step) => `${step.channel} ${step.location}`);
  assert.deepEqual(sold, ['retail SHOP-2', 'online SHOP-2', 'retail SHOP-3']);
  assert.deepEqual(channels_reached, ['online', 'retail']);
});

test('a code of several brands answers for the first, names the others, and for the one asked', async () => {
  await record('mill', anEvent({ lines: [aLine({ product_sku: 'RYE-FLOUR' })] }));
  await record('bakery', RECEIVE);
  await service.call('/v1/brand', {
    method: 'PATCH',
    headers: { 'X-Tenant-Id': 'bakery', 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Old Mill Bakery' }),
  });

  const first = await verify('FLOUR-1');
  const asked = await verify('FLOUR-1?brand=bakery');
  const unknown = await verify('FLOUR-1?brand=nobody');

  assert.equal(first['brand']!['id'], 'mill');
  assert.deepEqual(first['other_brands'], [
    { id: 'bakery', name: 'Old Mill Bakery', product_sku: 'FLOUR-T55', open_notices: 0 },
  ]);
  assert.deepEqual(asked['brand'], { id: 'bakery', name: 'Old Mill Bakery' });
  assert.equal(asked['trust']!['data_owner'], 'Old Mill Bakery');
  assert.deepEqual(asked['other_brands'], [
    { id: 'mill', name: 'mill', product_sku: 'RYE-FLOUR', open_notices: 0 },
  ]);
  assert.equal(unknown.status, 404);
});

test('events of another brand with the same lot code are no part of the journey', async () => {
  await record('bakery', RECEIVE);
  await record('rival', anEvent({ location: 'RIVAL-1' }));

  const { steps, proof } = await verify('FLOUR-1?brand=bakery');

  assert.deepEqual(
    (steps as unknown as { location: string }[]).map((step) => step.location),
    ['BAKERY-1'],
  );
  assert.equal((proof as unknown as unknown[]).length, 1);
});

test('descendants and siblings are no part of the journey', async () => {
  const rolls = aLine({ lot_code: 'ROLL-1', product_sku: 'ROLL', direction: 'out' });
  await record(
    'bakery',
    RECEIVE,
    PRODUCE,
    anEvent({ event_type: 'PRODUCE', reference: 'WO-78', lines: [aLine(), rolls] }),
    anEvent({ event_type: 'DISPOSE', lines: [rolls] }),
  );

  const bread = await verify('BREAD-1');
  const flour = await verify('FLOUR-1');

  const codes = (answer: Answer['json']): readonly string[] => [
    ...new Set((answer['steps'] as unknown as { lot_code: string }[]).map((step) => step.lot_code)),
  ];
  assert.deepEqual(codes(bread), ['FLOUR-1', 'BREAD-1']);
  assert.deepEqual(codes(flour), ['FLOUR-1']);
});

test('a lot of which nothing remains is depleted, or disposed when that came last', async () => {
  const dispose = anEvent({
    event_type: 'DISPOSE',
    occurred_at: '2026-03-04T09:00:00Z',
    lines: [aLine({ direction: 'out', quantity: 0.5 })],
  });
  await record(
    'bakery',
    RECEIVE,
    anEvent({ event_type: 'CONSUME', reference: 'WO-9', lines: [aLine({ quantity: 250 })] }),
  );

  const active = await verify('FLOUR-1');
  await record('bakery', dispose);
  const disposed = await verify('FLOUR-1');
  await record('bakery', anEvent({ lines: [aLine({ lot_code: 'EGG-1', quantity: 7 })] }));
  await record(
    'bakery',
    anEvent({ event_type: 'CONSUME', lines: [aLine({ lot_code: 'EGG-1', quantity: 7 })] }),
  );
  const depleted = await verify('EGG-1');

  assert.equal(active['lot']!['status'], 'active');
  assert.equal(disposed['lot']!['status'], 'disposed');
  assert.equal(depleted['lot']!['status'], 'depleted');
});

test('a lot whose block was changed is not verified, and the chain is not valid', async () => {
  await record('bakery', RECEIVE, PRODUCE);
  await tamper(
    service.database,
    "update blocks set canonical = replace(canonical, '120.5', '120.6') where height = 2",
  );

  const answer = await verify('BREAD-1');

  assert.equal(answer.status, 200);
  assert.equal(answer['verified'], false);
  assert.equal(answer['ledger']!['chain_valid'], false);
  assert.equal(answer['trust']!['chain_valid'], false);
  assert.doesNotMatch(toText(answer['trust']!['statement']), /\bproves\b/);
});

test('a block that was replaced by one that fits its own hash is not verified', async () => {
  await record('bakery', RECEIVE, PRODUCE, sell('supermarket'));
  const { json } = await service.call('/public/explorer/block/2');
  const canonical = toText(json['canonical']).replace('120.5', '120.6');
  const hash = createHash('sha256').update(canonical).digest('hex');
  await tamper(
    service.database,
    'update blocks set canonical = ?, hash = ? where height = 2',
    canonical,
    hash,
  );

  const answer = await verify('FLOUR-1');

  assert.equal(answer['verified'], false);
  assert.equal(answer['ledger']!['chain_valid'], false);
});

test('a lot whose last block was deleted is not verified', async () => {
  await record('bakery', RECEIVE, PRODUCE);
  await tamper(service.database, 'delete from blocks where height = 2');

  const answer = await verify('BREAD-1');

  assert.equal(answer.status, 200);
  assert.equal(answer['verified'], false);
  assert.equal(answer['ledger']!['chain_valid'], false);
});

test('a block whose text is nothing readable is shown as not verified, not as an error', async () => {
  await record('bakery', RECEIVE, PRODUCE);
  await tamper(service.database, "update blocks set canonical = '{}' where height = 2");

  const answer = await verify('BREAD-1');

  assert.equal(answer.status, 200);
  assert.equal(answer['verified'], false);
  assert.match(String(answer['journey_title']), /^Blocks of this journey do not verify/);
  assert.deepEqual(listSteps(answer), ['RECEIVE FLOUR-1']);
});

test('a changed block of an ancestor gives no step, and no title is made without it', async () => {
  await record('bakery', RECEIVE, PRODUCE);
  await tamper(
    service.database,
    "update blocks set canonical = replace(canonical, 'Brandt silo 3', 'Brandt silo 4') where height = 1",
  );

  const answer = await verify('BREAD-1');

  assert.equal(answer['verified'], false);
  assert.deepEqual(listSteps(answer), ['PRODUCE FLOUR-1', 'PRODUCE BREAD-1']);
  assert.match(String(answer['journey_title']), /^Blocks of this journey do not verify/);
});

for (const [what, change] of [
  [
    'changed',
    "update blocks set canonical = replace(canonical, 'DOCK-9', 'DOCK-8') where height = 4",
  ],
  ['unreadable', "update blocks set canonical = '{}' where height = 4"],
  ['deleted', 'delete from blocks where height = 4'],
] as const) {
  test(`an event whose correction is ${what} gives no step: what counts of it is not certain`, async () => {
    await record('bakery', RECEIVE, PRODUCE);
    await record('rival', RECEIVE);
    const { status, text } = await service.post(
      '/v1/corrections',
      {
        corrects_event_id: 1,
        reason: 'typing error',
        requested_by: 'Ada',
        changes: [{ field: 'location', old_value: 'BAKERY-1', new_value: 'DOCK-9' }],
      },
      { 'X-Tenant-Id': 'bakery' },
    );
    assert.equal(status, 201, text);
    await tamper(service.database, change);

    const ancestor = await verify('BREAD-1');
    const own = await verify('FLOUR-1');

    assert.deepEqual(listSteps(ancestor), ['PRODUCE FLOUR-1', 'PRODUCE BREAD-1']);
    assert.deepEqual(listSteps(own), ['PRODUCE FLOUR-1']);
    assert.equal(own['verified'], false);
  });
}

test('anybody may ask from anywhere, and an answer that is still good is a 304', async () => {
  await record('bakery', RECEIVE);
  const first = await fetch(`${service.base}/public/verify/FLOUR-1`);
  await first.body?.cancel();

  const again = await fetch(`${service.base}/public/verify/FLOUR-1`, {
    headers: { 'If-None-Match': String(first.headers.get('etag')) },
  });

  assert.equal(first.headers.get('access-control-allow-origin'), '*');
  assert.equal(again.status, 304);
});

test('a brand that can be no tenant id is a 422 that names the field', async () => {
  const { status, detail } = await verify('FLOUR-1?brand=%20');

  assert.equal(status, 422);
  assert.deepEqual(detail![0 as never]!['loc'], ['query', 'brand']);
});
