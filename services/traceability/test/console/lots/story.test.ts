// Lots and events in a real Chromium: a quality manager finds a lot while typing, holds it, and corrects a quantity;
// the same by keyboard alone and without scripts; and how all these pages look with texts of any kind.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { boot } from '../../boot.ts';
import { assertWhole, browse, tabTo } from '../browsing.ts';
import { newVisitor } from '../visitors.ts';
import { HOSTILE, LONG, fillBakery, fillOther, post } from './bakery.ts';

const browser = await launchBrowser();
after(() => browser.close());
const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
const { received, baked } = await fillBakery(booted);
await fillOther(booted);
const quinn = await newVisitor(booted, { name: 'Quinn', brands: { bakery: 'quality' } });
const vera = await newVisitor(booted, { name: 'Vera', brands: { bakery: 'viewer' } });
const LOTS = '/console/b/bakery/lots';

async function newReceipt(lotCode: string, quantity: number): Promise<void> {
  const line = {
    lot_code: lotCode,
    product_sku: 'S',
    direction: 'in' as const,
    quantity,
    unit: 'kg',
  };
  const supplier = { supplier_name: 'Mill', supplier_lot_code: `SUP-${lotCode}` };
  await post(booted, {
    event_type: 'RECEIVE',
    reference: lotCode,
    lines: [{ ...line, ...supplier }],
  });
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`a lot is found by a part of a supplier’s lot, held and corrected, ${how}`, async () => {
    const lotCode = javaScriptEnabled ? 'STORY-A' : 'STORY-B';
    await newReceipt(lotCode, 250);
    await using quality = await browse(browser, booted.base, { javaScriptEnabled, person: quinn });
    const { page } = quality;

    await page.goto(LOTS);
    const search = page.getByLabel('Lot, SKU, product, supplier’s lot or reference');
    if (javaScriptEnabled) {
      await search.pressSequentially(`up-${lotCode.toLowerCase()}`);
      await page.waitForURL(`**/lots?q=up-${lotCode.toLowerCase()}*`);
      await page.locator('[data-lot-count]').getByText('1 lot').waitFor({ state: 'attached' });
    } else {
      await search.fill(`up-${lotCode.toLowerCase()}`);
      await page.getByRole('button', { name: 'Show' }).click();
    }
    const rows = await page.locator('.rows tbody tr').count();
    await page.getByRole('link', { name: lotCode }).click();
    await page.getByText('Put on hold', { exact: true }).click();
    await page.getByLabel('Why may it not be used?').fill('moisture above limit');
    await page.getByRole('button', { name: 'Put on hold now' }).click();
    await page.getByText('The lot is on hold.').waitFor();
    const held = await page.locator('.heading .chip').allInnerTexts();
    const before = await page.locator('.sheet .sum').innerText();
    await page.getByRole('link', { name: 'Receiving' }).click();
    await page.getByRole('link', { name: 'Correct' }).click();
    await page.locator('[name="line-0-quantity"]').fill('240.5');
    await page.locator('#reason-reason').fill('typing error at the dock');
    await page.getByRole('button', { name: 'See what it changes' }).first().click();
    const foreseen = await page.locator('tr', { hasText: lotCode }).innerText();
    await page.getByRole('button', { name: 'Correct now' }).click();
    await page.getByText('The event is corrected.').waitFor();
    await page.getByRole('link', { name: lotCode }).click();
    const balance = await page.locator('.sheet .sum').innerText();
    const drawn = await page.locator('.balance-bars').getAttribute('aria-label');

    assert.equal(rows, 1);
    assert.deepEqual(held, ['Active', 'On hold']);
    assert.match(before, /Remaining\s+= 250 kg/);
    assert.match(foreseen, /250 kg\s+240\.5 kg/);
    assert.match(balance, /Remaining\s+= 240\.5 kg/);
    assert.equal(drawn, 'Came in: 240.5 kg. Went out: 0 kg. Remaining: 240.5 kg.');
    assert.deepEqual(quality.complaints, []);
  });
}

test('the rows follow what is typed, only the last of it, and an empty search shows all again', async () => {
  await using quality = await browse(browser, booted.base, { person: quinn });
  const { page } = quality;
  await page.goto(`${LOTS}?status=active`);
  const search = page.getByLabel('Lot, SKU, product, supplier’s lot or reference');

  await search.pressSequentially('roggen');
  await page.getByText('No lot matches.').waitFor();
  await page.getByLabel('Status').selectOption('');
  await page.getByRole('link', { name: 'BREAD-0302' }).waitFor();
  const narrowed = new URL(page.url()).search;
  await search.fill('');
  await page.getByRole('link', { name: 'FLOUR-0711' }).waitFor();

  assert.match(narrowed, /^\?q=roggen&column=product/);
  assert.doesNotMatch(page.url(), /q=/);
  assert.deepEqual(quality.complaints, []);
});

test('somebody finds, holds and releases a lot by keyboard alone', async () => {
  await newReceipt('KEYS-1', 3);
  await using quality = await browse(browser, booted.base, { person: quinn });
  const { page } = quality;
  await page.goto(LOTS);
  await page.getByLabel('Lot, SKU, product, supplier’s lot or reference').focus();
  await page.keyboard.type('KEYS-');
  await page.locator('[data-lot-count]').getByText('1 lot').waitFor({ state: 'attached' });

  await tabTo(page, 'KEYS-1');
  await page.keyboard.press('Enter');
  await page.waitForURL('**/lots/KEYS-1');
  await tabTo(page, 'Put on hold');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('smells');
  await page.keyboard.press('Enter');
  await page.getByText('The lot is on hold.').waitFor();
  await tabTo(page, 'Release by hand');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Release now');
  await page.keyboard.press('Enter');

  await page.getByText('The hold is ended.').waitFor();
  assert.deepEqual(quality.complaints, []);
});

test('a viewer reads all of it and finds no form that changes anything', async () => {
  await using viewer = await browse(browser, booted.base, { person: vera });
  const { page } = viewer;
  const forms: number[] = [];

  for (const path of [LOTS, `${LOTS}/FLOUR-0711`, `/console/b/bakery/events/${received}`]) {
    await page.goto(path);
    forms.push(await page.locator('main form[method=post]').count());
  }

  assert.deepEqual(forms, [0, 0, 0]);
});

test('pages of lots and events are whole on a telephone and on a wide screen, whatever their texts', async () => {
  await quinn.post(`${LOTS}/FLOUR-0711/hold`, { reason: `${HOSTILE} ${LONG}` });
  await quinn.post(`${LOTS}/${LONG}/hold`, { reason: 'too long' });
  const lots = [HOSTILE, LONG, 'FLOUR-0711', 'BREAD-0302', 'MIX-1', 'flour 0711'];

  await assertWhole(browser, booted.base, {
    person: quinn,
    paths: [
      LOTS,
      `${LOTS}?q=nothing&column=received&column=sold&column=remaining&column=state&column=product`,
      ...lots.map((lotCode) => `${LOTS}/${encodeURIComponent(lotCode)}`),
      `${LOTS}/FLOUR-0711/labels`,
      `/console/b/bakery/events/${received}`,
      `/console/b/bakery/events/${received + 4}`,
      `/console/b/bakery/events/${baked}/correct`,
    ],
  });
});
