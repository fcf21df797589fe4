// Recall notices: what the public hears of open cases, in the list of all and at each lot
// (docs/interface/traceability.md#notices).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { aLine, boot, newTenant, valueAt, type Json } from '../boot.ts';
import { CASE, RecallTenant, readArray, codeFrom } from './tenant.ts';

const hub = await openForFile(boot({ env: { PUBLIC_URL: 'https://trace.example.com' } }));

async function bakery(): Promise<RecallTenant> {
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR', 'SUGAR');
  await tenant.produce(['FLOUR'], ['BREAD']);
  return tenant;
}

async function notice(path: string) {
  return await hub.call(`/public/notices/${path}`);
}

test('a notice is in the list from the opening of its case on', async () => {
  const tenant = await bakery();
  await hub.call('/v1/brand', {
    method: 'PATCH',
    headers: { ...tenant.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ name: 'Old Mill Bakery', recall_contact: 'recall@mill.example' }),
  });

  const opened = await tenant.open('BREAD', { severity: 'class_i' });

  const [shown, ...others] = await tenant.notices();
  const { advice, ...rest } = shown ?? {};
  assert.deepEqual(others, []);
  assert.deepEqual(rest, {
    case_no: opened['case_no'],
    title: CASE.title,
    reason: CASE.reason,
    severity: 'class_i',
    status: 'investigation',
    brand: { id: tenant.id, name: 'Old Mill Bakery' },
    lot_code: 'BREAD',
    lot_codes: ['BREAD', 'FLOUR'],
    lots_total: 2,
    product_skus: ['FLOUR-T55', 'SKU'],
    products_total: 2,
    opened_at: opened['opened_at'],
    updated_at: opened['opened_at'],
    verify_url: `https://trace.example.com/public/verify/BREAD?brand=${tenant.id}`,
  });
  assert.match(String(advice), /serious harm.*Old Mill Bakery \(recall@mill\.example\)/);
});

test('every lot that the case covers carries the notice, itself first among the lot codes', async () => {
  const tenant = await bakery();
  const opened = await tenant.open('BREAD');

  const [onSeed] = readArray((await tenant.verify('BREAD'))['notices']);
  const [onAncestor] = readArray((await tenant.verify('FLOUR'))['notices']);
  const onOther = (await tenant.verify('SUGAR'))['notices'];

  assert.deepEqual(onSeed, (await tenant.notices())[0]);
  assert.deepEqual(
    [onAncestor?.['case_no'], onAncestor?.['lot_code'], onAncestor?.['lot_codes']],
    [opened['case_no'], 'BREAD', ['FLOUR', 'BREAD']],
  );
  assert.deepEqual(onOther, []);
});

test('a notice follows its case through its states, until it is closed', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD');
  const seen = async () => {
    const inList = (await tenant.notices()).map((one) => one['status']);
    const atLot = readArray((await tenant.verify('FLOUR'))['notices']).map((one) => one['status']);
    const { status, json } = await notice(String(caseNo));
    assert.deepEqual(inList, atLot);
    assert.deepEqual(inList, status === 200 ? [json['status']] : []);
    return inList[0];
  };
  const statuses: unknown[] = [await seen()];
  for (const status of ['notification', 'containment', 'closed']) {
    await tenant.moveThrough(caseNo, status);
    statuses.push(await seen());
  }

  assert.deepEqual(statuses, ['investigation', 'notification', 'containment', undefined]);
  assert.equal(valueAt(await tenant.verify('FLOUR'), 'lot', 'status'), 'recalled');
});

test('a cancelled case has no notice', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD');

  await tenant.moveThrough(caseNo, 'cancelled');

  assert.deepEqual(await tenant.notices(), []);
  assert.deepEqual((await tenant.verify('BREAD'))['notices'], []);
  assert.equal((await notice(String(caseNo))).status, 404);
});

