// Recording events in a real Chromium: a phone in a cold store scans twenty with the network cut and coming back and a
// reload in between; an event that is refused is corrected; a session ends; and how the pages look.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';
import { boot, newTenant } from '../../boot.ts';
import { assertWhole, browse } from '../browsing.ts';
import { newVisitor } from '../visitors.ts';

const PHONE = { width: 360, height: 740 };
const booted = await boot();
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await booted[Symbol.asyncDispose]();
});

async function newPhone() {
  const brand = newTenant();
  const person = await newVisitor(booted, { name: 'Quinn', brands: { [brand]: 'quality' } });
  const browsing = await browse(browser, booted.base, { person, locale: 'de', viewport: PHONE });
  return { brand, person, path: `/console/b/${brand}/record`, ...browsing, browsing };
}

/** Fills what stays the same from event to event. */
async function fillHead(page: Page): Promise<void> {
  await page.getByLabel('Ort').fill('KÜHLHAUS');
  await page.getByLabel('Geschäftszeichen').fill('LS-7');
  await page.getByLabel('Einheit').fill('kg');
}

/** Opens the form, and waits until the page has its queue and its copy for the time without a connection. */
async function openForm(page: Page, path: string, type = 'SHIP'): Promise<void> {
  await page.goto(`${path}?type=${type}`);
  await page.evaluate(`navigator.serviceWorker.ready.then(async () => {
    while ((await (await caches.open('lothub-record')).keys()).length < 4) await new Promise((next) => setTimeout(next, 20));
  })`);
}

/** Types as a scanner does: each code ends with Enter. */
async function scan(page: Page, lot: string): Promise<void> {
  await page.getByLabel('Chargennummer', { exact: true }).first().focus();
  for (const text of [lot, 'LACHS', '5', '']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }
}

async function readLots(
  brand: string,
  member: 'lot_code' | 'product_sku' = 'lot_code',
): Promise<readonly string[]> {
  const { text } = await booted.call('/v1/events?limit=200', { headers: { 'X-Tenant-Id': brand } });
  const pattern = new RegExp(`"${member}":"([^"]+)"`, 'g');
  return [...text.matchAll(pattern)].map(([, code = '']) => code).reverse();
}

test('a phone scans twenty events with the network cut and coming back, and nothing is lost or stored twice', async () => {
  const { brand, page, context, path, browsing } = await newPhone();
  await using _browsing = browsing;
  const lots = Array.from({ length: 20 }, (_, index) => `L-${index + 1}`);
  await openForm(page, path);
  await fillHead(page);

  for (const lot of lots.slice(0, 5)) await scan(page, lot);
  await page.locator('[data-state=sent]').nth(4).waitFor();
  await context.setOffline(true);
  for (const lot of lots.slice(5, 12)) await scan(page, lot);
  await page.getByText('Keine Verbindung').waitFor();
  // What is in the list is on the disk of the phone.
  await page.locator('[data-state=waiting], [data-state=sending]').nth(6).waitFor();
  await page.reload();
  await page.locator('[data-state=waiting]').nth(6).waitFor();
  await fillHead(page);
  for (const lot of lots.slice(12, 15)) await scan(page, lot);
  // The answers to these are lost on their way: the hub has stored what the phone sends again.
  let lost = 2;
  await context.route('**/record/queued', async (route) => {
    if (lost === 0) return await route.fallback();
    lost -= 1;
    await route.fetch();
    return await route.abort();
  });
  await context.setOffline(false);
  for (const lot of lots.slice(15)) await scan(page, lot);
  // In their order, so the last one is sent last. The list may be empty before: it is not in it at once.
  await page.locator('[data-state=sent]').filter({ hasText: 'L-20' }).waitFor();

  assert.deepEqual(await readLots(brand), lots);
  assert.equal(lost, 0);
  assert.equal(await page.locator('[data-state=refused]').count(), 0);
});

test('an event that is refused stays until it is corrected, and the others go on', async () => {
  const { brand, page, path, browsing, complaints } = await newPhone();
  await using _browsing = browsing;
  await openForm(page, path);
  await fillHead(page);

  await page.getByLabel('Menge').fill('viel');
  await page.getByLabel('Produkt').fill('LACHS');
  await page.getByLabel('Chargennummer', { exact: true }).fill('L-1');
  await page.getByRole('button', { name: 'Ereignis speichern' }).click();
  await page.getByText('Das ist keine Zahl').waitFor();
  await scan(page, 'L-2');
  await page.locator('[data-state=sent]').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Berichtigen' }).click();
  await page.getByLabel('Menge').fill('4');
  await page.getByRole('button', { name: 'Ereignis speichern' }).click();
  await page.locator('[data-state=sent]').waitFor();

  assert.deepEqual(await readLots(brand), ['L-2', 'L-1']);
  assert.equal(await page.locator('[data-state=refused]').count(), 0);
  assert.deepEqual(complaints, []);
});

