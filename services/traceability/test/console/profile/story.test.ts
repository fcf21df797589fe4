// What consumers read of a brand, in a real Chromium: a manager names a product and sees it where consumers do, a
// viewer finds nothing to change, somebody leaves a brand; and how the pages of the room look.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { aLine, anEvent, boot, type Booted } from '../../boot.ts';
import { png } from '../../brand/pictures.ts';
import { assertWhole, browse, tabTo } from '../browsing.ts';
import { newVisitor, type TestVisitor } from '../visitors.ts';

const BRAND = 'bakery';
const START = `/console/b/${BRAND}`;
const LONG = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenfabrik'.repeat(3);
const ARABIC = 'خبز الجاودار من المطحنة القديمة';
const HOSTILE = '"><img src=x onerror=alert(1)>';

const browser = await launchBrowser();
after(() => browser.close());
let hub: Booted;
let max: TestVisitor;

before(async () => {
  hub = await boot();
  max = await newVisitor(hub, { name: 'Max', brands: { [BRAND]: 'manager', mill: 'viewer' } });
});
after(async () => {
  await hub[Symbol.asyncDispose]();
});

async function receive(lotCode: string, sku: string, location = 'SILO-1'): Promise<void> {
  const line = aLine({ lot_code: lotCode, product_sku: sku, supplier_name: `${ARABIC} ${sku}` });
  const event = anEvent({ location, lines: [line] });
  const { status, text } = await hub.post('/v1/events', event, { 'X-Tenant-Id': BRAND });
  assert.equal(status, 201, text);
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`a manager names a product that is offered, with a picture, and consumers see it, ${how}`, async () => {
    const sku = javaScriptEnabled ? 'RYE-750' : 'OAT-500';
    await receive(`L-${sku}`, sku);
    await using browsing = await browse(browser, hub.base, { javaScriptEnabled, person: max });
    const { page } = browsing;
    await page.goto(`${START}/products`);
    const offered = page.locator('details.fold');
    if ((await offered.getAttribute('open')) === null) await offered.locator('summary').click();
    await offered.getByRole('link', { name: sku }).click();
    await page.getByLabel('Name in English').fill('Rye bread');
    await page.getByLabel('Name in German').fill('Roggenbrot');
    await page.getByLabel('GTIN').fill('4006381333930');
    await page.getByRole('button', { name: 'Save' }).click();
    const refused = await page.locator('#gtin-error').innerText();
    await page.getByLabel('GTIN').fill('4006381333931');
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByLabel('File')
      .setInputFiles({ name: 'rye.png', mimeType: 'image/png', buffer: png({ width: 40 }) });
    await page.getByRole('button', { name: 'Use this picture' }).click();
    await page.getByText('The picture is saved.').waitFor();
    const preview = await page.locator('.consumer').innerText();

    await page.getByRole('link', { name: 'Open the page of a lot' }).click();
    const english = await page.locator('.about').innerText();
    const picture = page.locator('.about img');
    const src = (await picture.getAttribute('src')) ?? '';
    await page.goto(`${page.url()}&lang=de`);
    const german = await page.locator('.about').innerText();

    assert.match(refused, /the last digit would be 1\./);
    assert.match(preview, /Rye bread/);
    assert.match(english, /^Rye bread\n+bakery\n+Lot/);
    assert.match(german, /^Roggenbrot\n/);
    assert.equal((await hub.call(src)).headers.get('content-type'), 'image/png');
    assert.deepEqual(browsing.complaints, []);
  });
}

test('a viewer sees the profile, and no form but the search', async () => {
  const vera = await newVisitor(hub, { brands: { [BRAND]: 'viewer' } });
  await max.post(`${START}/products/SEEN`, { name_en: 'Seen' });
  await using browsing = await browse(browser, hub.base, { person: vera });
  const { page } = browsing;

  for (const path of ['profile', 'products', 'products/SEEN', 'places', 'suppliers', 'audit']) {
    await page.goto(`${START}/${path}`);
    assert.equal(await page.locator('main form[method=post]').count(), 0, path);
    assert.equal(await page.getByRole('link', { name: 'Private values' }).count(), 0, path);
  }
  assert.deepEqual(browsing.complaints, []);
});