test('nothing public says who opened or moved a case, why it was moved, or who bought of it', async () => {
  const tenant = await bakery();
  const sold = {
    lot_code: 'BREAD',
    direction: 'out',
    customer_ref: 'CUST-77',
    channel: 'webshop 9',
  };
  await tenant.post({ event_type: 'SELL', lines: [aLine(sold)] });
  const { case_no: caseNo } = await tenant.open('BREAD', { opened_by: 'PERSON-1' });
  await tenant.move(caseNo, 'notification', { changed_by: 'PERSON-2', note: 'NOTE-3' });

  for (const path of [
    `/public/notices?brand=${tenant.id}`,
    `/public/notices/${String(caseNo)}`,
    `/public/verify/BREAD?brand=${tenant.id}`,
    `/public/explorer/lot/BREAD?brand=${tenant.id}`,
    `/lot/BREAD?brand=${tenant.id}`,
  ]) {
    const { text } = await hub.call(path);
    assert.doesNotMatch(text, /PERSON-1|PERSON-2|NOTE-3|CUST-77|webshop 9/, path);
  }
  assert.doesNotMatch(hub.log(), /PERSON-1|PERSON-2|NOTE-3|CUST-77/);
});

test('the list is narrowed to a brand and to a lot, and is paged', async () => {
  const [tenant, other] = [await bakery(), await bakery()];
  const code = newTenant();
  await tenant.receive(code);
  await other.receive(code);
  const numbers: unknown[] = [];
  for (const one of [tenant, other, tenant]) numbers.unshift((await one.open(code))['case_no']);
  await tenant.open('FLOUR');
  const listed = async (query: string) => {
    const { json } = await hub.call(`/public/notices?${query}`);
    return {
      numbers: readArray(json['notices']).map((one) => one['case_no']),
      next: String(json['next']),
    };
  };

  const first = await listed(`lot_code=${code}&limit=2`);
  const second = await listed(`lot_code=${code}&limit=2&before=${first.next}`);
  const ofBrand = await listed(`lot_code=${code}&brand=${other.id}`);
  const ofNobody = await listed('brand=nobody');

  assert.deepEqual(first.numbers, numbers.slice(0, 2));
  assert.deepEqual(second, { numbers: numbers.slice(2), next: 'null' });
  assert.deepEqual(ofBrand.numbers, numbers.slice(1, 2));
  assert.deepEqual(ofNobody.numbers, []);
  for (const query of ['limit=0', 'limit=201', 'before=1', 'brand=a%2Fb', 'lot_code=']) {
    assert.equal((await hub.call(`/public/notices?${query}`)).status, 422, query);
  }
});

test('a supplier’s lot code finds the notice of its recall', async () => {
  const tenant = new RecallTenant(hub);
  const code = `SUP-${tenant.id}`;
  await tenant.post({ lines: [aLine({ lot_code: 'FLOUR', supplier_lot_code: code })] });
  const { case_no: caseNo } = await tenant.open(code);

  const { json } = await hub.call(`/public/notices?lot_code=${code}`);

  assert.deepEqual(
    readArray(json['notices']).map((one) => one['case_no']),
    [caseNo],
  );
  assert.equal(readArray((await tenant.verify('FLOUR'))['notices']).length, 1);
});

test('a notice has the lots and the products that count now', async () => {
  const tenant = await bakery();
  await tenant.open('BREAD');
  assert.deepEqual((await tenant.notices())[0]?.['product_skus'], ['FLOUR-T55', 'SKU']);

  const corrected = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: (await tenant.produce(['BREAD'], ['CRUMBS'])).json['id'],
      reason: 'typing error',
      requested_by: 'Bob',
      changes: [{ field: 'lines[1].product_sku', old_value: 'SKU', new_value: 'CRUMB-5' }],
    },
    tenant.headers,
  );
  assert.equal(corrected.status, 201, corrected.text);
  const deadline = Date.now() + PATIENCE_MS;
  let [notice] = await tenant.notices();
  while (String(notice?.['lots_total']) !== '3' && Date.now() < deadline) {
    [notice] = await tenant.notices();
  }

  assert.deepEqual(
    [notice?.['lot_codes'], notice?.['product_skus']],
    [
      ['BREAD', 'FLOUR', 'CRUMBS'],
      ['CRUMB-5', 'FLOUR-T55', 'SKU'],
    ],
  );
});

