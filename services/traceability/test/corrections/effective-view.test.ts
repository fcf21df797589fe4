// What counts after corrections shows everywhere at once, beside the original, which stays as it was:
// written from docs/interface/traceability.md#effective-values.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';
import { change, corrected, record, type Recorded } from './correction-requests.ts';
import { tamper } from '../ledger.ts';
import { storedBlock } from '../stored.ts';

const hub = await openForFile(boot());

interface Step {
  readonly event_type: string;
  readonly occurred_at: string;
  readonly location: string;
  readonly product_sku: string;
  readonly lot_code: string;
  readonly note: string | null;
  readonly channel: string | null;
  readonly corrected_by?: readonly number[];
}

/** What anybody can read of a lot of a brand. */
async function verify(tenant: string, lotCode: string, service = hub): Promise<Json> {
  const answer = await service.call(`/public/verify/${lotCode}?brand=${tenant}`);
  assert.equal(answer.status, 200, answer.text);
  return answer.json;
}

const listSteps = (answer: Json): readonly Step[] => answer['steps'] as unknown as readonly Step[];
const listProofHeights = (answer: Json): readonly number[] =>
  (answer['proof'] as unknown as readonly { height: number }[]).map(({ height }) => height);

/** What the tenant is shown of its own. */
async function own(tenant: string, path: string): Promise<Answer> {
  return await hub.call(path, { headers: { 'X-Tenant-Id': tenant } });
}

async function heightsAround(tenant: string, lotCode: string): Promise<readonly number[]> {
  const { json } = await hub.call(`/public/explorer/lot/${lotCode}?brand=${tenant}`);
  return (json['blocks'] as unknown as readonly { height: number }[]).map(({ height }) => height);
}

/** One sale of a lot, in a way that every field of it differs from what it is corrected to. */
async function recordSale(changes: Record<string, unknown> = {}): Promise<Recorded> {
  return await record(hub, {
    event_type: 'SELL',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'SHOP-1',
    reference: 'SO-1',
    notes: 'left at the back door',
    lines: [soldLine()],
    ...changes,
  });
}

const soldLine = (changes: Record<string, unknown> = {}) =>
  aLine({
    lot_code: 'BREAD-1',
    product_sku: 'RYE',
    direction: 'out',
    quantity: 40,
    unit: 'pcs',
    customer_ref: 'CUST-1',
    channel: 'Webshop Nord',
    ...changes,
  });

/** A field, what it was, what it becomes, and what a step of the journey shows of it then. */
const FIELDS: readonly (readonly [string, unknown, unknown, Partial<Step>])[] = [
  [
    'occurred_at',
    '2026-03-02T06:15:00Z',
    '2026-03-05T08:00:00Z',
    { occurred_at: '2026-03-05T08:00:00Z' },
  ],
  ['location', 'SHOP-1', 'SHOP-2', { location: 'SHOP-2' }],
  ['reference', 'SO-1', 'SO-2', {}],
  ['notes', 'left at the back door', 'left with the neighbour', { note: null }],
  ['lines[0].product_sku', 'RYE', 'SPELT', { product_sku: 'SPELT' }],
  ['lines[0].quantity', 40, 41.5, {}],
  ['lines[0].unit', 'pcs', 'box', {}],
  ['lines[0].channel', 'Webshop Nord', 'Supermarket Kranz', { channel: 'retail' }],
  ['lines[0].customer_ref', 'CUST-1', 'CUST-2', {}],
  ['lines[0].origin_facility', null, 'Silo 9', {}],
];

