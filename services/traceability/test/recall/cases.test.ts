// Recall cases: opening one, what it covers, the list, the detail (docs/interface/traceability.md#cases).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, newTenant, valueAt, type Answer, type Json } from '../boot.ts';
import { caughtUp } from './following.ts';
import { CASE, RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot());

/** Flour that bread was made of, bread that was sold, and sugar that has nothing to do with it. */
async function bakery(): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'SUGAR');
  await tenant.produce(['FLOUR'], ['BREAD-1', 'BREAD-2']);
  return tenant;
}

function codes(list: unknown): readonly string[] {
  return readArray(list).map((lot) => String(lot['lot_code']));
}

test('opening a case answers 201 with its record and what it covers', async () => {
  const tenant = await bakery();
  const before = new Date().toISOString();

  const answer = await tenant.tryOpen({
    ...CASE,
    seed_lot_code: 'BREAD-1',
    severity: 'class_ii',
    direction: 'both',
    auto_hold: true,
  });

  assert.equal(answer.status, 201, answer.text);
  const { json } = answer;
  assert.match(String(json['case_no']), /^RC-\d{4}-\d{4,}$/);
  const { opened_at: openedAt } = json;
  assert.ok(String(openedAt) >= before);
  assert.deepEqual(
    [json['seed_lot_code'], json['title'], json['reason'], json['opened_by'], json['severity']],
    ['BREAD-1', CASE.title, CASE.reason, CASE.opened_by, 'class_ii'],
  );
  assert.deepEqual(
    [json['status'], json['direction'], json['auto_hold'], json['seed_type'], json['ended_at']],
    ['investigation', 'both', true, 'lot', null],
  );
  assert.deepEqual(json['next_statuses'], ['notification', 'cancelled']);
  assert.deepEqual(codes(valueAt(json, 'impact', 'affected_lots')), ['BREAD-1', 'FLOUR']);
  assert.deepEqual(json['timeline'], [
    {
      from_status: null,
      status: 'investigation',
      at: openedAt,
      by: CASE.opened_by,
      note: null,
      block_height: valueAt(json, 'timeline', 0, 'block_height'),
      block_hash: valueAt(json, 'timeline', 0, 'block_hash'),
    },
  ]);
  assert.match(String(valueAt(json, 'timeline', 0, 'block_hash')), /^[0-9a-f]{64}$/);
  assert.equal(json['warnings'], undefined);
});

test('what is not said of a case has its default', async () => {
  const tenant = await bakery();

  const opened = await tenant.open('FLOUR');

  assert.deepEqual(
    [opened['severity'], opened['direction'], opened['auto_hold']],
    ['unclassified', 'both', true],
  );
});

for (const [direction, stored, covered] of [
  ['upstream', 'upstream', ['BREAD-1', 'FLOUR']],
  ['backward', 'upstream', ['BREAD-1', 'FLOUR']],
  ['downstream', 'downstream', ['BREAD-1', 'CRUMBS']],
  ['forward', 'downstream', ['BREAD-1', 'CRUMBS']],
  ['both', 'both', ['BREAD-1', 'CRUMBS', 'FLOUR']],
] as const) {
  test(`direction ${direction} covers what it says, and no siblings`, async () => {
    const tenant = await bakery();
    await tenant.produce(['BREAD-1'], ['CRUMBS']);

    const opened = await tenant.open('BREAD-1', { direction });

    assert.equal(opened['direction'], stored);
    assert.deepEqual(codes(valueAt(opened, 'impact', 'affected_lots')).toSorted(), covered);
    for (const lot of ['BREAD-1', 'FLOUR', 'CRUMBS', 'BREAD-2', 'SUGAR']) {
      const isHeld = covered.some((code) => code === lot);
      assert.equal((await tenant.lot(lot))['hold_status'], isHeld ? 'on_hold' : 'released', lot);
    }
  });
}

test('a case holds its lots for the reason that is its title', async () => {
  const tenant = await bakery();

  const opened = await tenant.open('BREAD-1');

  const { case_no: caseNo, opened_at: since } = opened;
  assert.deepEqual((await tenant.lot('FLOUR'))['holds'], [
    { case_no: caseNo, reason: CASE.title, by: CASE.opened_by, since },
  ]);
  assert.deepEqual(opened['holds'], { on_hold: 2, released: 0 });
});

