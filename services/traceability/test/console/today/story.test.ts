// Today, the help and the state of the hub in a real Chromium: from an empty brand to a busy one, from a number to
// its list, and how the pages look with hostile, Arabic and very long texts.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { boot } from '../../boot.ts';
import { assertWhole, browse, tabTo } from '../browsing.ts';
import { newVisitor } from '../visitors.ts';
import { makeBusyBrand } from './busy-brand.ts';

const LONG = 'Salmonellenverdachtsabklärungsprotokollnummer'.repeat(3);
const TEXT = `<b>مرحبا بالعالم</b> ${LONG}`;
const browser = await launchBrowser();
after(() => browser.close());
const booted = await boot();
after(() => booted[Symbol.asyncDispose]());
await makeBusyBrand(booted, { brand: 'bakery', text: TEXT });
const brands = { bakery: 'quality', fresh: 'manager' } as const;
const ada = await newVisitor(booted, { brands, isOperator: true });

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`somebody goes from a number to its list and opens what a word means, ${how}`, async () => {
    await using browsing = await browse(browser, booted.base, { person: ada, javaScriptEnabled });
    const { page } = browsing;

    await page.goto('/console/b/bakery');
    const sentence = page.getByText('The mean of the checks: 0 to 100.');
    const isHidden = await sentence.isHidden();
    await page.getByRole('button', { name: 'Checks' }).click();
    const isShown = await sentence.isVisible();
    await page.keyboard.press('Escape');
    const isHiddenAgain = await sentence.isHidden();
    await page.getByRole('link', { name: 'Lots of which more went out than came in' }).click();

    assert.deepEqual([isHidden, isShown, isHiddenAgain], [true, true, true]);
    assert.equal(await page.locator('tbody tr').count(), 1);
    assert.match(await page.locator('tbody').innerText(), /BREAD-1/);
    assert.deepEqual(browsing.complaints, []);
  });
}

test('an empty brand is led by keyboard alone to its first file', async () => {
  await using browsing = await browse(browser, booted.base, { person: ada });
  const { page } = browsing;

  await page.goto('/console/b/fresh');
  await tabTo(page, 'Import a file');
  await page.keyboard.press('Enter');

  await page.waitForURL('**/console/b/fresh/imports');
  assert.deepEqual(browsing.complaints, []);
});

test('a term leads to its place in the help, which is marked', async () => {
  await using browsing = await browse(browser, booted.base, { person: ada });
  const { page } = browsing;

  await page.goto('/console/b/bakery');
  await page.getByRole('button', { name: 'Last drill' }).press('Enter');
  await page.locator('#term-drill').getByRole('link', { name: 'Help' }).click();

  await page.waitForURL('**/console/b/bakery/help#term-drill');
  assert.match(await page.locator('.terms > div:target').innerText(), /A timed practice trace/);
});

test('every page is whole on a telephone and a wide screen, light and dark, for axe and in long words', async () => {
  await assertWhole(browser, booted.base, {
    person: ada,
    paths: [
      '/console/b/bakery',
      '/console/b/fresh',
      '/console/b/bakery/checks/recorded_in_time',
      '/console/b/bakery/checks/lots_not_over_issued',
      '/console/b/bakery/checks/hold_breaches',
      '/console/b/bakery/help',
      '/console/hub/keys',
      '/console/hub/state',
      '/console/hub/help',
    ],
  });
});