for (const [field, from, to, shown] of FIELDS) {
  test(`a corrected ${field} shows in the list, the chain of the lot and the journey`, async () => {
    const recorded = await recordSale();
    const { tenant, eventId } = recorded;
    const path = field
      .split(/[.[\]]+/)
      .filter((part) => part !== '')
      .map((part) => (/^\d+$/.test(part) ? Number(part) : part));

    const { id } = await corrected(hub, recorded, change(field, from, to));

    const listed = (await own(tenant, '/v1/events')).json;
    assert.equal(valueAt(listed, 'events', 0, 'status'), 'corrected');
    assert.deepEqual(valueAt(listed, 'events', 0, 'corrected_by'), [id]);
    assert.deepEqual(valueAt(listed, 'events', 0, ...path), to);
    const chain = (await own(tenant, '/v1/lots/BREAD-1/chain')).json;
    assert.deepEqual(valueAt(chain, 'events', 0, 'original', ...path), from);
    assert.deepEqual(valueAt(chain, 'events', 0, 'effective', ...path), to);
    assert.deepEqual(valueAt(chain, 'events', 0, 'corrections', 0, 'changes'), [
      { field, old_value: from, new_value: to },
    ]);
    const answer = await verify(tenant, 'BREAD-1');
    assert.equal(answer['verified'], true);
    assert.deepEqual(listSteps(answer), [
      {
        event_type: 'SELL',
        occurred_at: '2026-03-02T06:15:00Z',
        location: 'SHOP-1',
        product_sku: 'RYE',
        lot_code: 'BREAD-1',
        note: null,
        channel: 'online',
        corrected_by: [id],
        ...shown,
      },
    ]);
    assert.deepEqual(listProofHeights(answer), [eventId, Number(id)]);
  });
}

test('a step that nobody corrected has its seven fields and no others', async () => {
  const { tenant } = await recordSale();

  const [step] = listSteps(await verify(tenant, 'BREAD-1'));

  assert.deepEqual(Object.keys(step!).toSorted(), [
    'channel',
    'event_type',
    'location',
    'lot_code',
    'note',
    'occurred_at',
    'product_sku',
  ]);
});

test('public notes that are corrected show in the step, and go when they are taken away', async () => {
  const recorded = await record(hub, { notes: 'dry' });

  await corrected(hub, recorded, change('notes', 'dry', 'damp'));
  const damp = await verify(recorded.tenant, 'FLOUR-1');
  await corrected(hub, recorded, change('notes', 'damp', null));
  const none = await verify(recorded.tenant, 'FLOUR-1');

  assert.equal(listSteps(damp)[0]!.note, 'damp');
  assert.equal(listSteps(none)[0]!.note, null);
});

test('a corrected time moves the step, a corrected origin and channel change the title', async () => {
  const tenant = newTenant();
  const line = aLine({ origin_facility: 'Silo 3' });
  const receipt = await record(hub, { occurred_at: '2026-03-03T06:00:00Z', lines: [line] }, tenant);
  const sale = await record(
    hub,
    {
      event_type: 'SELL',
      occurred_at: '2026-03-02T06:00:00Z',
      lines: [aLine({ direction: 'out', channel: 'Webshop' })],
    },
    tenant,
  );

  await corrected(
    hub,
    sale,
    change('occurred_at', '2026-03-02T06:00:00Z', '2026-03-04T06:00:00Z'),
    change('lines[0].channel', 'Webshop', 'Supermarket'),
  );
  await corrected(hub, receipt, change('lines[0].origin_facility', 'Silo 3', 'Silo 9'));

  const answer = await verify(tenant, 'FLOUR-1');
  assert.deepEqual(
    listSteps(answer).map((step) => step.event_type),
    ['RECEIVE', 'SELL'],
  );
  assert.equal(answer['journey_title'], 'From Silo 9 to retail');
  assert.deepEqual(answer['channels_reached'], ['retail']);
});

test('a correction of an ancestor shows in the journey of what was made from it', async () => {
  const tenant = newTenant();
  const receipt = await record(hub, {}, tenant);
  const bread = aLine({ lot_code: 'BREAD-1', direction: 'out' });
  await record(hub, { event_type: 'PRODUCE', lines: [aLine(), bread] }, tenant);

  const { id } = await corrected(hub, receipt, change('location', 'BAKERY-1', 'DOCK-9'));

  const [step] = listSteps(await verify(tenant, 'BREAD-1'));
  assert.deepEqual([step!.location, step!.corrected_by], ['DOCK-9', [id]]);
});

