// POST /v1/events: its answer, its repeats and its warnings. Written from
// docs/interface/traceability.md#posting.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot, newTenant, valueAt, type Answer } from '../boot.ts';
import { storedBlock, storedHeight } from '../stored.ts';

const hub = await openForFile(boot());

async function postEvent(event: unknown, tenant = newTenant()): Promise<Answer> {
  return await hub.post('/v1/events', event, { 'X-Tenant-Id': tenant });
}

function warningCodes(answer: Answer): readonly unknown[] {
  const warnings = valueAt(answer.json, 'warnings');
  return Array.isArray(warnings) ? warnings.map((warning) => valueAt(warning, 'code')) : [];
}

const TYPES = [
  ...['RECEIVE', 'PRODUCE', 'CONSUME', 'PACK', 'TRANSFER'],
  ...['SHIP', 'SELL', 'DISPOSE', 'CORRECTION'],
];

test('the answer has exactly the documented fields', async () => {
  await using fresh = await boot();

  const answer = await fresh.post('/v1/events', anEvent({ external_id: 'wms-1' }));

  assert.equal(answer.status, 201);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const { blockHash } = await storedBlock(fresh.database, 1);
  const { log, ...event } = answer.json;
  assert.deepEqual(Object.keys(log!), ['origin', 'index', 'size', 'witnessed', 'proof']);
  assert.deepEqual(event, {
    id: 1,
    external_id: 'wms-1',
    status: 'accepted',
    event_type: 'RECEIVE',
    chain: {
      height: 1,
      tip_hash: blockHash,
      chain_valid: true,
      block_height: 1,
      block_hash: blockHash,
      tx_count: 1,
      summary: 'RECEIVE at BAKERY-1, ref PO-1: 1 in, 0 out (FLOUR-1 ->)',
    },
  });
});

test('external_id is null when none was sent', async () => {
  const answer = await postEvent(anEvent());

  assert.equal(answer.json['external_id'], null);
});

for (const type of TYPES) {
  test(`event_type ${type} is accepted`, async () => {
    const answer = await postEvent(anEvent({ event_type: type }));

    assert.equal(answer.status, 201);
    assert.equal(answer.json['event_type'], type);
  });
}

test('a value in the wrong case is another event_type and refused', async () => {
  const answer = await postEvent(anEvent({ event_type: 'receive' }));

  assert.equal(answer.status, 422);
  assert.deepEqual(valueAt(answer.json, 'detail', 0, 'loc'), ['body', 'event_type']);
  assert.equal(valueAt(answer.json, 'detail', 0, 'type'), 'enum');
});

test('tx_count is the number of lines, and the summary reads as documented', async () => {
  const answer = await postEvent({
    event_type: 'PRODUCE',
    occurred_at: '2026-03-02T07:15:00Z',
    location: 'PLANT-1',
    reference: 'WO-77',
    lines: [
      aLine({ lot_code: 'FLOUR-1', direction: 'in' }),
      aLine({ lot_code: 'SUGAR-2', direction: 'in' }),
      aLine({ lot_code: 'CAKE-9', direction: 'out' }),
    ],
  });

  assert.equal(valueAt(answer.json, 'chain', 'tx_count'), 3);
  assert.equal(
    valueAt(answer.json, 'chain', 'summary'),
    'PRODUCE at PLANT-1, ref WO-77: 2 in, 1 out (FLOUR-1, SUGAR-2 -> CAKE-9)',
  );
});

test('an optional field that is null counts as not sent', async () => {
  const tenant = newTenant();
  const nulls = { customer_ref: null, channel: null, supplier_name: null };
  const first = await postEvent(
    anEvent({ external_id: 'n', notes: null, lines: [aLine(nulls)] }),
    tenant,
  );

  const again = await postEvent(anEvent({ external_id: 'n' }), tenant);

  assert.equal(first.status, 201);
  assert.equal(again.status, 200);
});