test('without auto_hold no lot is held', async () => {
  const tenant = await bakery();

  const opened = await tenant.open('BREAD-1', { auto_hold: false });

  assert.equal(await tenant.standing('BREAD-1'), 'active released');
  assert.deepEqual(opened['holds'], { on_hold: 0, released: 2 });
  const lots = readArray(valueAt(opened, 'impact', 'affected_lots'));
  assert.deepEqual(
    lots.map((lot) => lot['hold_status']),
    ['released', 'released'],
  );
});

test('the answer to an opening is the detail of the case', async () => {
  const tenant = await bakery();

  const opened = await tenant.open('BREAD-1');

  assert.deepEqual(await tenant.detail(opened['case_no']), opened);
});

test('the impact names products, shipments, customers, channels and suppliers', async () => {
  const tenant = await bakery();
  const supplier = { supplier_name: 'Mill Brandt', supplier_lot_code: 'BR-118' };
  await tenant.post({ lines: [aLine({ lot_code: 'FLOUR', ...supplier })] });
  const line = { lot_code: 'BREAD-1', product_sku: 'RYE', direction: 'out', unit: 'kg' };
  await tenant.post({ event_type: 'SHIP', lines: [aLine({ ...line, quantity: 40 })] });
  await tenant.post({
    event_type: 'SELL',
    lines: [aLine({ ...line, quantity: 1.5, customer_ref: 'C-1', channel: 'webshop' })],
  });

  const { case_no: caseNo } = await tenant.open('BREAD-1');

  const impact = (await tenant.detail(caseNo))['impact'];
  assert.deepEqual(valueAt(impact, 'affected_products'), ['FLOUR-T55', 'RYE', 'SKU']);
  const [shipment] = readArray(valueAt(impact, 'shipments'));
  assert.deepEqual([shipment?.['lot_code'], shipment?.['quantity']], ['BREAD-1', 40]);
  const [customer] = readArray(valueAt(impact, 'customers'));
  assert.deepEqual(
    [customer?.['customer_ref'], customer?.['quantity'], customer?.['channels']],
    ['C-1', 1.5, ['webshop']],
  );
  assert.deepEqual(valueAt(impact, 'channels'), ['webshop']);
  const [delivery] = readArray(valueAt(impact, 'suppliers'));
  assert.deepEqual(
    [delivery?.['supplier_lot_code'], delivery?.['lot_codes']],
    ['BR-118', ['FLOUR']],
  );
  const { lots, customers, channels, suppliers, shipments } = valueAt(impact, 'now') as Json;
  assert.deepEqual([lots, customers, channels, suppliers, shipments], [2, 1, ['online'], 1, 1]);
  assert.deepEqual(valueAt(impact, 'at_opening'), valueAt(impact, 'now'));
});

test('the detail has the first notifications, and what became of all of them', async () => {
  const tenant = await bakery();
  const line = { lot_code: 'BREAD-1', product_sku: 'RYE', direction: 'out', unit: 'pcs' };
  const lines = Array.from({ length: 60 }, (_, index) =>
    aLine({ ...line, quantity: 2, customer_ref: `C-${index}` }),
  );
  await tenant.post({ event_type: 'SELL', lines });
  const { case_no: caseNo } = await tenant.open('BREAD-1');

  const detail = await tenant.detail(caseNo);

  const path = `/v1/recall/cases/${String(caseNo)}/notifications`;
  const first = (await tenant.get(path)).json;
  const rest = (await tenant.get(`${path}?after=${String(detail['notifications_next'])}`)).json;
  assert.deepEqual(detail['notifications'], first['notifications']);
  assert.deepEqual(
    [readArray(detail['notifications']).length, readArray(rest['notifications']).length],
    [50, 13],
  );
  assert.equal(valueAt(detail, 'effectiveness', 'notifications'), 63);
  assert.equal(valueAt(detail, 'effectiveness', 'quantities', 0, 'distributed'), 120);
});