test('a notice names a hundred lots and pages through all of them', async () => {
  const tenant = new RecallTenant(hub);
  const made = Array.from({ length: 130 }, (_, index) => `LOAF-${index}`);
  await tenant.receive('DOUGH');
  await tenant.produce(['DOUGH'], made);
  const { case_no: caseNo } = await tenant.open('LOAF-129');
  const { case_no: all } = await tenant.open('DOUGH');

  const [listed] = await tenant.notices();
  const first = (await notice(`${String(all)}?limit=100`)).json;
  const second = (await notice(`${String(all)}?limit=100&after=${String(first['next'])}`)).json;

  assert.deepEqual([listed?.['case_no'], listed?.['lots_total']], [all, 131]);
  assert.equal(readArray(listed?.['lot_codes']).length, 100);
  assert.deepEqual(
    [...readArray(first['lot_codes']), ...readArray(second['lot_codes'])].map(String),
    ['DOUGH', ...made],
  );
  assert.equal(second['next'], null);
  // Behind the first hundred lots the one that is looked at is named all the same.
  const notices = readArray((await tenant.verify('LOAF-129'))['notices']);
  assert.deepEqual(
    notices.map((one) => [one['case_no'], readArray(one['lot_codes'])[0]]),
    [
      [all, 'LOAF-129'],
      [caseNo, 'LOAF-129'],
    ],
  );
});

test('an unknown case number has no notice', async () => {
  for (const number of ['RC-2026-99999', 'nonsense', '%22', 'x'.repeat(200)]) {
    const answer = await notice(number);
    assert.equal(answer.status, 404, number);
    assert.equal(typeof answer.json['detail'], 'string');
  }
});

test('notices answer other origins and have an entity tag, which changes with the case', async () => {
  const tenant = await bakery();
  const { case_no: caseNo } = await tenant.open('BREAD');
  const path = `/public/notices?brand=${tenant.id}`;

  const first = await hub.call(path, { headers: { Origin: 'https://shop.example' } });
  const tag = String(first.headers.get('etag'));
  const same = await hub.call(path, { headers: { 'If-None-Match': tag } });
  await tenant.moveThrough(caseNo, 'notification');
  const moved = await hub.call(path, { headers: { 'If-None-Match': tag } });

  assert.equal(first.headers.get('access-control-allow-origin'), '*');
  assert.deepEqual([same.status, moved.status], [304, 200]);
});

const HOSTILE = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'; drop table recall_cases; --",
  'tab\tnew\nline\r\u0001control',
  '‮txet sdrawkcab‬ 🍞 é́ {{7*7}} ${7*7} %00 \\u0000',
  '../../etc/passwd',
  '</title></textarea><svg/onload=alert(1)>',
];

for (const text of HOSTILE) {
  test(`texts come through unharmed, and harm no page: ${JSON.stringify(text)}`, async () => {
    const tenant = new RecallTenant(hub);
    const code = codeFrom(text);
    await tenant.receive(code);

    const opened = await tenant.open(code, { title: text, reason: text, opened_by: text });

    const [shown] = await tenant.notices();
    const { case_no: caseNo } = opened;
    for (const one of [
      opened,
      await tenant.detail(caseNo),
      shown,
      (await notice(String(caseNo))).json,
    ]) {
      assert.deepEqual([one?.['title'], one?.['reason']], [text, text]);
    }
    assert.deepEqual([shown?.['lot_code'], shown?.['lot_codes']], [code, [code]]);
    const url = new URL(String(shown?.['verify_url']));
    assert.equal(decodeURIComponent(url.pathname.replace('/public/verify/', '')), code);
    const page = await hub.call(`/lot?lot_code=${encodeURIComponent(code)}&brand=${tenant.id}`);
    assert.doesNotMatch(page.text, /<script>|<img src=x|<svg\/onload/);
    const [atLot] = readArray((await tenant.verify(code))['notices']);
    assert.equal(atLot?.['title'], text);
  });
}

test('a text that no database can hold is refused, and nothing is opened', async () => {
  const tenant = await bakery();

  for (const text of ['a\u0000b', 'a\ud800b']) {
    const answer = await tenant.tryOpen({ ...CASE, seed_lot_code: 'FLOUR', title: text });
    const errors: readonly Json[] = readArray(answer.json['detail']);
    assert.deepEqual(
      [answer.status, errors.map((one) => valueAt(one, 'loc', 1))],
      [422, ['title']],
    );
  }
  assert.deepEqual(await tenant.notices(), []);
});
