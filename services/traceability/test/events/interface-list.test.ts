// GET /v1/events: the tenant's own events, newest first, with what only the tenant may see.
// Written from docs/interface/traceability.md#reading-events.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { change, corrected, record } from '../corrections/correction-requests.ts';
import { storedBlock } from '../stored.ts';

const hub = await openForFile(boot());

async function list(tenant: string, query = ''): Promise<Answer> {
  return await hub.call(`/v1/events${query}`, { headers: { 'X-Tenant-Id': tenant } });
}

/** Posts `count` events in one batch; answers their ids, oldest first. */
async function postMany(tenant: string, count: number): Promise<readonly number[]> {
  const events = Array.from({ length: count }, (_, index) => anEvent({ reference: `R-${index}` }));
  const answer = await hub.post('/v1/events/batch', { events }, { 'X-Tenant-Id': tenant });
  assert.equal(answer.status, 201, answer.text);
  return Array.from({ length: count }, (_, index) =>
    Number(valueAt(answer.json, 'results', index, 'id')),
  );
}

function listIds(answer: Answer): readonly unknown[] {
  const events = valueAt(answer.json, 'events');
  assert.ok(Array.isArray(events), answer.text);
  return events.map((event) => valueAt(event, 'id'));
}

test('an event is listed with everything that was sent, private values included', async () => {
  const tenant = newTenant();
  const posted = await hub.post(
    '/v1/events',
    anEvent({
      external_id: 'sale-1',
      event_type: 'SELL',
      notes: 'left at the back door',
      lines: [
        aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'Webshop' }),
        aLine({ lot_code: 'B', supplier_name: 'M', origin_facility: 'S', supplier_lot_code: 'L' }),
      ],
    }),
    { 'X-Tenant-Id': tenant },
  );

  const answer = await list(tenant);

  assert.equal(answer.status, 200);
  const height = Number(posted.json['id']);
  const { blockHash, canonical } = await storedBlock(hub.database, height);
  const provenance = { supplier_name: null, origin_facility: null, supplier_lot_code: null };
  assert.deepEqual(valueAt(answer.json, 'events', 0), {
    id: height,
    external_id: 'sale-1',
    status: 'accepted',
    event_type: 'SELL',
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    reference: 'PO-1',
    notes: 'left at the back door',
    recorded_at: valueAt(JSON.parse(canonical), 'payload', 'recorded_at'),
    lines: [
      {
        ...aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'Webshop' }),
        consignee_ref: null,
        ...provenance,
      },
      {
        ...aLine({ lot_code: 'B', customer_ref: null, consignee_ref: null, channel: null }),
        ...{ supplier_name: 'M', origin_facility: 'S', supplier_lot_code: 'L' },
      },
    ],
    tx_count: 2,
    summary: valueAt(posted.json, 'chain', 'summary'),
    block: { height, block_hash: blockHash },
    corrected_by: [],
  });
});

test('values that were dropped are not listed', async () => {
  const tenant = newTenant();
  await hub.post('/v1/events', anEvent({ lines: [aLine({ customer_ref: 'C', channel: 'web' })] }), {
    'X-Tenant-Id': tenant,
  });

  const answer = await list(tenant);

  assert.equal(valueAt(answer.json, 'events', 0, 'lines', 0, 'customer_ref'), null);
  assert.equal(valueAt(answer.json, 'events', 0, 'lines', 0, 'channel'), null);
});

test('events come newest first, 50 by default, 200 at most', async () => {
  const tenant = newTenant();
  const ids = await postMany(tenant, 205);
  const newestFirst = ids.toReversed();

  assert.deepEqual(listIds(await list(tenant)), newestFirst.slice(0, 50));
  assert.deepEqual(listIds(await list(tenant, '?limit=1')), newestFirst.slice(0, 1));
  assert.deepEqual(listIds(await list(tenant, '?limit=200')), newestFirst.slice(0, 200));
});

test('before pages through all events without a gap or a repeat', async () => {
  const tenant = newTenant();
  const ids = await postMany(tenant, 25);
  await postMany(newTenant(), 3);

  const pages: unknown[] = [];
  for (let query = '?limit=10'; ;) {
    const page = listIds(await list(tenant, query));
    pages.push(...page);
    if (page.length === 0) break;
    query = `?limit=10&before=${String(page.at(-1))}`;
  }

  assert.deepEqual(pages, ids.toReversed());
});

test('following next visits every event once, and the last page has none', async () => {
  const tenant = newTenant();
  const ids = await postMany(tenant, 25);
  await postMany(newTenant(), 3);

  const pages: (readonly unknown[])[] = [];
  for (let query = '?limit=10', next: unknown; next !== null;) {
    const answer = await list(tenant, query);
    pages.push(listIds(answer));
    next = answer.json['next'];
    query = `?limit=10&before=${String(next)}`;
  }

  assert.deepEqual(pages.flat(), ids.toReversed());
  assert.deepEqual(
    pages.map((page) => page.length),
    [10, 10, 5],
  );
});

for (const query of [
  ...['limit=0', 'limit=201', 'limit=-1', 'limit=abc', 'limit=1.5', 'limit=', 'limit=1e400'],
  ...['limit=5&limit=6', 'before=abc', 'before=-1', 'before=', 'before=1e400'],
]) {
  test(`GET /v1/events?${query} is a 422 that names the parameter`, async () => {
    const answer = await list(newTenant(), `?${query}`);

    assert.equal(answer.status, 422, answer.text);
    const [name] = query.split('=');
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['query', name]);
  });
}

