// GET /v1/lots/{lot_code}/chain: what happened to a lot and all lots related to it, in the order in
// which it occurred. Written from docs/interface/traceability.md#the-chain-of-a-lot.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { CHAIN_BLOCKS_MAX, lotChain } from '../../src/lots/chain/lot-chain.ts';
import { aLine, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';
import { change, corrected, record } from '../corrections/correction-requests.ts';
import { makeEvent, makeLine, openTestLedger } from '../ledger.ts';
import { storedBlock } from '../stored.ts';

const hub = await openForFile(boot());

async function chain(tenant: string, lotCode: string, query = ''): Promise<Answer> {
  const path = `/v1/lots/${encodeURIComponent(lotCode)}/chain${query}`;
  return await hub.call(path, { headers: { 'X-Tenant-Id': tenant } });
}

function listIds(answer: Answer): readonly number[] {
  assert.equal(answer.status, 200, answer.text);
  return (answer.json['events'] as unknown as readonly { id: number }[]).map(({ id }) => id);
}

/** Ids over all pages of this size. */
async function walk(tenant: string, lotCode: string, limit: number): Promise<readonly number[]> {
  const ids: number[] = [];
  for (let after = ''; ;) {
    const answer = await chain(tenant, lotCode, `?limit=${limit}${after}`);
    ids.push(...listIds(answer));
    assert.ok(listIds(answer).length <= limit);
    assert.equal(new Set(ids).size, ids.length, 'no page repeats an event');
    const next = answer.json['next'];
    if (next === null) return ids;
    after = `&after=${encodeURIComponent(String(next))}`;
  }
}

const day = (number: number, time = '06:00:00Z'): string =>
  `2026-03-${String(number).padStart(2, '0')}T${time}`;

/** Posts events of these days, types and lines; answers their ids. */
async function recordAll(
  tenant: string,
  ...events: readonly (readonly [number, string, readonly object[]])[]
): Promise<readonly number[]> {
  const ids: number[] = [];
  for (const [occurred, event_type, lines] of events) {
    const changes = { event_type, occurred_at: day(occurred), reference: `R-${ids.length}`, lines };
    ids.push((await record(hub, changes, tenant)).eventId);
  }
  return ids;
}

const into = (lot_code: string) => aLine({ lot_code, direction: 'in' });
const out = (lot_code: string) => aLine({ lot_code, direction: 'out' });

test('an event is shown with its block, its lots, what was sealed and what counts', async () => {
  const recorded = await record(hub, {
    external_id: 'wms-1',
    notes: 'dry',
    lines: [aLine({ supplier_name: 'Mill Brandt' }), aLine({ lot_code: 'SALT-1', unit: 'bag' })],
  });
  const { id } = await corrected(
    hub,
    recorded,
    change('lines[0].quantity', 250.5, 240),
    change('notes', 'dry', null),
  );

  const answer = await chain(recorded.tenant, 'FLOUR-1');

  assert.equal(answer.status, 200, answer.text);
  const block = await storedBlock(hub.database, recorded.eventId);
  const correction = await storedBlock(hub.database, Number(id));
  const nothing = {
    customer_ref: null,
    consignee_ref: null,
    channel: null,
    supplier_name: null,
    origin_facility: null,
    supplier_lot_code: null,
  };
  const flour = { ...aLine(), ...nothing, supplier_name: 'Mill Brandt' };
  const salt = { ...aLine({ lot_code: 'SALT-1', unit: 'bag' }), ...nothing };
  const common = {
    occurred_at: '2026-03-02T06:15:00Z',
    location: 'BAKERY-1',
    reference: 'PO-1',
  };
  assert.deepEqual(answer.json, {
    lot_code: 'FLOUR-1',
    events: [
      {
        id: recorded.eventId,
        event_type: 'RECEIVE',
        status: 'corrected',
        occurred_at: '2026-03-02T06:15:00Z',
        block_height: recorded.eventId,
        block_hash: block.blockHash,
        lot_codes: ['FLOUR-1', 'SALT-1'],
        original: { ...common, notes: 'dry', lines: [flour, salt] },
        effective: { ...common, notes: null, lines: [{ ...flour, quantity: 240 }, salt] },
        corrections: [
          {
            id,
            block_height: id,
            block_hash: correction.blockHash,
            recorded_at: valueAt(JSON.parse(correction.canonical), 'payload', 'recorded_at'),
            reason: 'typing error at the dock',
            changes: [
              { field: 'lines[0].quantity', old_value: 250.5, new_value: 240 },
              { field: 'notes', old_value: 'dry', new_value: null },
            ],
          },
        ],
      },
    ],
    next: null,
    truncated: false,
  });
});

test('the tenant sees its private values, sealed, effective and in the changes', async () => {
  const line = aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'Webshop' });
  const recorded = await record(hub, { event_type: 'SELL', notes: 'back door', lines: [line] });
  await corrected(
    hub,
    recorded,
    change('lines[0].customer_ref', 'CUST-1', 'CUST-2'),
    change('lines[0].channel', 'Webshop', null),
    change('notes', 'back door', 'front door'),
  );

  const { json } = await chain(recorded.tenant, 'FLOUR-1');

  const seen = (view: string) => [
    valueAt(json, 'events', 0, view, 'lines', 0, 'customer_ref'),
    valueAt(json, 'events', 0, view, 'lines', 0, 'channel'),
    valueAt(json, 'events', 0, view, 'notes'),
  ];
  assert.deepEqual(seen('original'), ['CUST-1', 'Webshop', 'back door']);
  assert.deepEqual(seen('effective'), ['CUST-2', null, 'front door']);
  assert.deepEqual(valueAt(json, 'events', 0, 'corrections', 0, 'changes'), [
    { field: 'lines[0].customer_ref', old_value: 'CUST-1', new_value: 'CUST-2' },
    { field: 'lines[0].channel', old_value: 'Webshop', new_value: null },
    { field: 'notes', old_value: 'back door', new_value: 'front door' },
  ]);
});