test('what comes after the opening is distinguished from the snapshot', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD-1');
  await tenant.produce(['BREAD-1'], ['CRUMBS']);

  const impact = (await tenant.detail(caseNo))['impact'];

  assert.equal(valueAt(impact, 'at_opening', 'lots'), 2);
  assert.equal(valueAt(impact, 'now', 'lots'), 3);
  assert.deepEqual(valueAt(impact, 'added_since_open'), { total: 1, lot_codes: ['CRUMBS'] });
  assert.deepEqual(valueAt(impact, 'left_impact'), { total: 0, lot_codes: [] });
});

test('what a correction takes out of the impact is reported', async () => {
  const tenant = await bakery();
  const produced = await tenant.produce(['BREAD-1'], ['CRUMBS']);
  const { case_no: caseNo } = await tenant.open('BREAD-1');
  const voided = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: produced.json['id'],
      reason: 'did not happen',
      requested_by: 'Bob',
      changes: [{ field: 'status', old_value: 'accepted', new_value: 'voided' }],
    },
    tenant.headers,
  );
  assert.equal(voided.status, 201, voided.text);

  const impact = (await tenant.detail(caseNo))['impact'];

  assert.equal(valueAt(impact, 'now', 'lots'), 2);
  assert.deepEqual(valueAt(impact, 'left_impact'), { total: 1, lot_codes: ['CRUMBS'] });
});

test('a supplier’s lot is recalled with what came in of it and what was made of that', async () => {
  const tenant = new RecallTenant(hub);
  const line = { lot_code: 'FLOUR', supplier_lot_code: 'BR-118' };
  await tenant.post({ lines: [aLine(line), aLine({ lot_code: 'SUGAR' })] });
  await tenant.produce(['FLOUR', 'SUGAR'], ['BREAD']);

  const opened = await tenant.open('BR-118');

  assert.equal(opened['seed_type'], 'supplier_lot');
  assert.deepEqual(codes(valueAt(opened, 'impact', 'affected_lots')).toSorted(), [
    'BREAD',
    'FLOUR',
  ]);
  assert.equal(await tenant.standing('FLOUR'), 'active on_hold');
  const [notice] = await tenant.notices();
  assert.deepEqual([notice?.['lot_code'], notice?.['lot_codes']], ['BR-118', ['FLOUR', 'BREAD']]);
  assert.match(String(notice?.['verify_url']), /\/public\/verify\/FLOUR\?brand=/);
});

test('a case on the lot of one supplier leaves the same code of another alone, also later', async () => {
  const tenant = new RecallTenant(hub);
  const from = (lot_code: string, supplier_name: string | null) =>
    aLine({ lot_code, supplier_name, supplier_lot_code: 'L-7' });
  await tenant.post({ lines: [from('FLOUR', 'Mill'), from('MILK', 'Dairy')] });

  const refused = await tenant.tryOpen({ ...CASE, seed_lot_code: 'L-7' });
  const opened = await tenant.open('L-7', { supplier_name: 'Mill' });
  const lines = [from('FLOUR-2', 'Mill'), from('MILK-2', 'Dairy'), from('X', null)];
  await tenant.post({ lines });
  await caughtUp(hub);

  assert.deepEqual([refused.status, refused.json['suppliers']], [409, ['Dairy', 'Mill']]);
  assert.equal(opened['seed_supplier_name'], 'Mill');
  assert.deepEqual(codes(valueAt(opened, 'impact', 'affected_lots')), ['FLOUR']);
  const standings = await Promise.all(
    ['FLOUR', 'MILK', 'FLOUR-2', 'MILK-2', 'X'].map((lotCode) => tenant.standing(lotCode)),
  );
  assert.deepEqual(
    standings.map((standing) => standing.split(' ')[1]),
    [...['on_hold', 'released', 'on_hold', 'released', 'on_hold']],
  );
  const detail = await tenant.detail(opened['case_no']);
  assert.equal(valueAt(detail, 'impact', 'now', 'lots'), 3);
});