test('a tenant sees none of the events of another', async () => {
  const owner = newTenant();
  await postMany(owner, 2);

  const answer = await list(newTenant());

  assert.equal(answer.status, 200);
  assert.deepEqual(listIds(answer), []);
});

test('a corrected event is listed with the values that count now, and the block of then', async () => {
  const recorded = await record(hub, { notes: 'dry' });
  const { blockHash } = await storedBlock(hub.database, recorded.eventId);
  const first = await corrected(
    hub,
    recorded,
    change('occurred_at', '2026-03-02T06:15:00Z', '2026-03-01T23:59:59.5+01:00'),
    change('location', 'BAKERY-1', 'BAKERY-2'),
    change('reference', 'PO-1', 'PO-2'),
    change('notes', 'dry', null),
  );
  const second = await corrected(
    hub,
    recorded,
    change('lines[0].lot_code', 'FLOUR-1', 'FLOUR-2'),
    change('lines[0].product_sku', 'FLOUR-T55', 'FLOUR-T65'),
    change('lines[0].direction', 'in', 'out'),
    change('lines[0].quantity', 250.5, 240),
    change('lines[0].unit', 'kg', 'bag'),
    change('lines[0].supplier_name', null, 'Mill Brandt'),
  );

  const { json } = await list(recorded.tenant);

  const event = valueAt(json, 'events', 0) as Record<string, unknown>;
  const { recorded_at, ...rest } = event;
  assert.equal(typeof recorded_at, 'string');
  assert.deepEqual(rest, {
    id: recorded.eventId,
    external_id: null,
    status: 'corrected',
    event_type: 'RECEIVE',
    occurred_at: '2026-03-01T22:59:59.5Z',
    location: 'BAKERY-2',
    reference: 'PO-2',
    notes: null,
    lines: [
      {
        lot_code: 'FLOUR-2',
        product_sku: 'FLOUR-T65',
        direction: 'out',
        quantity: 240,
        unit: 'bag',
        customer_ref: null,
        consignee_ref: null,
        channel: null,
        supplier_name: 'Mill Brandt',
        origin_facility: null,
        supplier_lot_code: null,
      },
    ],
    tx_count: 1,
    summary: 'RECEIVE at BAKERY-2, ref PO-2: 0 in, 1 out (-> FLOUR-2)',
    block: { height: recorded.eventId, block_hash: blockHash },
    corrected_by: [Number(first['id']), Number(second['id'])],
  });
});

test('the private values of a sale are listed as they count after corrections', async () => {
  const line = aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'Webshop' });
  const recorded = await record(hub, { event_type: 'SELL', notes: 'back door', lines: [line] });
  await corrected(
    hub,
    recorded,
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('notes', 'back door', 'front door'),
  );
  await corrected(hub, recorded, change('lines[0].channel', 'Webshop', null));

  const { json } = await list(recorded.tenant);

  assert.equal(valueAt(json, 'events', 0, 'notes'), 'front door');
  assert.equal(valueAt(json, 'events', 0, 'lines', 0, 'customer_ref'), 'CUST-2');
  assert.equal(valueAt(json, 'events', 0, 'lines', 0, 'channel'), null);
});

test('a voided event stays in the list and says so; its correction is no event of its own', async () => {
  const tenant = newTenant();
  const before = await record(hub, {}, tenant);
  const voided = await record(hub, {}, tenant);
  await corrected(hub, voided, change('status', 'accepted', 'voided'));
  const after = await record(hub, {}, tenant);

  const { json } = await list(tenant);
  const page = await list(tenant, '?limit=2');

  const events = valueAt(json, 'events') as readonly { id: number; status: string }[];
  assert.deepEqual(
    events.map(({ id, status }) => [id, status]),
    [
      [after.eventId, 'accepted'],
      [voided.eventId, 'voided'],
      [before.eventId, 'accepted'],
    ],
  );
  assert.deepEqual(listIds(page), [after.eventId, voided.eventId]);
});

test('a page of large events ends early and goes on behind them', async () => {
  const tenant = newTenant();
  // About 900 KB each, so that five of them are more than a page holds.
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    aLine({ lot_code: `LOT-${index}`, supplier_name: 'M'.repeat(200) }),
  );
  const notes = 'x'.repeat(1_900);
  const large = (reference: string) =>
    anEvent({
      reference,
      notes,
      lines: lines.map((line) => ({
        ...line,
        origin_facility: 'F'.repeat(200),
        supplier_lot_code: 'S'.repeat(200),
      })),
    });
  for (let index = 0; index < 7; index += 1) {
    const posted = await hub.post('/v1/events', large(`R-${index}`), { 'X-Tenant-Id': tenant });
    assert.equal(posted.status, 201, posted.text.slice(0, 300));
  }

  const first = await list(tenant);
  const second = await list(tenant, `?before=${String(first.json['next'])}`);

  const ids = [...listIds(first), ...listIds(second)].map(Number);
  assert.ok(listIds(first).length < 7, 'the first page holds all');
  assert.equal(ids.length, 7);
  assert.deepEqual(
    ids,
    ids.toSorted((a, b) => b - a),
  );
  assert.equal(second.json['next'], null);
});
