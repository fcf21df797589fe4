// Recalls that cross brands: what a brand sees of its suppliers' published cases, at once and with its own lots.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, boot, newTenant, type Answer, type Json } from '../boot.ts';
import { RecallTenant, readArray } from './tenant.ts';

const hub = await openForFile(boot({ env: { PUBLIC_URL: 'https://trace.example.com' } }));

const NAME = 'Mill Brandt';
const REACHES_NOTHING = 'No recall of a supplier of this number reaches your lots';

async function link(receiver: RecallTenant, name: string, brand: RecallTenant): Promise<void> {
  const answer = await hub.call(`/v1/suppliers/${encodeURIComponent(name)}`, {
    method: 'PUT',
    headers: { ...receiver.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ brand: brand.id }),
  });
  assert.equal(answer.status, 201, answer.text);
}

async function unlink(receiver: RecallTenant, name: string): Promise<void> {
  const { headers } = receiver;
  const path = `/v1/suppliers/${encodeURIComponent(name)}`;
  assert.equal((await hub.call(path, { method: 'DELETE', headers })).status, 200);
}

/** Records that a lot came in from a supplier under its code. */
async function receive(
  receiver: RecallTenant,
  lotCode: string,
  from: Readonly<Record<string, unknown>>,
): Promise<Answer> {
  return await receiver.post({ lines: [aLine({ lot_code: lotCode, ...from })] });
}

/** A mill with wheat and flour made of it, and a bakery that made bread and rolls of that flour. */
async function millAndBakery() {
  const [mill, bakery] = [new RecallTenant(hub), new RecallTenant(hub)];
  await mill.receive('WHEAT-1');
  await mill.produce(['WHEAT-1'], ['W-118']);
  await link(bakery, NAME, mill);
  const received = await receive(bakery, 'FLOUR', {
    supplier_name: NAME,
    supplier_lot_code: 'W-118',
  });
  await bakery.produce(['FLOUR'], ['BREAD', 'ROLLS']);
  return { mill, bakery, received };
}

async function inbound(receiver: RecallTenant, query = ''): Promise<readonly Json[]> {
  const answer = await receiver.get(`/v1/recall/inbound${query}`);
  assert.equal(answer.status, 200, answer.text);
  return readArray(answer.json['recalls']);
}

async function caseNos(receiver: RecallTenant, query = ''): Promise<readonly unknown[]> {
  return (await inbound(receiver, query)).map((recall) => recall['notice']?.['case_no']);
}

async function counted(receiver: RecallTenant): Promise<unknown> {
  return (await receiver.get('/v1/dashboard/summary')).json['inbound_recalls'];
}

test('a recall of a supplier stands in the list at once, with the lots that it reaches', async () => {
  const { mill, bakery } = await millAndBakery();
  assert.equal(await counted(bakery), 0);

  const opened = await mill.open('WHEAT-1', { severity: 'class_i' });

  const [recall, ...others] = await inbound(bakery);
  const [notice] = await mill.notices();
  assert.deepEqual(others, []);
  assert.deepEqual(recall, {
    notice,
    ended_at: null,
    supplier_names: [NAME],
    received: [{ lot_code: 'W-118', supplier_name: NAME, field: 'supplier_lot_code' }],
    received_total: 1,
    own_lots: {
      lots: [
        { code: 'FLOUR', sku: 'FLOUR-T55', distance: 1, status: 'active' },
        { code: 'BREAD', sku: 'SKU', distance: 2, status: 'active' },
        { code: 'ROLLS', sku: 'SKU', distance: 2, status: 'active' },
      ].map(({ code: lot_code, sku: product_sku, distance, status }) => {
        return { lot_code, product_sku, distance, status, hold_status: 'released' };
      }),
      total: 3,
      next: null,
    },
    own_cases: [],
  });
  assert.equal(notice?.['case_no'], opened['case_no']);
  assert.equal(await counted(bakery), 1);
  const one = await bakery.get(`/v1/recall/inbound/${String(opened['case_no'])}`);
  assert.deepEqual(one.json, recall);
});

test('who received nothing of it, and the supplier itself, see nothing', async () => {
  const { mill, bakery } = await millAndBakery();
  const stranger = new RecallTenant(hub);
  await link(stranger, NAME, mill);
  await link(stranger, 'Other', bakery);
  await receive(stranger, 'FLOUR', { supplier_name: NAME, supplier_lot_code: 'W-119' });
  // Of another supplier that has the same code.
  await receive(stranger, 'RYE', { supplier_name: 'Other', supplier_lot_code: 'W-118' });

  const opened = await mill.open('WHEAT-1');

  for (const tenant of [stranger, mill, new RecallTenant(hub)]) {
    assert.deepEqual(await caseNos(tenant), []);
    assert.equal(await counted(tenant), 0);
    const one = await tenant.get(`/v1/recall/inbound/${String(opened['case_no'])}`);
    assert.deepEqual([one.status, one.json['detail']], [404, REACHES_NOTHING]);
  }
});