test('ancestors and descendants belong to it, siblings and strangers do not', async () => {
  const tenant = newTenant();
  const [flour = 0, dough = 0, bread = 0, roll = 0, cake = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [into('FLOUR-1')]],
    [2, 'PRODUCE', [into('FLOUR-1'), out('DOUGH-1')]],
    [3, 'PRODUCE', [into('DOUGH-1'), out('BREAD-1')]],
    [4, 'PRODUCE', [into('DOUGH-1'), out('ROLL-1')]],
    [5, 'PRODUCE', [into('FLOUR-1'), out('CAKE-1')]],
    [6, 'SELL', [out('CAKE-1')]],
    [7, 'RECEIVE', [into('SALT-9')]],
  );

  assert.deepEqual(listIds(await chain(tenant, 'DOUGH-1')), [flour, dough, bread, roll, cake]);
  assert.deepEqual(listIds(await chain(tenant, 'BREAD-1')), [flour, dough, bread, roll, cake]);
});

test('a lot linked by a reference belongs to it', async () => {
  const tenant = newTenant();
  const consumed = await record(
    hub,
    { event_type: 'CONSUME', reference: 'WO-7', lines: [into('FLOUR-1')] },
    tenant,
  );
  const produced = await record(
    hub,
    { event_type: 'PRODUCE', reference: 'WO-7', lines: [out('BREAD-1')] },
    tenant,
  );

  assert.deepEqual(listIds(await chain(tenant, 'BREAD-1')), [consumed.eventId, produced.eventId]);
});

test('events are in the order in which they occurred, of one instant in that of their blocks', async () => {
  const tenant = newTenant();
  const times = ['06:00:01Z', '06:00:00.5Z', '06:00:00Z', '06:00:00Z', '06:00:00.25Z'];
  const ids: number[] = [];
  for (const time of times) {
    ids.push((await record(hub, { occurred_at: day(1, time) }, tenant)).eventId);
  }

  const order = [2, 3, 4, 1, 0].map((index) => ids[index]);
  assert.deepEqual(listIds(await chain(tenant, 'FLOUR-1')), order);
  for (const limit of [1, 2, 3, 4, 5]) {
    assert.deepEqual(await walk(tenant, 'FLOUR-1', limit), order, `limit ${limit}`);
  }
});

