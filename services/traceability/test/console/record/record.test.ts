// The form for one event without a script: fields follow from the type, codes are checked, what is wrong is said, and
// the same event is stored once.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { boot, anEvent, newTenant } from '../../boot.ts';
import { newVisitor, readWords, type Page } from '../visitors.ts';

const booted = await boot();
after(() => booted[Symbol.asyncDispose]());

async function newBrand(role: 'viewer' | 'quality' = 'quality') {
  const brand = newTenant();
  const visitor = await newVisitor(booted, { name: 'Quinn', brands: { [brand]: role } });
  return { brand, visitor, path: `/console/b/${brand}/record` };
}

const RECEIPT = {
  ...{ type: 'RECEIVE', lines: '1', external_id: 'rec-1', store: 'yes' },
  ...{
    location: 'KÜHLHAUS',
    reference: 'LS-1',
    timezone: 'Europe/Berlin',
    occurred_at: '2026-07-02T07:15',
  },
  'line_0.lot_code': 'M-1',
  'line_0.product_sku': 'MEHL',
  'line_0.quantity': '12,5',
  'line_0.unit': 'kg',
  'line_0.supplier_name': 'Mühle Brandt',
};

async function readEvents(brand: string): Promise<string> {
  return (await booted.call('/v1/events', { headers: { 'X-Tenant-Id': brand } })).text;
}

function value({ text }: Page, name: string): string | undefined {
  return new RegExp(`name="${name}"[^>]*?value="([^"]*)"`).exec(text)?.[1];
}

test('a type of event shows the fields that such an event takes, and no others', async () => {
  const { visitor, path } = await newBrand();

  const types = readWords(await visitor.get(`${path}?lang=de`));
  const receipt = (await visitor.get(`${path}?type=RECEIVE`)).text;
  const sale = (await visitor.get(`${path}?type=SELL`)).text;
  const shipment = (await visitor.get(`${path}?type=SHIP`)).text;
  const production = (await visitor.get(`${path}?type=PRODUCE`)).text;

  assert.match(types, /Was ist geschehen\?.*Wareneingang.*Versand/);
  assert.match(receipt, /line_0\.supplier_name/);
  assert.doesNotMatch(receipt, /line_0\.(customer_ref|consignee_ref|direction)/);
  assert.match(sale, /line_0\.customer_ref/);
  assert.match(shipment, /line_0\.consignee_ref/);
  assert.doesNotMatch(shipment, /line_0\.supplier_name/);
  assert.match(production, /line_0\.direction/);
});

test('an event is stored in UTC with its usual direction, and the next form keeps place, reference and unit', async () => {
  const { brand, visitor, path } = await newBrand();

  const answer = await visitor.post(path, RECEIPT);
  const next = await visitor.get(String(answer.location));

  const events = await readEvents(brand);
  assert.equal(answer.status, 303);
  assert.match(events, /"occurred_at":"2026-07-02T05:15:00Z"/);
  assert.match(events, /"quantity":12\.5,"unit":"kg"/);
  assert.match(events, /"direction":"in"/);
  assert.equal(value(next, 'location'), 'KÜHLHAUS');
  assert.equal(value(next, 'line_0.unit'), 'kg');
  assert.equal(value(next, 'line_0.lot_code'), '');
  assert.match(next.text, /\/explorer\/block\/\d+/);
});

test('the same event sent twice is stored once, and other content under its id is refused', async () => {
  const { brand, visitor, path } = await newBrand();

  const first = await visitor.post(`${path}/queued`, RECEIPT);
  const again = await visitor.post(`${path}/queued`, RECEIPT);
  const other = await visitor.post(`${path}/queued`, { ...RECEIPT, 'line_0.quantity': '13' });

  assert.deepEqual([first.status, again.status, other.status], [200, 200, 409]);
  assert.equal(first.text, again.text);
  assert.equal((await readEvents(brand)).split('"external_id":"rec-1"').length, 2);
});

test('what is wrong is beside its field, in words, and nothing typed is lost', async () => {
  const { brand, visitor, path } = await newBrand();
  const wrong = { ...RECEIPT, 'line_0.quantity': 'viel', 'line_0.lot_code': '', location: '' };

  const number = await visitor.post(`${path}?lang=de`, wrong);
  const missing = await visitor.post(`${path}?lang=de`, { ...wrong, 'line_0.quantity': '1' });
  const queued = await visitor.post(`${path}/queued?lang=de`, wrong);

  assert.equal(number.status, 422);
  assert.match(readWords(number), /Das ist keine Zahl/);
  assert.equal(missing.status, 422);
  assert.match(readWords(missing), /Diese Angabe fehlt/);
  assert.equal(value(missing, 'line_0.product_sku'), 'MEHL');
  assert.deepEqual(JSON.parse(queued.text), { kind: 'refused', words: ['Das ist keine Zahl.'] });
  assert.doesNotMatch(await readEvents(brand), /rec-1/);
});