test('a lot code that is corrected moves the event to the new lot and leaves the old one', async () => {
  const recorded = await record(hub, { lines: [aLine({ lot_code: 'OLD-1' })] });
  const { tenant, eventId } = recorded;

  const { id } = await corrected(hub, recorded, change('lines[0].lot_code', 'OLD-1', 'NEW-1'));

  const both = [eventId, Number(id)];
  const newLot = await verify(tenant, 'NEW-1');
  assert.equal(newLot['verified'], true);
  assert.deepEqual(
    listSteps(newLot).map((step) => [step.lot_code, step.corrected_by]),
    [['NEW-1', [id]]],
  );
  assert.deepEqual(listProofHeights(newLot), both);
  const oldLot = await verify(tenant, 'OLD-1');
  assert.equal(oldLot['verified'], true);
  assert.deepEqual(listSteps(oldLot), []);
  assert.deepEqual(listProofHeights(oldLot), both);
  assert.match(String(oldLot['journey_title']), /corrections/i);
  for (const lotCode of ['OLD-1', 'NEW-1']) {
    assert.deepEqual(await heightsAround(tenant, lotCode), both.toReversed());
    const { json } = await own(tenant, `/v1/lots/${lotCode}/chain`);
    assert.deepEqual(valueAt(json, 'events', 0, 'lot_codes'), ['NEW-1']);
    assert.equal(valueAt(json, 'events', 0, 'original', 'lines', 0, 'lot_code'), 'OLD-1', lotCode);
  }
});

test('a lot code that is corrected and corrected back is as it was, with both corrections', async () => {
  const recorded = await record(hub, { lines: [aLine({ lot_code: 'OLD-1' })] });
  const { tenant, eventId } = recorded;

  const away = await corrected(hub, recorded, change('lines[0].lot_code', 'OLD-1', 'NEW-1'));
  const back = await corrected(hub, recorded, change('lines[0].lot_code', 'NEW-1', 'OLD-1'));

  const blocks = [eventId, Number(away['id']), Number(back['id'])];
  const answer = await verify(tenant, 'OLD-1');
  assert.deepEqual(
    listSteps(answer).map((step) => [step.lot_code, step.corrected_by]),
    [['OLD-1', blocks.slice(1)]],
  );
  assert.deepEqual(listProofHeights(answer), blocks);
  assert.deepEqual(listSteps(await verify(tenant, 'NEW-1')), []);
});

test('a lot that a correction brings into an event is proven with the corrections before that', async () => {
  const recorded = await record(hub, { lines: [aLine({ lot_code: 'OLD-1' })] });
  const { tenant, eventId } = recorded;

  const moved = await corrected(hub, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));
  const named = await corrected(hub, recorded, change('lines[0].lot_code', 'OLD-1', 'NEW-1'));

  const answer = await verify(tenant, 'NEW-1');
  const ids = [Number(moved['id']), Number(named['id'])];
  assert.deepEqual(
    listSteps(answer).map((step) => [step.location, step.corrected_by]),
    [['BAKERY-2', ids]],
  );
  assert.deepEqual(listProofHeights(answer), [eventId, ...ids]);
});

test('a correction of the line of another lot is no matter of this one', async () => {
  const recorded = await record(hub, { lines: [aLine(), aLine({ lot_code: 'SALT-1' })] });
  const { tenant, eventId } = recorded;

  await corrected(hub, recorded, change('lines[1].quantity', 250.5, 5));

  const answer = await verify(tenant, 'FLOUR-1');
  assert.deepEqual(
    listSteps(answer).map((step) => 'corrected_by' in step),
    [false],
  );
  assert.deepEqual(listProofHeights(answer), [eventId]);
});