test('a case on the lot of the only supplier is about that supplier from then on', async () => {
  const tenant = new RecallTenant(hub);
  const from = (lot_code: string, supplier_name: string) =>
    aLine({ lot_code, supplier_name, supplier_lot_code: 'L-9' });
  await tenant.post({ lines: [from('FLOUR', 'Mill')] });

  const opened = await tenant.open('L-9');
  await tenant.post({ lines: [from('MILK', 'Dairy')] });
  await caughtUp(hub);

  assert.equal(opened['seed_supplier_name'], 'Mill');
  assert.equal(await tenant.standing('MILK'), 'active released');
});

test('a second open case on a lot is opened with a warning that names the first', async () => {
  const tenant = await bakery();
  const first = await tenant.open('FLOUR');

  const second = await tenant.open('FLOUR');

  const [warning] = readArray(second['warnings']);
  assert.equal(warning?.['code'], 'case_already_open');
  assert.ok(String(warning?.['message']).includes(String(first['case_no'])));
  assert.notEqual(second['case_no'], first['case_no']);
});

test('a case that has ended is no reason to warn', async () => {
  const tenant = await bakery();
  const first = await tenant.open('FLOUR');
  await tenant.moveThrough(first['case_no'], 'cancelled');

  const second = await tenant.open('FLOUR');

  assert.equal(second['warnings'], undefined);
});

test('opening a case writes an audit entry without names of customers', async () => {
  const tenant = await bakery();

  const opened = await tenant.open('FLOUR', { severity: 'class_i' });

  const rows = await hub.database.rows(
    "select actor, action, entity_type, entity_id, details from audit_entries where action = 'open_case' and tenant_id = ?",
    tenant.id,
  );
  assert.equal(rows.length, 1);
  const [entry] = rows;
  assert.deepEqual(
    [entry?.['actor'], entry?.['entity_type'], entry?.['entity_id']],
    ['tenant key of the settings (Ada Miller)', 'case', opened['case_no']],
  );
  assert.deepEqual(JSON.parse(String(entry?.['details'])), {
    seed_lot_code: 'FLOUR',
    severity: 'class_i',
    direction: 'both',
    auto_hold: 1,
    lots: 3,
  });
});

test('opening a small case appends one block', async () => {
  const tenant = await bakery();
  const heightNow = async () =>
    valueAt((await hub.call('/public/explorer')).json, 'stats', 'height');
  const before = await heightNow();

  await tenant.open('FLOUR');

  assert.equal(await heightNow(), Number(before) + 1);
});

test('each step of a case names its block, and the public history lists all of them', async () => {
  const tenant = await bakery();
  const caseNo = String((await tenant.open('FLOUR'))['case_no']);
  await tenant.moveThrough(caseNo, 'notification');
  await tenant.produce(['FLOUR'], ['LATE-BREAD']);
  await caughtUp(hub);

  const { timeline } = await tenant.detail(caseNo);
  const history = await hub.call(`/public/notices/${caseNo}/history`);

  const steps = readArray(history.json['steps']);
  assert.deepEqual(
    steps.map((step) => [step['step'], step['change'], step['status'], step['lots_entered']]),
    [
      [1, 'opened', 'investigation', 3],
      [2, 'moved', 'notification', 0],
      [3, 'widened', 'notification', 1],
    ],
  );
  for (const [index, move] of readArray(timeline).entries()) {
    assert.equal(move['block_height'], steps[index]?.['block_height']);
    assert.equal(move['block_hash'], steps[index]?.['block_hash']);
  }
  for (const step of steps) {
    const block = await hub.call(`/public/explorer/block/${String(step['block_height'])}`);
    assert.equal(block.status, 200, block.text);
    assert.match(block.text, new RegExp(String(step['block_hash'])));
  }
  assert.doesNotMatch(history.text, /Ada Miller/);
});

