// A lot code that several brands use: no verdict before the brand is chosen, and no recall of any of them
// is overlooked (docs/interface/traceability.md#verification).
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { aLine, anEvent, boot } from '../boot.ts';
import { readArray } from '../recall/tenant.ts';

let caseNo: string;

/** Brand A recorded the code first and recalls nothing; brand B recalls its lot, class I. */
const hub = await openForFile(boot());
before(async () => {
  for (const tenant of ['brand-a', 'brand-b', 'brand-c']) {
    const lines = [aLine({ lot_code: tenant === 'brand-c' ? 'OWN-1' : 'SHARED' })];
    const answer = await hub.post('/v1/events', anEvent({ lines }), { 'X-Tenant-Id': tenant });
    assert.equal(answer.status, 201, answer.text);
  }
  const opened = await hub.post(
    '/v1/recall/cases',
    {
      seed_lot_code: 'SHARED',
      title: 'Listeria in cheese',
      reason: 'Found in a sample',
      severity: 'class_i',
      opened_by: 'Ada Miller',
    },
    { 'X-Tenant-Id': 'brand-b' },
  );
  assert.equal(opened.status, 201, opened.text);
  caseNo = String(opened.json['case_no']);
});

async function page(path: string): Promise<string> {
  const answer = await hub.call(path);
  assert.equal(answer.status, 200, `${path}: ${answer.text}`);
  return answer.text.replace(/\s+/g, ' ');
}

for (const path of ['/lot/SHARED', '/lot?lot_code=SHARED']) {
  test(`${path} gives no verdict, and shows the recall of the second brand first`, async () => {
    const response = await fetch(hub.base + path);
    const text = await response.text();

    assert.equal(response.status, 200);
    assert.doesNotMatch(text, /icon-good|Verified|no open recall notice|class="verdict good"/);
    const order = [
      'Listeria in cheese',
      'may cause serious harm',
      'Choose the brand',
      '?brand=brand-a',
    ].map((words) => text.indexOf(words));
    assert.ok(!order.includes(-1), text);
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    );
    assert.ok(text.includes(`href="/recalls/${caseNo}"`));
  });
}

test('the page of the chosen brand gives its verdict, and still names the recall of the other', async () => {
  const own = await page('/lot/SHARED?brand=brand-a');
  const recalled = await page('/lot/SHARED?brand=brand-b');

  assert.match(own, /<strong>Verified\.<\/strong>/);
  assert.match(
    own,
    /<bdi>brand-b<\/bdi><\/a ?>, <code>[^<]*<\/code> <strong class="bad".*?<\/svg> open recall/,
  );
  assert.match(own, /href="\/lot\/SHARED">Choose another brand/);
  assert.match(recalled, /Listeria in cheese/);
});

test('a code of one brand alone is answered for at once', async () => {
  const text = await page('/lot/OWN-1');

  assert.match(text, /<strong>Verified\.<\/strong>/);
  assert.doesNotMatch(text, /Choose another brand/);
});

test('the JSON answer keeps its shape: the first brand, and the open notices of the others', async () => {
  const { json } = await hub.call('/public/verify/SHARED');

  assert.equal(json['verified'], true);
  assert.equal(json['brand']!['id'], 'brand-a');
  assert.deepEqual(json['notices'], []);
  assert.deepEqual(
    readArray(json['other_brands']).map((other) => [other['id'], other['open_notices']]),
    [['brand-b', 1]],
  );
});

test('every link to a lot on the pages of the chain carries the brand', async () => {
  const texts = await Promise.all(
    [
      '/explorer/search?q=SHARED',
      '/explorer/block/2',
      '/explorer/search?q=2',
      `/recalls/${caseNo}`,
    ].map(page),
  );

  for (const text of texts) {
    const links = [...text.matchAll(/href="(\/lot\/[^"]*)"/g)].map(([, link]) => link);
    assert.ok(links.length > 0, text);
    for (const link of links) assert.match(String(link), /\?brand=brand-[ab]$/);
  }
});