test('somebody leaves a brand by keyboard, and is in the other one', async () => {
  const quinn = await newVisitor(hub, { brands: { [BRAND]: 'quality', mill: 'viewer' } });
  await using browsing = await browse(browser, hub.base, { person: quinn });
  const { page } = browsing;
  await page.goto('/console/me');

  await tabTo(page, `Leave ${BRAND}`);
  await page.keyboard.press('Enter');
  await tabTo(page, `Leave now ${BRAND}`);
  await page.keyboard.press('Enter');
  await page.getByText('You have left the brand.').waitFor();
  await page.goto('/console');

  assert.match(page.url(), /\/console\/b\/mill$/);
  assert.deepEqual(browsing.complaints, []);
});

test('a customer is erased in two steps', async () => {
  const line = aLine({ lot_code: 'SOLD', direction: 'out', customer_ref: 'C-1029' });
  await hub.post('/v1/events', anEvent({ event_type: 'SELL', lines: [line] }), {
    'X-Tenant-Id': BRAND,
  });
  await using browsing = await browse(browser, hub.base, { person: max });
  const { page } = browsing;
  await page.goto(`${START}/profile`);
  await page.getByRole('link', { name: 'Private values' }).click();
  await page.getByLabel('Reference of the customer').fill('C-1029');
  await page.getByRole('button', { name: 'See what there is' }).click();

  const said = await page.locator('#erase .notice').innerText();
  await page.getByLabel('I have understood this').check();
  await page.getByRole('button', { name: 'Erase for good' }).click();
  await page.getByText('The customer is erased.').waitFor();

  assert.match(said, /Found of C-1029: lines of sales and deliveries: 1;/);
  assert.doesNotMatch(page.url(), /C-1029/);
  assert.deepEqual(browsing.complaints, []);
});

test('every page is whole on a telephone and a wide screen, whatever a brand writes', async () => {
  const olga = await newVisitor(hub, { isOperator: true, brands: { [BRAND]: 'manager' } });
  await receive(`L-${'X'.repeat(90)}`, `SKU-${'W'.repeat(60)}`, `PLACE-${'M'.repeat(50)}`);
  await receive('L-2', 'UNNAMED', ARABIC);
  await hub.post('/v1/events', anEvent(), { 'X-Tenant-Id': 'mill' });
  await max.post(`${START}/profile`, {
    name: LONG,
    language: 'ar',
    name_en: HOSTILE,
    website: `https://bakery.example/${'path'.repeat(40)}`,
    recall_contact: `${ARABIC} +49 431 123456 recall@bakery.example`,
  });
  await max.post(`${START}/products/EVIL`, {
    name_en: HOSTILE,
    name_de: LONG,
    other_language: 'pl',
    other_name: ARABIC,
    gtin: '4006381333931',
  });
  await max.post(`${START}/places/EVIL`, { name: LONG, address: ARABIC, time_zone: 'Asia/Tokyo' });
  await max.post(`${START}/suppliers`, { name: LONG.slice(0, 200), brand: 'mill' });
  await olga.post('/console/hub/invitations', { brand: `b${'x'.repeat(60)}` });
  const paths = [
    `${START}/profile`,
    `${START}/products`,
    `${START}/products/EVIL`,
    `${START}/products/RYE-750`,
    `${START}/products/NEW`,
    `${START}/places`,
    `${START}/places/EVIL`,
    `${START}/suppliers?name=Mill`,
    `${START}/privacy`,
    `${START}/audit`,
    `${START}/audit?actor=nobody`,
    '/console/me',
    '/console/hub',
  ];

  await assertWhole(browser, hub.base, { person: olga, paths });
});