test('a history is read page by page, and of no case that is not there', async () => {
  const tenant = await bakery();
  const caseNo = String((await tenant.open('FLOUR'))['case_no']);
  await tenant.moveThrough(caseNo, 'notification', 'cancelled');

  const first = await hub.call(`/public/notices/${caseNo}/history?limit=2`);
  const next = String(first.json['next']);
  const second = await hub.call(`/public/notices/${caseNo}/history?limit=2&after=${next}`);
  const none = await hub.call('/public/notices/RC-2026-9999/history');

  assert.deepEqual(
    readArray(second.json['steps']).map((step) => step['status']),
    ['cancelled'],
  );
  assert.equal(second.json['next'], null);
  assert.equal(none.status, 404);
});

function fieldErrors(answer: Answer): readonly string[] {
  return readArray(answer.json['detail']).map((error) => {
    return `${readArray(error['loc']).join('.')} ${String(error['type'])}`;
  });
}

test('all errors of a request are reported at once, and nothing is opened', async () => {
  const tenant = await bakery();

  const empty = await tenant.tryOpen({});
  const wrong = await tenant.tryOpen({
    seed_lot_code: 7,
    title: '',
    reason: 'x'.repeat(4_001),
    opened_by: 'x'.repeat(201),
    severity: 'class_iv',
    direction: 'sideways',
    auto_hold: 'yes',
    colour: 'red',
  });

  assert.deepEqual(
    [empty.status, fieldErrors(empty).toSorted()],
    [
      422,
      [
        'body.opened_by missing',
        'body.reason missing',
        'body.seed_lot_code missing',
        'body.title missing',
      ],
    ],
  );
  assert.deepEqual(
    [wrong.status, fieldErrors(wrong).toSorted()],
    [
      422,
      [
        'body.auto_hold bool_type',
        'body.colour extra_forbidden',
        'body.direction enum',
        'body.opened_by string_too_long',
        'body.reason string_too_long',
        'body.seed_lot_code string_type',
        'body.severity enum',
        'body.title string_too_short',
      ],
    ],
  );
  assert.deepEqual(await tenant.notices(), []);
});

test('a lot that only another brand has is as one that nobody has', async () => {
  const tenant = await bakery();
  const other = new RecallTenant(hub);
  await other.receive('THEIRS');

  const [theirs, nobodys, stranger] = [
    await tenant.tryOpen({ ...CASE, seed_lot_code: 'THEIRS' }),
    await tenant.tryOpen({ ...CASE, seed_lot_code: 'NOBODYS' }),
    await new RecallTenant(hub).tryOpen({ ...CASE, seed_lot_code: 'THEIRS' }),
  ];

  assert.deepEqual([theirs.status, nobodys.status, stranger.status], [404, 404, 404]);
  assert.equal(theirs.text, nobodys.text);
  assert.equal(stranger.text, nobodys.text);
});

test('another brand’s case is as one that does not exist, however it is asked for', async () => {
  const tenant = await bakery();
  const other = await bakery();
  const { case_no: caseNo } = await other.open('FLOUR');

  for (const [theirs, nobodys] of [
    [
      await tenant.get(`/v1/recall/cases/${String(caseNo)}`),
      await tenant.get('/v1/recall/cases/RC-2026-99999'),
    ],
    [
      await tenant.get(`/v1/recall/cases/${String(caseNo)}/lots`),
      await tenant.get('/v1/recall/cases/RC-2026-99999/lots'),
    ],
    [await tenant.move(caseNo, 'closed'), await tenant.move('RC-2026-99999', 'closed')],
    [await tenant.move(caseNo, 'notification'), await tenant.move('x', 'notification')],
  ] as const) {
    assert.deepEqual([theirs.status, nobodys.status], [404, 404]);
    assert.equal(theirs.text, nobodys.text);
  }
  assert.equal((await other.detail(caseNo))['status'], 'investigation');
  assert.deepEqual((await tenant.get('/v1/recall/cases')).json['cases'], []);
});