test('a session that ended is said, and what was recorded waits for the log-in', async () => {
  const { brand, person, page, context, path, browsing } = await newPhone();
  await using _browsing = browsing;
  await openForm(page, path);
  await fillHead(page);
  const cookies = await context.cookies();
  await context.clearCookies();

  await scan(page, 'L-1');
  await page.getByText('Die Sitzung ist beendet').waitFor();
  const before = await readLots(brand);
  await context.addCookies(cookies);
  await page.reload();
  await page.locator('[data-state=sent]').waitFor();

  assert.deepEqual(before, []);
  assert.deepEqual(await readLots(brand), ['L-1']);
  assert.equal(person.name, 'Quinn');
});

test('lots are added and removed on the spot, and codes are looked up as they come', async () => {
  const { brand, page, path, browsing, complaints } = await newPhone();
  await using _browsing = browsing;
  await openForm(page, path, 'PRODUCE');
  await page.getByLabel('Ort').fill('BACKSTUBE');
  await page.getByLabel('Geschäftszeichen').fill('WO-7');

  await page.getByLabel('Chargennummer').fill('(10)T-1');
  await page.getByLabel('Chargennummer').press('Enter');
  await page.getByText('Diese Charge ist neu').waitFor();
  const read = await page.getByLabel('Chargennummer').inputValue();
  await page.getByLabel('Produkt').fill('TEIG');
  await page.getByLabel('Menge').fill('3,5');
  await page.getByLabel('Einheit').fill('kg');
  await page.getByRole('button', { name: 'Charge hinzufügen' }).click();
  await page.getByRole('button', { name: 'Charge hinzufügen' }).click();
  await page.getByRole('button', { name: 'Diese Charge entfernen' }).last().click();
  await page.getByLabel('Chargennummer').nth(1).fill('B-1');
  await page.getByLabel('Produkt').nth(1).fill('BROT');
  await page.getByLabel('Richtung').nth(1).selectOption('out');
  await page.getByLabel('Menge').nth(1).fill('20');
  await page.getByRole('button', { name: 'Ereignis speichern' }).click();
  await page.locator('[data-state=sent]').waitFor();

  assert.equal(read, 'T-1');
  assert.deepEqual(await readLots(brand), ['B-1', 'T-1']);
  assert.deepEqual(complaints, []);
});

test('a product that was filled in for a known lot is replaced by the one that is scanned', async () => {
  const { brand, page, path, browsing } = await newPhone();
  await using _browsing = browsing;
  await openForm(page, path);
  await fillHead(page);
  await scan(page, 'L-1');
  await page.locator('[data-state=sent]').waitFor();

  await page.keyboard.type('L-1');
  await page.keyboard.press('Enter');
  await page.locator('[data-code=lot_code] [data-note]:not(:empty)').waitFor();
  const filled = await page.getByLabel('Produkt').inputValue();
  for (const text of ['LACHS', '2', '']) {
    await page.keyboard.type(text);
    await page.keyboard.press('Enter');
  }
  await page.locator('[data-state=sent]').nth(1).waitFor();

  assert.equal(filled, 'LACHS');
  assert.deepEqual(await readLots(brand, 'product_sku'), ['LACHS', 'LACHS']);
});

test('an event is recorded without scripts', async () => {
  const brand = newTenant();
  const person = await newVisitor(booted, { brands: { [brand]: 'quality' } });
  await using browsing = await browse(browser, booted.base, {
    ...{ person, locale: 'de', javaScriptEnabled: false, viewport: PHONE },
  });
  const { page } = browsing;
  await page.goto(`/console/b/${brand}/record`);

  await page.getByRole('link', { name: 'Wareneingang' }).click();
  await page.getByLabel('Ort').fill('BACKSTUBE');
  await page.getByLabel('Geschäftszeichen').fill('LS-1');
  await page.getByLabel('Chargennummer', { exact: true }).fill('M-1');
  await page.getByLabel('Produkt').fill('MEHL');
  await page.getByLabel('Menge').fill('1,5');
  await page.getByLabel('Einheit').fill('kg');
  await page.getByLabel('Einheit').press('Enter');
  await page.getByText('Diese Charge ist neu').waitFor();
  const before = await readLots(brand);
  await page.getByRole('button', { name: 'Ereignis speichern' }).click();
  await page.getByText('Das Ereignis ist gespeichert').waitFor();

  assert.deepEqual(before, []);
  assert.deepEqual(await readLots(brand), ['M-1']);
});

test('the pages of a record are whole on a telephone and a wide screen', async () => {
  const brand = newTenant();
  const person = await newVisitor(booted, { name: 'قسم الجودة', brands: { [brand]: 'quality' } });
  const base = `/console/b/${brand}/record`;
  const long = encodeURIComponent('Donaudampfschifffahrtsgesellschaft'.repeat(5));

  await assertWhole(browser, booted.base, {
    person,
    paths: [
      base,
      `${base}?type=RECEIVE&location=${long}&reference=<b>`,
      `${base}?type=PRODUCE&stored=7`,
    ],
  });
});