test('a repeat answers 200 with the block of then and the tip of now', async () => {
  const tenant = newTenant();
  const event = anEvent({ external_id: 'r-1', notes: 'dry' });
  const first = await postEvent(event, tenant);
  const later = await postEvent(anEvent(), tenant);

  const again = await postEvent(event, tenant);

  assert.equal(first.headers.get('idempotent-replay'), null);
  assert.equal(again.status, 200);
  assert.equal(again.headers.get('idempotent-replay'), 'true');
  assert.equal(again.json['id'], first.json['id']);
  const chainValue = (answer: Answer, field: string): unknown =>
    valueAt(answer.json, 'chain', field);
  assert.equal(chainValue(again, 'block_height'), chainValue(first, 'block_height'));
  assert.equal(chainValue(again, 'block_hash'), chainValue(first, 'block_hash'));
  assert.equal(chainValue(again, 'summary'), chainValue(first, 'summary'));
  assert.equal(chainValue(again, 'height'), chainValue(later, 'block_height'));
  assert.equal(chainValue(again, 'tip_hash'), chainValue(later, 'block_hash'));
});

test('a repeat appends nothing, even after a restart', async () => {
  await using first = await boot();
  const event = anEvent({ external_id: 'r-1' });
  const before = await first.post('/v1/events', event);

  await using second = await first.restart();
  const again = await second.post('/v1/events', event);

  assert.equal(again.status, 200);
  assert.equal(valueAt(again.json, 'chain', 'height'), 1);
  assert.equal(
    valueAt(again.json, 'chain', 'block_hash'),
    valueAt(before.json, 'chain', 'block_hash'),
  );
});

test('the same instant and the same quantity in other words are the same content', async () => {
  const tenant = newTenant();
  const sent = { external_id: 'r-1', occurred_at: '2026-03-02T07:15:00.500+01:00' };
  await postEvent(anEvent({ ...sent, lines: [aLine({ quantity: 1000 })] }), tenant);
  const body = JSON.stringify(
    anEvent({
      ...sent,
      occurred_at: '2026-03-02T06:15:00.5Z',
      lines: [aLine({ quantity: 7 })],
    }),
  ).replace('"quantity":7', '"quantity":1.0e3');

  const again = await hub.call('/v1/events', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Tenant-Id': tenant },
    body,
  });

  assert.equal(again.status, 200);
});

test('the same external_id of two tenants is two events', async () => {
  const event = anEvent({ external_id: 'shared' });
  const first = await postEvent(event);

  const second = await postEvent({ ...event, notes: 'other content' });

  assert.equal(second.status, 201);
  assert.notEqual(second.json['id'], first.json['id']);
});

test('the same event twice without an external_id is two events', async () => {
  const tenant = newTenant();
  const first = await postEvent(anEvent(), tenant);

  const second = await postEvent(anEvent(), tenant);

  assert.equal(second.status, 201);
  assert.notEqual(second.json['id'], first.json['id']);
});

const SELL = anEvent({
  event_type: 'SELL',
  notes: 'left at the back door',
  lines: [aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'webshop' }), aLine()],
});

/** Changes of a repeated SELL event, and the field that the refusal must name. */
const CHANGES: readonly (readonly [string, Record<string, unknown>])[] = [
  ['event_type', { event_type: 'SHIP' }],
  ['occurred_at', { occurred_at: '2026-03-02T07:15:00.001+01:00' }],
  ['location', { location: 'BAKERY-2' }],
  ['reference', { reference: 'PO-2' }],
  ['notes', { notes: 'left at the front door' }],
  ['notes', { notes: undefined }],
  ['lines', { lines: [lineOfSell({})] }],
  ['lines[0].lot_code', { lines: [lineOfSell({ lot_code: 'FLOUR-2' }), aLine()] }],
  ['lines[0].product_sku', { lines: [lineOfSell({ product_sku: 'RYE' }), aLine()] }],
  ['lines[0].direction', { lines: [lineOfSell({ direction: 'in' }), aLine()] }],
  ['lines[1].quantity', { lines: [lineOfSell({}), aLine({ quantity: 250.6 })] }],
  ['lines[0].unit', { lines: [lineOfSell({ unit: 'g' }), aLine()] }],
  ['lines[0].customer_ref', { lines: [lineOfSell({ customer_ref: 'CUST-2' }), aLine()] }],
  ['lines[0].customer_ref', { lines: [lineOfSell({ customer_ref: undefined }), aLine()] }],
  ['lines[0].channel', { lines: [lineOfSell({ channel: 'web' }), aLine()] }],
  ['lines[0].channel', { lines: [lineOfSell({ channel: 'store' }), aLine()] }],
  ['lines[1].customer_ref', { lines: [lineOfSell({}), aLine({ customer_ref: 'CUST-1' })] }],
  ['lines[1].supplier_name', { lines: [lineOfSell({}), aLine({ supplier_name: 'Mill' })] }],
  ['lines[1].origin_facility', { lines: [lineOfSell({}), aLine({ origin_facility: 'Silo' })] }],
  ['lines[1].supplier_lot_code', { lines: [lineOfSell({}), aLine({ supplier_lot_code: 'B' })] }],
];