test('a corrected time moves the event, also between pages', async () => {
  const tenant = newTenant();
  const [first = 0, second = 0, third = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [into('FLOUR-1')]],
    [2, 'TRANSFER', [into('FLOUR-1')]],
    [3, 'TRANSFER', [into('FLOUR-1')]],
  );

  await corrected(
    hub,
    { tenant, eventId: third },
    change('occurred_at', day(3), day(1, '05:00:00Z')),
  );

  assert.deepEqual(await walk(tenant, 'FLOUR-1', 1), [third, first, second]);
});

test('a page that is asked for stays right while events arrive', async () => {
  const tenant = newTenant();
  const [first = 0, second = 0, third = 0, fourth = 0] = await recordAll(
    tenant,
    [2, 'RECEIVE', [into('FLOUR-1')]],
    [3, 'TRANSFER', [into('FLOUR-1')]],
    [4, 'TRANSFER', [into('FLOUR-1')]],
    [5, 'TRANSFER', [into('FLOUR-1')]],
  );
  const page = await chain(tenant, 'FLOUR-1', '?limit=2');
  const [, late = 0] = await recordAll(
    tenant,
    [1, 'TRANSFER', [into('FLOUR-1')]],
    [6, 'TRANSFER', [into('FLOUR-1')]],
  );

  const rest = await chain(
    tenant,
    'FLOUR-1',
    `?limit=2&after=${encodeURIComponent(String(page.json['next']))}`,
  );

  assert.deepEqual(
    [listIds(page), listIds(rest)],
    [
      [first, second],
      [third, fourth],
    ],
  );
  assert.notEqual(rest.json['next'], null);
  const end = await chain(tenant, 'FLOUR-1', `?after=${String(rest.json['next'])}`);
  assert.deepEqual([listIds(end), end.json['next']], [[late], null]);
});

test('50 events come by default, 200 at most', async () => {
  const tenant = newTenant();
  const events = Array.from({ length: 201 }, (_, index) => ({
    event_type: 'TRANSFER',
    occurred_at: day(1, `06:00:00.${String(index + 1).padStart(3, '0')}Z`),
    location: 'A',
    reference: `R-${index}`,
    lines: [into('FLOUR-1')],
  }));
  const posted = await hub.post('/v1/events/batch', { events }, { 'X-Tenant-Id': tenant });
  assert.equal(posted.status, 201, posted.text);

  const [usual, most] = [
    await chain(tenant, 'FLOUR-1'),
    await chain(tenant, 'FLOUR-1', '?limit=200'),
  ];

  assert.deepEqual([listIds(usual).length, listIds(most).length], [50, 200]);
  assert.ok(usual.json['next'] !== null && most.json['next'] !== null);
  assert.equal((await walk(tenant, 'FLOUR-1', 67)).length, 201);
});

for (const [name, query] of [
  ...['0', '201', '-1', 'x', '1.5', ''].map((value) => ['limit', `limit=${value}`] as const),
  ...['', 'x', '17', '2026-03-02T06:15:00Z', '2026-03-02T06:15:00Z~', '2026-03-02~17'].map(
    (value) => ['after', `after=${encodeURIComponent(value)}`] as const,
  ),
]) {
  test(`?${query} is a 422 that names ${name}`, async () => {
    const { tenant } = await record(hub);

    const answer = await chain(tenant, 'FLOUR-1', `?${query}`);

    assert.equal(answer.status, 422, answer.text);
    assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['query', name]);
  });
}

test('an unknown lot is a 404, and so is one of another tenant', async () => {
  const { tenant } = await record(hub, { lines: [aLine({ supplier_lot_code: 'BR-1' })] });

  const answers = [
    await chain(tenant, 'NOBODY-1'),
    await chain(newTenant(), 'FLOUR-1'),
    await chain((await record(hub, { lines: [into('SALT-1')] })).tenant, 'FLOUR-1'),
    await chain(newTenant(), 'BR-1'),
  ];

  for (const answer of answers) {
    assert.equal(answer.status, 404);
    assert.deepEqual(answer.json, answers[0]!.json);
  }
});