test('a line without a supplier’s lot code is known by the code of its lot', async () => {
  const { mill, bakery } = await millAndBakery();
  const other = new RecallTenant(hub);
  await link(other, NAME, mill);
  await receive(other, 'W-118', { supplier_name: NAME });
  // Its own code means nothing where the supplier's is given.
  await receive(bakery, 'WHEAT-1', { supplier_name: NAME, supplier_lot_code: 'X' });

  await mill.open('WHEAT-1');

  const [recall] = await inbound(other);
  const code = { lot_code: 'W-118', supplier_name: NAME, field: 'lot_code' };
  assert.deepEqual(recall?.['received'], [code]);
  assert.equal(recall?.['own_lots']?.['total'], 1);
  const [ofBakery] = await inbound(bakery);
  assert.equal(ofBakery?.['received_total'], 1);
});

test('what was voided or corrected away was not received', async () => {
  const { mill, bakery, received } = await millAndBakery();
  const more = await receive(bakery, 'MORE', { supplier_name: NAME, supplier_lot_code: 'W-118' });
  await mill.open('W-118');
  assert.equal((await inbound(bakery))[0]?.['own_lots']?.['total'], 4);

  const correct = async (event: Answer, change: object) => {
    const answer = await hub.post(
      '/v1/corrections',
      {
        corrects_event_id: event.json['id'],
        reason: 'typing error',
        requested_by: 'Ada',
        changes: [change],
      },
      bakery.headers,
    );
    assert.equal(answer.status, 201, answer.text);
  };
  const field = 'lines[0].supplier_lot_code';
  await correct(received, { field, old_value: 'W-118', new_value: 'W-811' });
  const left = (await inbound(bakery))[0]?.['own_lots'];
  await correct(more, { field: 'status', old_value: 'accepted', new_value: 'voided' });

  assert.deepEqual([left?.['total'], left?.['lots']?.['0']?.['lot_code']], [1, 'MORE']);
  assert.deepEqual(await caseNos(bakery), []);
  assert.equal(await counted(bakery), 0);
});

test('a link that has ended ends it; two names for one brand are listed once', async () => {
  const { mill, bakery } = await millAndBakery();
  await link(bakery, 'Brandt & Sons', mill);
  await receive(bakery, 'SEMOLINA', {
    supplier_name: 'Brandt & Sons',
    supplier_lot_code: 'W-118',
  });
  await mill.open('W-118');

  const [both, ...others] = await inbound(bakery);
  await unlink(bakery, NAME);
  const [one] = await inbound(bakery);
  await unlink(bakery, 'Brandt & Sons');

  assert.deepEqual(others, []);
  assert.deepEqual(both?.['supplier_names'], ['Brandt & Sons', NAME]);
  assert.deepEqual([both?.['received_total'], both?.['own_lots']?.['total']], [2, 4]);
  assert.deepEqual([one?.['supplier_names'], one?.['own_lots']?.['total']], [['Brandt & Sons'], 1]);
  assert.deepEqual(await caseNos(bakery), []);
  assert.equal(await counted(bakery), 0);
});

test('of two brands that supply each other, each sees the recalls of the other', async () => {
  const { mill, bakery } = await millAndBakery();
  await link(mill, 'Bakery', bakery);
  await receive(mill, 'CRUMBS', { supplier_name: 'Bakery', supplier_lot_code: 'BREAD' });

  const ofMill = await mill.open('W-118');
  const ofBakery = await bakery.open('BREAD');

  assert.deepEqual(await caseNos(bakery), [ofMill['case_no']]);
  assert.deepEqual(await caseNos(mill), [ofBakery['case_no']]);
});

test('a code that the supplier never recorded is in none of its recalls', async () => {
  const { mill, bakery } = await millAndBakery();
  await receive(bakery, 'SPELT', { supplier_name: NAME, supplier_lot_code: 'NEVER' });

  await mill.open('W-118');

  const [recall] = await inbound(bakery);
  assert.deepEqual(recall?.['received_total'], 1);
  assert.equal(recall?.['own_lots']?.['total'], 3);
});