test('genealogy follows a corrected lot code at once', async () => {
  const tenant = newTenant();
  await record(hub, {}, tenant);
  await record(hub, { lines: [aLine({ lot_code: 'FLOUR-2' })], location: 'DOCK-2' }, tenant);
  const bread = aLine({ lot_code: 'BREAD-1', direction: 'out' });
  const produced = await record(hub, { event_type: 'PRODUCE', lines: [aLine(), bread] }, tenant);

  await corrected(hub, produced, change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'));

  const codes = new Set(listSteps(await verify(tenant, 'BREAD-1')).map((step) => step.lot_code));
  assert.deepEqual([...codes].toSorted(), ['BREAD-1', 'FLOUR-2']);
});

test('an event that did not happen is no step and reaches no channel, and its block stays', async () => {
  const recorded = await recordSale();
  const { tenant, eventId } = recorded;

  const { id } = await corrected(hub, recorded, change('status', 'accepted', 'voided'));

  const answer = await verify(tenant, 'BREAD-1');
  assert.equal(answer['verified'], true);
  assert.deepEqual([answer['steps'], answer['channels_reached']], [[], []]);
  assert.match(String(answer['journey_title']), /corrections/i);
  assert.deepEqual(listProofHeights(answer), [eventId, Number(id)]);
  const { json } = await own(tenant, '/v1/lots/BREAD-1/chain');
  assert.equal(valueAt(json, 'events', 0, 'status'), 'voided');
  const block = (await hub.call(`/public/explorer/block/${eventId}`)).json;
  assert.equal(block['status'], 'voided');
  assert.equal(valueAt(block, 'transactions', 0, 'lot_code'), 'BREAD-1');
});

test('an ancestor that only a voided event led to is no ancestor any more', async () => {
  const tenant = newTenant();
  await record(hub, {}, tenant);
  const bread = aLine({ lot_code: 'BREAD-1', direction: 'out' });
  const produced = await record(hub, { event_type: 'PRODUCE', lines: [aLine(), bread] }, tenant);
  await record(hub, { event_type: 'TRANSFER', location: 'DEPOT-2', lines: [bread] }, tenant);

  await corrected(hub, produced, change('status', 'accepted', 'voided'));

  const answer = await verify(tenant, 'BREAD-1');
  assert.deepEqual(
    listSteps(answer).map((step) => `${step.event_type} ${step.lot_code}`),
    ['TRANSFER BREAD-1'],
  );
  assert.equal(answer['journey_title'], 'From DEPOT-2 to DEPOT-2');
});

test('of corrections of one field the last one counts, and all of them are named', async () => {
  const recorded = await record(hub);
  const { tenant, eventId } = recorded;

  const first = await corrected(hub, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));
  const second = await corrected(hub, recorded, change('location', 'BAKERY-2', 'BAKERY-3'));

  const ids = [Number(first['id']), Number(second['id'])];
  const listed = (await own(tenant, '/v1/events')).json;
  assert.equal(valueAt(listed, 'events', 0, 'location'), 'BAKERY-3');
  assert.deepEqual(valueAt(listed, 'events', 0, 'corrected_by'), ids);
  const [step] = listSteps(await verify(tenant, 'FLOUR-1'));
  assert.deepEqual([step!.location, step!.corrected_by], ['BAKERY-3', ids]);
  const chain = (await own(tenant, '/v1/lots/FLOUR-1/chain')).json;
  assert.equal(valueAt(chain, 'events', 0, 'original', 'location'), 'BAKERY-1');
  const corrections = valueAt(chain, 'events', 0, 'corrections') as readonly Json[];
  assert.deepEqual(
    corrections.map((one) => [one['id'], one['block_height'], one['reason']]),
    ids.map((id) => [id, id, 'typing error at the dock']),
  );
  const block = (await hub.call(`/public/explorer/block/${eventId}`)).json;
  assert.deepEqual(
    block['corrected_by'],
    await Promise.all(
      ids.map(async (height) => ({
        height,
        block_hash: (await storedBlock(hub.database, height)).blockHash,
      })),
    ),
  );
});