test('the list has the newest case first, and is narrowed by what a case is', async () => {
  const tenant = await bakery();
  const first = await tenant.open('FLOUR', { severity: 'class_i' });
  const second = await tenant.open('SUGAR', { severity: 'class_iii' });
  const third = await tenant.open('FLOUR', { severity: 'class_i' });
  await tenant.moveThrough(first['case_no'], 'cancelled');
  await tenant.moveThrough(second['case_no'], 'notification');
  const [a, b, c] = [first, second, third].map((one) => one['case_no']);
  const listed = async (query: string) => {
    const { json } = await tenant.get(`/v1/recall/cases${query}`);
    const cases = readArray(json['cases']).map((one) => one['case_no']);
    assert.equal(json['total'], cases.length, query);
    return cases;
  };

  assert.deepEqual(await listed(''), [c, b, a]);
  assert.deepEqual(await listed('?status=notification'), [b]);
  assert.deepEqual(await listed('?severity=class_i'), [c, a]);
  assert.deepEqual(await listed('?open=true'), [c, b]);
  assert.deepEqual(await listed('?open=false'), [a]);
  assert.deepEqual(await listed('?seed_lot_code=SUGAR'), [b]);
  assert.deepEqual(await listed('?severity=class_i&open=true'), [c]);
});

test('the list is paged by offset and by case number', async () => {
  const tenant = await bakery();
  const opened: unknown[] = [];
  for (const _ of [1, 2, 3]) opened.unshift((await tenant.open('FLOUR'))['case_no']);
  const page = async (query: string) => (await tenant.get(`/v1/recall/cases?${query}`)).json;

  const first = await page('limit=2');
  const second = await page(`limit=2&before=${String(first['next'])}`);
  const skipped = await page('limit=2&offset=1');

  const numbers = (json: Json) => readArray(json['cases']).map((one) => one['case_no']);
  assert.deepEqual([numbers(first), first['total'], first['limit']], [opened.slice(0, 2), 3, 2]);
  assert.deepEqual([numbers(second), second['next']], [opened.slice(2), null]);
  assert.deepEqual([numbers(skipped), skipped['offset']], [opened.slice(1), 1]);
  for (const query of ['limit=0', 'limit=201', 'status=open', 'before=7', 'open=maybe']) {
    const answer = await tenant.get(`/v1/recall/cases?${query}`);
    assert.equal(answer.status, 422, query);
  }
});

test('the lots of a case are paged, with when they came and went', async () => {
  const tenant = await bakery();
  const { case_no: caseNo, opened_at: openedAt } = await tenant.open('FLOUR');
  const path = `/v1/recall/cases/${String(caseNo)}/lots`;

  const first = (await tenant.get(`${path}?limit=2`)).json;
  const second = (await tenant.get(`${path}?limit=2&after=${String(first['next'])}`)).json;
  const left = (await tenant.get(`${path}?which=left`)).json;

  assert.deepEqual(codes(first['lots']), ['FLOUR', 'BREAD-1']);
  assert.deepEqual([codes(second['lots']), second['next']], [['BREAD-2'], null]);
  assert.deepEqual([first['covered'], first['left'], left['lots']], [3, 0, []]);
  assert.deepEqual(readArray(first['lots'])[1], {
    lot_code: 'BREAD-1',
    product_sku: 'SKU',
    relation: 'downstream',
    distance: 1,
    in_snapshot: true,
    entered_at: openedAt,
    left_at: null,
    status: 'active',
    hold_status: 'on_hold',
  });
});

test('openings that race have numbers of their own', async () => {
  const tenant = await bakery();

  const opened = await Promise.all(
    Array.from({ length: 12 }, () => tenant.open('FLOUR', { auto_hold: false })),
  );

  const numbers = new Set(opened.map((one) => one['case_no']));
  assert.equal(numbers.size, 12);
  const warned = opened.filter((one) => one['warnings'] !== undefined);
  assert.equal(warned.length, 11);
});

test('a lot code that two brands use is recalled by the one that says so', async () => {
  const [tenant, other] = [await bakery(), await bakery()];
  const lots = newTenant();
  await tenant.receive(lots);
  await other.receive(lots);

  await tenant.open(lots);

  assert.equal(await tenant.standing(lots), 'active on_hold');
  assert.equal(await other.standing(lots), 'active released');
  assert.equal(readArray((await tenant.verify(lots))['notices']).length, 1);
  assert.deepEqual((await other.verify(lots))['notices'], []);
  assert.deepEqual(valueAt((await other.verify(lots))['other_brands'], 0, 'open_notices'), 1);
});