test('what comes in after the case was opened, and what is made then, is reached as well', async () => {
  const { mill, bakery } = await millAndBakery();
  await mill.open('W-118');
  const late = new RecallTenant(hub);
  await link(late, NAME, mill);
  const before = await caseNos(late);

  await receive(late, 'LATE', { supplier_name: NAME, supplier_lot_code: 'W-118' });
  await bakery.produce(['BREAD'], ['CRUMBS']);

  assert.deepEqual(before, []);
  assert.equal((await inbound(late))[0]?.['own_lots']?.['total'], 1);
  assert.equal((await inbound(bakery))[0]?.['own_lots']?.['total'], 4);
});

test('a case that has ended is listed only where all are asked for', async () => {
  const { mill, bakery } = await millAndBakery();
  const opened = await mill.open('W-118');
  const cancelled = await mill.open('W-118');
  await mill.moveThrough(opened['case_no'], 'notification', 'containment', 'closed');
  await mill.moveThrough(cancelled['case_no'], 'cancelled');

  const open = await caseNos(bakery);
  const all = await inbound(bakery, '?state=all');

  assert.deepEqual(open, []);
  assert.equal(await counted(bakery), 0);
  const listed = all.map(({ notice, ended_at }) => [notice?.['status'], typeof ended_at]);
  assert.deepEqual(listed, [
    ['cancelled', 'string'],
    ['closed', 'string'],
  ]);
  const one = await bakery.get(`/v1/recall/inbound/${String(opened['case_no'])}`);
  assert.equal(one.status, 200);
});

test('a case in confidence is in no list before it is disclosed, and never when it is cancelled before', async () => {
  const { mill, bakery } = await millAndBakery();
  const { case_no: cancelled } = await mill.open('W-118', { confidential: true });
  const { case_no: disclosed } = await mill.open('WHEAT-1', { confidential: true });
  assert.deepEqual(await caseNos(bakery, '?state=all'), []);
  assert.equal(await counted(bakery), 0);

  await mill.move(String(cancelled), 'cancelled');
  await mill.move(String(disclosed), 'notification');

  assert.deepEqual(await caseNos(bakery, '?state=all'), [disclosed]);
  assert.equal(await counted(bakery), 1);
});

test('an own case on what came in is named, whichever way it was opened', async () => {
  const { mill, bakery } = await millAndBakery();
  await mill.open('W-118');
  await bakery.open('BREAD');
  const bySupplier = await bakery.open('W-118', { supplier_name: NAME });
  const byLot = await bakery.open('FLOUR');

  const [recall] = await inbound(bakery);

  assert.deepEqual(recall?.['own_cases'], [byLot['case_no'], bySupplier['case_no']]);
  await bakery.moveThrough(byLot['case_no'], 'cancelled');
  assert.deepEqual((await inbound(bakery))[0]?.['own_cases'], [bySupplier['case_no']]);
});

test('the list goes on behind a page, and a recall pages through its lots', async () => {
  const { mill, bakery } = await millAndBakery();
  const opened = [await mill.open('W-118'), await mill.open('W-118'), await mill.open('W-118')];
  const numbers = opened.map((one) => one['case_no']).reverse();

  const first = await bakery.get('/v1/recall/inbound?limit=2');
  const second = await bakery.get(
    `/v1/recall/inbound?limit=2&before=${String(first.json['next'])}`,
  );
  const path = `/v1/recall/inbound/${String(numbers[0])}?limit=2`;
  const lots = (await bakery.get(path)).json['own_lots'];
  const rest = (await bakery.get(`${path}&after=${String(lots?.['next'])}`)).json['own_lots'];

  const found = [first, second].map(({ json }) => [
    readArray(json['recalls']).map((recall) => recall['notice']?.['case_no']),
    json['next'],
  ]);
  assert.deepEqual(found, [
    [numbers.slice(0, 2), numbers[1]],
    [numbers.slice(2), null],
  ]);
  const codes = [lots, rest].map((page) => [
    readArray(page?.['lots']).map((lot) => lot['lot_code']),
    page?.['total'],
    page?.['next'],
  ]);
  assert.deepEqual(codes, [
    [['FLOUR', 'BREAD'], 3, 'BREAD'],
    [['ROLLS'], 3, null],
  ]);
});

test('a brand that has recorded nothing has no recalls of suppliers', async () => {
  const { mill } = await millAndBakery();
  const beginner = new RecallTenant(hub, newTenant());
  await link(beginner, NAME, mill);
  await mill.open('W-118');

  assert.deepEqual(await caseNos(beginner), []);
  assert.equal(await counted(beginner), 0);
});