test('no other tenant’s event of the same lot code is in it', async () => {
  const mine = await record(hub);
  await record(hub, { event_type: 'TRANSFER' });

  assert.deepEqual(listIds(await chain(mine.tenant, 'FLOUR-1')), [mine.eventId]);
});

test('a supplier’s lot code stands for the lots received under it and what was made of them', async () => {
  const tenant = newTenant();
  const received = (lot_code: string, supplier_lot_code: string) =>
    aLine({ lot_code, supplier_lot_code });
  const [first = 0, second = 0, , bread = 0, , sold = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [received('FLOUR-1', 'BR-118')]],
    [2, 'RECEIVE', [received('FLOUR-2', 'BR-118')]],
    [3, 'RECEIVE', [received('FLOUR-3', 'BR-119')]],
    [4, 'PRODUCE', [into('FLOUR-2'), into('SALT-1'), out('BREAD-1')]],
    [5, 'RECEIVE', [into('SALT-1')]],
    [6, 'SELL', [out('BREAD-1')]],
  );

  const answer = await chain(tenant, 'BR-118');

  assert.deepEqual(listIds(answer), [first, second, bread, sold]);
  assert.equal(answer.json['lot_code'], 'BR-118');
});

test('what a received lot was made from besides is not what a supplier’s lot code stands for', async () => {
  const tenant = newTenant();
  const [, blended = 0, received = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [into('REST-1')]],
    [2, 'PRODUCE', [into('REST-1'), out('FLOUR-1')]],
    [3, 'RECEIVE', [aLine({ supplier_lot_code: 'BR-118' })]],
  );

  assert.deepEqual(listIds(await chain(tenant, 'BR-118')), [blended, received]);
});

test('an own lot of that code comes before the supplier’s', async () => {
  const tenant = newTenant();
  await recordAll(tenant, [1, 'RECEIVE', [aLine({ supplier_lot_code: 'X-1' })]]);
  const [own] = await recordAll(tenant, [2, 'RECEIVE', [into('X-1')]]);

  assert.deepEqual(listIds(await chain(tenant, 'X-1')), [own]);
});

test('a supplier’s lot code that was corrected leads to the lot by the new one alone', async () => {
  const recorded = await record(hub, { lines: [aLine({ supplier_lot_code: 'BR-1' })] });

  await corrected(hub, recorded, change('lines[0].supplier_lot_code', 'BR-1', 'BR-2'));

  assert.equal((await chain(recorded.tenant, 'BR-1')).status, 404);
  assert.deepEqual(listIds(await chain(recorded.tenant, 'BR-2')), [recorded.eventId]);
});

test('an event that a correction took a lot out of stays in the chain of that lot', async () => {
  const tenant = newTenant();
  const [moved = 0, bread = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [into('OLD-1')]],
    [2, 'PRODUCE', [into('NEW-1'), out('BREAD-1')]],
  );

  await corrected(hub, { tenant, eventId: moved }, change('lines[0].lot_code', 'OLD-1', 'NEW-1'));

  assert.deepEqual(listIds(await chain(tenant, 'OLD-1')), [moved]);
  assert.deepEqual(listIds(await chain(tenant, 'NEW-1')), [moved, bread]);
  assert.deepEqual(listIds(await chain(tenant, 'BREAD-1')), [moved, bread]);
});

test('a voided event stays in the chain of its lots, and links them no more', async () => {
  const tenant = newTenant();
  const [flour = 0, voided = 0] = await recordAll(
    tenant,
    [1, 'RECEIVE', [into('FLOUR-1')]],
    [2, 'PRODUCE', [into('FLOUR-1'), out('BREAD-1')]],
  );

  await corrected(hub, { tenant, eventId: voided }, change('status', 'accepted', 'voided'));

  const bread = await chain(tenant, 'BREAD-1');
  assert.deepEqual(listIds(bread), [voided]);
  assert.equal(valueAt(bread.json, 'events', 0, 'status'), 'voided');
  assert.deepEqual(listIds(await chain(tenant, 'FLOUR-1')), [flour, voided]);
});