test('lots are added and removed without a script, and what was typed stays with its lot', async () => {
  const { visitor, path } = await newBrand();
  const { store: _store, ...typed } = RECEIPT;

  const added = await visitor.post(path, { ...typed, add: 'yes' });
  const two = { ...typed, lines: '2', 'line_1.lot_code': 'M-2' };
  const removed = await visitor.post(path, { ...two, remove: '0' });

  assert.equal(value(added, 'lines'), '2');
  assert.equal(value(added, 'line_0.lot_code'), 'M-1');
  assert.match(added.text, /name="line_1\.lot_code"/);
  assert.equal(value(removed, 'lines'), '1');
  assert.equal(value(removed, 'line_0.lot_code'), 'M-2');
});

test('a scanned symbol is read into lot and product, and says whether the lot is new, there or on hold', async () => {
  const { brand, visitor, path } = await newBrand();
  const headers = { 'X-Tenant-Id': brand, 'Content-Type': 'application/json' };
  const put = {
    method: 'PUT',
    headers,
    body: JSON.stringify({ names: { de: 'Mehl' }, gtin: '9506000134352' }),
  };
  await booted.call('/v1/products/MEHL', put);
  await booted.post('/v1/events', anEvent({ external_id: 'e-1' }), { 'X-Tenant-Id': brand });
  const { store: _store, ...typed } = RECEIPT;
  const scan = '(01)09506000134352(10)CH-9';

  const checked = await visitor.post(`${path}?lang=de`, {
    ...typed,
    ...{ check: 'yes', 'line_0.lot_code': scan, 'line_0.product_sku': '' },
  });
  const code = await visitor.get(
    `${path}/code?field=lot_code&code=${encodeURIComponent(scan)}&lang=de`,
  );
  const known = await visitor.get(`${path}/code?field=lot_code&code=FLOUR-1&lang=de`);
  await booted.post('/v1/lots/FLOUR-1/hold', { reason: 'test', by: 'Q' }, { 'X-Tenant-Id': brand });
  const held = await visitor.get(`${path}/code?field=lot_code&code=FLOUR-1&lang=de`);
  const unknown = await visitor.get(
    `${path}/code?field=lot_code&code=${encodeURIComponent('(01)00012345678905(10)X')}&lang=de`,
  );

  assert.equal(value(checked, 'line_0.lot_code'), 'CH-9');
  assert.equal(value(checked, 'line_0.product_sku'), 'MEHL');
  assert.match(readWords(checked), /Diese Charge ist neu/);
  assert.deepEqual(JSON.parse(code.text), {
    ...{ lot_code: 'CH-9', product_sku: 'MEHL' },
    note: { kind: 'note', words: 'Diese Charge ist neu.' },
  });
  assert.match(known.text, /Diese Charge gibt es/);
  assert.match(held.text, /gesperrt/);
  assert.match(unknown.text, /Kein Produkt der Marke hat die GTIN 00012345678905/);
});

test('a viewer sees no form, and whoever is not in the brand finds none', async () => {
  const { path } = await newBrand();
  const viewer = await newBrand('viewer');

  const answers = [
    await viewer.visitor.get(viewer.path),
    await viewer.visitor.post(viewer.path, RECEIPT),
    await viewer.visitor.post(`${viewer.path}/queued`, RECEIPT),
    await viewer.visitor.get(path),
    await viewer.visitor.post(path, RECEIPT),
  ];

  assert.deepEqual(
    answers.map(({ status }) => status),
    [403, 403, 403, 404, 404],
  );
});

test('texts that somebody typed are shown as texts', async () => {
  const { visitor, path } = await newBrand();
  const hostile = '"><script>alert(1)</script>';

  const page = await visitor.post(path, {
    ...RECEIPT,
    'line_0.quantity': hostile,
    location: hostile,
  });

  assert.doesNotMatch(page.text, /<script>alert/);
});

test('an event of a session that ended is not stored, and the answer says 401', async () => {
  const { brand, path } = await newBrand();

  const answer = await fetch(`${booted.base}${path}/queued`, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams(RECEIPT),
  });

  assert.equal(answer.status, 401);
  assert.doesNotMatch(await readEvents(brand), /rec-1/);
});