function lineOfSell(changes: Record<string, unknown>): Record<string, unknown> {
  return aLine({ direction: 'out', customer_ref: 'CUST-1', channel: 'webshop', ...changes });
}

for (const [field, change] of CHANGES) {
  test(`a repeat with another ${field} (${JSON.stringify(change).slice(0, 40)}) is a 400`, async () => {
    const tenant = newTenant();
    await postEvent({ ...SELL, external_id: 'r-1' }, tenant);
    const height = await storedHeight(hub.database);

    const again = await postEvent({ ...SELL, external_id: 'r-1', ...change }, tenant);

    assert.equal(again.status, 400);
    assert.deepEqual(Object.keys(again.json), ['detail']);
    const detail = String(valueAt(again.json, 'detail'));
    const named = (detail.split('differ: ')[1] ?? '').split(', ');
    assert.ok(named.includes(field), detail);
    assert.ok(!/CUST|door|webshop/.test(detail), 'no private value is echoed');
    assert.equal(await storedHeight(hub.database), height);
  });
}

/** What an event is sent with, and the warning that its answer must carry, if any. */
const WARNED: readonly (readonly [string, Record<string, unknown>, readonly string[]])[] = [
  ['an ordinary event', {}, []],
  ['no offset', { occurred_at: '2026-03-02T07:15:00' }, ['no_offset']],
  ['Z as offset', { occurred_at: '2026-03-02T07:15:00Z' }, []],
  ['customer_ref of no SELL', { lines: [aLine({ customer_ref: 'C' })] }, ['private_field_dropped']],
  ['channel of no SELL', { lines: [aLine({ channel: 'web' })] }, ['private_field_dropped']],
  ['a channel of known words', sale({ channel: 'Hofladen' }), []],
  ['a channel of unknown words', sale({ channel: 'Kanal 7' }), ['channel_unknown']],
  ['the channel "other"', sale({ channel: 'Other' }), []],
  ['25 h in the future', { occurred_at: hoursAhead(25) }, ['occurred_in_future']],
  ['23 h in the future', { occurred_at: hoursAhead(23) }, []],
  ['a RECEIVE out', { lines: [aLine({ direction: 'out' })] }, ['unusual_direction']],
  ['a SHIP in', { event_type: 'SHIP' }, ['unusual_direction']],
  ['a CORRECTION', { event_type: 'CORRECTION' }, ['correction_without_target']],
];

function sale(line: Record<string, unknown>): Record<string, unknown> {
  return { event_type: 'SELL', lines: [aLine({ direction: 'out', ...line })] };
}

function hoursAhead(hours: number): string {
  return new Date(Date.now() + hours * 3_600_000).toISOString();
}

for (const [name, changes, codes] of WARNED) {
  test(`${name} is accepted with the warnings [${codes.join()}]`, async () => {
    const answer = await postEvent(anEvent(changes));

    assert.equal(answer.status, 201);
    assert.deepEqual(warningCodes(answer), codes);
    assert.equal('warnings' in answer.json, codes.length > 0);
  });
}

test('the error of a CORRECTION without target says where to go', async () => {
  const answer = await postEvent(anEvent({ event_type: 'CORRECTION' }));

  assert.deepEqual(valueAt(answer.json, 'warnings', 0), {
    code: 'correction_without_target',
    message: 'use POST /v1/corrections to correct an event',
  });
});
