// A thousand rows in a real Chromium: lots, entries of the audit, notifications of a case, lines of an event, wrong rows of
// a file. Each list is walked by its links to its last row, and its first and its last page are whole.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { launchBrowser } from '@lothub/kit/test/browser';
import { present } from '@lothub/kit/present';
import { aLine, boot, type Booted } from '../../boot.ts';
import { RecallTenant } from '../../recall/tenant.ts';
import { assertWhole } from '../browsing.ts';
import { sendFile } from '../imports/files.ts';
import { newVisitor, type TestVisitor } from '../visitors.ts';

const ROWS = 1_000;
const NUMBERS = Array.from({ length: ROWS }, (_, index) => index + 1);
/** No list needs as many: each page has ten rows at least. */
const PAGES_MAX = ROWS / 10;
const HEADER =
  'event_type,occurred_at,location,reference,lot_code,product_sku,direction,quantity,unit';

const browser = await launchBrowser();
let hub: Booted;
let tenant: RecallTenant;
let ada: TestVisitor;
before(async () => {
  hub = await boot();
  tenant = new RecallTenant(hub);
  ada = await newVisitor(hub, { brands: { [tenant.id]: 'manager' } });
});
after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

/**
 * Walks a list from page to page.
 * @param item what a row has, in its first group
 * @returns what its pages hold, in order, and the address of the last one
 */
async function walk(
  first: string,
  item: RegExp,
): Promise<{ readonly items: readonly string[]; readonly last: string }> {
  const items: string[] = [];
  let path = first;
  for (let page = 1; page <= PAGES_MAX; page += 1) {
    const { status, text } = await ada.get(path);
    assert.equal(status, 200, path);
    items.push(...new Set([...text.matchAll(item)].map(([, found = '']) => found)));
    const next =
      /<a rel="next" href="([^"]+)"/.exec(text)?.[1] ??
      /<p class="more"><a href="([^"]*(?:before|after|offset)=[^"]+)"/.exec(text)?.[1];
    if (next === undefined) return { items, last: path };
    path = next.replaceAll('&amp;', '&');
  }
  throw new Error(`the list at ${first} has no end`);
}

/** All of them are there once, and the first and the last page are whole. */
async function assertWalked(first: string, item: RegExp, count = ROWS): Promise<void> {
  const { items, last } = await walk(first, item);

  assert.equal(items.length, count);
  assert.equal(new Set(items).size, count);
  assert.notEqual(last, first);
  await assertWhole(browser, hub.base, { person: ada, paths: [first, last] });
}

test('an event of a thousand lines, and the thousand lots that it brought', async () => {
  const answer = await tenant.post({
    lines: NUMBERS.map((number) => aLine({ lot_code: `SACK-${number}` })),
  });
  const brand = `/console/b/${tenant.id}`;
  const lot = /\blots\/(SACK-\d+)"/g;

  await assertWalked(`${brand}/events/${String(answer.json['id'])}`, lot);
  await assertWalked(`${brand}/lots?q=SACK`, lot);
});

test('the audit of a thousand holds', async () => {
  const held = await hub.call('/v1/lots/holds', {
    method: 'POST',
    headers: { ...tenant.headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({
      ...{ state: 'held', by: 'Ada', reason: 'Salmonella' },
      lots: NUMBERS.map((number) => `SACK-${number}`),
    }),
  });
  assert.equal(held.status, 200, held.text);

  await assertWalked(`/console/b/${tenant.id}/audit?action=hold_lot`, /\b(SACK-\d+)\b/g);
});

test('a case with a notification for each of a thousand customers', async () => {
  await tenant.receive('FLOUR-1');
  await tenant.post({
    event_type: 'SELL',
    lines: NUMBERS.map((number) => {
      const customer = { customer_ref: `Customer ${number}`, channel: 'shop' };
      return aLine({ lot_code: 'FLOUR-1', direction: 'out', quantity: 1, ...customer });
    }),
  });
  const opened = await tenant.open('FLOUR-1');
  const path = `/console/b/${tenant.id}/recalls/${String(opened['case_no'])}/notifications`;

  await assertWalked(`${path}?audience=customer`, /\b(Customer \d+)</g);
});

test('a file with a thousand wrong rows', async () => {
  const rows = NUMBERS.map(
    (number) => `RECEIVE,2026-03-02T07:15:00Z,MILL,PO-${number},LOT-${number},SKU,in,much,kg`,
  );
  const file = [HEADER, ...rows].join('\n');
  const sent = await sendFile(hub, ada, { brand: tenant.id, file, name: 'wrong.csv' });
  const path = present(sent.location, 'the page of the import');
  while ((await ada.get(path)).text.includes('data-running')) await wait(20);

  await assertWalked(path, /<legend>Row ([\d,]+)</g);
});