test('the block of a corrected event is shown byte for byte as before', async () => {
  const recorded = await record(hub, { notes: 'dry' });
  const path = `/public/explorer/block/${recorded.eventId}`;
  const { json: earlier } = await hub.call(path);

  await corrected(
    hub,
    recorded,
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'),
    change('notes', 'dry', null),
    change('status', 'accepted', 'voided'),
  );

  const { json: now } = await hub.call(path);
  const { corrected_by: _none, corrected_by_count: _0, status: _accepted, ...sealed } = earlier;
  const { corrected_by, corrected_by_count, status, ...same } = now;
  assert.deepEqual(same, sealed);
  assert.deepEqual([(corrected_by as unknown as unknown[]).length, corrected_by_count], [1, 1]);
  assert.equal(status, 'voided');
  const text = await hub.call(`/explorer/block/${recorded.eventId}/canonical.txt`);
  assert.equal(text.text, earlier['canonical']);
});

const SECRETS = [
  ...['CUST-1', 'CUST-2', 'Nord', 'Kranz', 'back door', 'neighbour', 'Jane Miller'],
  'requested_by',
];

test('private values of corrections, and who asked for them, show nowhere in public', async () => {
  const recorded = await recordSale();
  const { tenant, eventId } = recorded;
  const { id } = await corrected(
    hub,
    recorded,
    change('lines[0].channel', 'Webshop Nord', 'Supermarket Kranz'),
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('notes', 'left at the back door', 'left with the neighbour'),
  );
  const brand = `brand=${tenant}`;

  const paths = [
    `/public/explorer?${brand}`,
    ...['blocks', 'transactions'].map((list) => `/public/explorer/${list}?${brand}`),
    ...[eventId, id].map((height) => `/public/explorer/block/${String(height)}`),
    ...[eventId, id].map((height) => `/explorer/block/${String(height)}`),
    ...['BREAD-1', 'SO-1', String(id)].map((q) => `/public/explorer/search?q=${q}`),
    ...['BREAD-1', String(id)].map((q) => `/explorer/search?q=${q}`),
    `/public/explorer/lot/BREAD-1?${brand}`,
    `/public/verify/BREAD-1?${brand}`,
    `/lot/BREAD-1?${brand}`,
    '/explorer',
  ];

  for (const path of paths) {
    const answer = await hub.call(path);
    assert.equal(answer.status, 200, path);
    for (const secret of SECRETS) assert.ok(!answer.text.includes(secret), `${secret} at ${path}`);
  }
  const { json } = await hub.call(`/public/explorer/block/${String(id)}`);
  assert.deepEqual(json['changes'], [
    { field: 'lines[0].channel', from: 'online', to: 'retail' },
    { field: 'lines[0].customer_ref' },
    { field: 'notes' },
  ]);
});

test('a changed correction is noticed by every lot that it concerns', async () => {
  await using own = await boot();
  const recorded = await record(own, { lines: [aLine({ lot_code: 'OLD-1' })] });
  await record(own, { lines: [aLine({ lot_code: 'OTHER-1' })] }, recorded.tenant);
  await corrected(own, recorded, change('lines[0].lot_code', 'OLD-1', 'NEW-1'));
  await tamper(
    own.database,
    "update blocks set canonical = replace(canonical, 'dock', 'desk') where height = 3",
  );

  for (const lotCode of ['OLD-1', 'NEW-1']) {
    const answer = await verify(recorded.tenant, lotCode, own);
    assert.equal(answer['verified'], false, lotCode);
  }
});

test('a correction that was replaced by one that fits its own hash is noticed', async () => {
  await using own = await boot();
  const recorded = await record(own);
  await corrected(own, recorded, change('location', 'BAKERY-1', 'BAKERY-2'));
  await record(own, { lines: [aLine({ lot_code: 'OTHER-1' })] }, recorded.tenant);
  const { canonical } = await storedBlock(own.database, 2);
  const forged = canonical.replace('BAKERY-2', 'BAKERY-3');
  const hash = createHash('sha256').update(forged).digest('hex');
  await tamper(
    own.database,
    'update blocks set canonical = ?, hash = ? where height = 2',
    forged,
    hash,
  );

  const answer = await verify(recorded.tenant, 'FLOUR-1', own);

  assert.equal(answer['verified'], false);
  assert.equal(valueAt(answer, 'ledger', 'chain_valid'), false);
});