test('a lot with more blocks than one query finds, among others, is in it to its end', async () => {
  await using ledger = await openTestLedger();
  const busy = Array.from({ length: 1_250 }, () =>
    makeEvent('TRANSFER', [makeLine('in', 'BUSY-1')]),
  );
  const made = Array.from({ length: 60 }, (_, index) =>
    makeEvent('PRODUCE', [makeLine('in', 'BUSY-1'), makeLine('out', `ROLL-${index}`)]),
  );
  await ledger.record(busy.slice(0, 700));
  await ledger.record(made);
  await ledger.record(busy.slice(700));

  const ids: unknown[] = [];
  let after: { occurredAt: string; height: number } | undefined;
  for (;;) {
    const query = { tenantId: 'bakery', lotCode: 'ROLL-7', after, limit: 200 };
    const page = await lotChain(ledger.reader, query);
    ids.push(...page.events.map((event) => event.id));
    assert.equal(new Set(ids).size, ids.length, 'no page repeats an event');
    assert.equal(page.truncated, false);
    if (page.next === null) break;
    const [occurredAt = '', height = ''] = page.next.split('~');
    after = { occurredAt, height: Number(height) };
  }

  // BUSY-1 is the ancestor of ROLL-7: every event names it.
  assert.deepEqual(
    ids,
    Array.from({ length: 1_310 }, (_, index) => index + 1),
  );
});

test('a chain of more blocks than are put in order says that it is cut', async () => {
  await using ledger = await openTestLedger();
  await ledger.record(
    Array.from({ length: 30 }, () => makeEvent('TRANSFER', [makeLine('in', 'FLOUR-1')])),
  );
  const query = { tenantId: 'bakery', lotCode: 'FLOUR-1', after: undefined, limit: 200 };

  const exact = await lotChain(ledger.reader, query, 30);
  const cut = await lotChain(ledger.reader, query, 29);

  assert.deepEqual([exact.events.length, exact.truncated, exact.next], [30, false, null]);
  assert.deepEqual([cut.events.length, cut.truncated, cut.next], [29, true, null]);
  assert.ok(CHAIN_BLOCKS_MAX >= 10_000);
});

test('a page of very large events ends early and goes on at next', async () => {
  await using ledger = await openTestLedger();
  const lines = Array.from({ length: 1_000 }, (_, index) =>
    makeLine('in', `LOT-${index}-${'x'.repeat(80)}`, { product_sku: 'y'.repeat(100) }),
  );
  const [first = 0] = await ledger.record(
    Array.from({ length: 18 }, () =>
      makeEvent('TRANSFER', [...lines, makeLine('in', 'FLOUR-1')].slice(1)),
    ),
  );

  const query = { tenantId: 'bakery', lotCode: 'FLOUR-1', limit: 200 };
  const page = await lotChain(ledger.reader, { ...query, after: undefined });
  const last = page.events.at(-1)!;
  const rest = await lotChain(ledger.reader, {
    ...query,
    after: { occurredAt: last.occurred_at, height: last.id },
  });

  assert.ok(page.events.length < 18);
  assert.equal(page.next, `${last.occurred_at}~${last.id}`);
  const ids = [...page.events, ...rest.events].map((event) => event.id);
  assert.deepEqual(
    ids,
    Array.from({ length: 18 }, (_, index) => first + index),
  );
  assert.equal(rest.next, null);
});

test('a lot code with a slash and a space is found percent-encoded', async () => {
  const { tenant, eventId } = await record(hub, { lines: [into('MÜHLE/7 a')] });

  assert.deepEqual(listIds(await chain(tenant, 'MÜHLE/7 a')), [eventId]);
});

test('the chain is for those with a tenant key and a tenant id', async () => {
  const { tenant } = await record(hub);
  const headers = { 'X-Tenant-Id': tenant };

  const badKey = await hub.call('/v1/lots/FLOUR-1/chain', {
    headers: { ...headers, 'X-Api-Key': 'x' },
  });
  const noTenant = await hub.call('/v1/lots/FLOUR-1/chain', { headers: { 'X-Tenant-Id': '' } });

  assert.deepEqual([badKey.status, badKey.json], [401, { detail: 'Invalid API key' }] as [
    number,
    Json | object,
  ]);
  assert.equal(noTenant.status, 422);
});
