// The console in a real Chromium, without a word of how it is made: the operator sets the hub up, a brand gets
// its people, somebody works for two brands; and how its pages look on a telephone, in the dark, by keyboard.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Page } from 'playwright-core';
import { present } from '@lothub/kit/present';
import { boot } from '../boot.ts';
import { assertWhole, browse, tabTo } from './browsing.ts';
import { newVisitor } from './visitors.ts';

const PASSWORD = 'a quiet mill by the river';
const browser = await launchBrowser();
after(() => browser.close());
async function makeAccount(page: Page, person: { readonly name: string; readonly email: string }) {
  await page.getByLabel('Your name').fill(person.name);
  await page.getByLabel('E-mail').fill(person.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.locator('main button[type=submit]').first().click();
}

/** Where the link of an invitation leads that was made just now. */
async function madeLink(page: Page): Promise<string> {
  const link = await page.locator('#made-link').innerText();
  return new URL(link.trim()).pathname;
}

async function invite(page: Page, role: string): Promise<string> {
  await page.getByLabel('Role', { exact: true }).selectOption(role);
  await page.getByRole('button', { name: 'Make the invitation' }).click();
  return await madeLink(page);
}

for (const javaScriptEnabled of [true, false]) {
  const how = javaScriptEnabled ? 'with scripts' : 'without scripts';
  test(`the operator sets up and invites a manager, who invites quality and a viewer, ${how}`, async () => {
    await using booted = await boot();
    const { base, service } = booted;
    const options = { javaScriptEnabled };
    await using olga = await browse(browser, base, options);
    await olga.page.goto(new URL(present(service.setupLink, 'a link').url).pathname);
    await makeAccount(olga.page, { name: 'Olga', email: 'olga@hub.example' });
    await olga.page.waitForURL('**/console/hub');
    await olga.page.getByLabel('Id', { exact: true }).fill('bakery');
    await olga.page.getByRole('button', { name: 'Make the invitation' }).click();
    const forManager = await madeLink(olga.page);

    await using max = await browse(browser, base, options);
    await max.page.goto(forManager);
    await makeAccount(max.page, { name: 'Max', email: 'max@bakery.example' });
    await max.page.waitForURL('**/console/b/bakery');
    await max.page.getByRole('link', { name: 'People' }).click();
    const forQuality = await invite(max.page, 'quality');
    const forViewer = await invite(max.page, 'viewer');

    const landed: string[] = [];
    for (const [name, link] of [
      ['Quinn', forQuality],
      ['Vera', forViewer],
    ] as const) {
      await using guest = await browse(browser, base, options);
      await guest.page.goto(link);
      await makeAccount(guest.page, { name, email: `${name.toLowerCase()}@bakery.example` });
      await guest.page.waitForURL('**/console/b/bakery');
      landed.push(await guest.page.locator('.summary').innerText());
      await guest.page.goto('/console/b/bakery/people');
      landed.push(await guest.page.locator('h1').innerText());
      assert.deepEqual(guest.complaints, []);
    }
    await max.page.goto('/console/people');
    const rows = await max.page.locator('tbody tr').allInnerTexts();

    assert.deepEqual(landed, [
      'bakery · Quality',
      'Your role does not allow this',
      'bakery · Viewer',
      'Your role does not allow this',
    ]);
    assert.equal(rows.length, 3);
    assert.deepEqual([...olga.complaints, ...max.complaints], []);
  });
}

test('one person works for two brands, and comes into the second by a link while logged in', async () => {
  await using booted = await boot();
  const max = await newVisitor(booted, { name: 'Max', brands: { bakery: 'manager' } });
  const mia = await newVisitor(booted, { name: 'Mia', brands: { mill: 'manager' } });
  await using host = await browse(browser, booted.base, { person: mia });
  await host.page.goto('/console/people');
  const link = await invite(host.page, 'viewer');
  await using guest = await browse(browser, booted.base, { person: max });

  await guest.page.goto(link);
  await guest.page.getByRole('button', { name: 'Join as Max' }).click();
  await guest.page.waitForURL('**/console/b/mill');
  const inMill = await guest.page.locator('nav.side').innerText();
  await guest.page.getByRole('link', { name: 'Choose another brand' }).click();
  await guest.page.getByRole('link', { name: 'bakery' }).click();
  await guest.page.waitForURL('**/console/b/bakery');
  const inBakery = await guest.page.locator('nav.side').innerText();

  assert.doesNotMatch(inMill, /Keys/);
  assert.match(inBakery, /Keys/);
  assert.deepEqual([...host.complaints, ...guest.complaints], []);
});

test('a session that ends in the middle of a form loses nothing that was typed', async () => {
  await using booted = await boot();
  const { people } = booted.service;
  const passwordHash = await people.passwords.hash(PASSWORD);
  const ada = await newVisitor(booted, { brands: { bakery: 'manager' }, passwordHash });
  await using browsing = await browse(browser, booted.base, { person: ada });
  const { page, context } = browsing;
  await page.goto('/console/b/bakery/keys');
  await page.getByLabel('Label').fill('Scanner in the cold store');
  await page.getByLabel('May', { exact: true }).selectOption('post-events');
  await context.clearCookies();

  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.getByLabel('E-mail').fill(ada.email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Log in and show my form again' }).click();
  const label = await page.getByLabel('Label').inputValue();
  const limit = await page.getByLabel('May', { exact: true }).inputValue();
  await page.getByRole('button', { name: 'Make the key' }).click();
  await page.locator('#issued-key').waitFor();

  assert.deepEqual([label, limit], ['Scanner in the cold store', 'post-events']);
  assert.deepEqual(browsing.complaints, []);
});

test('every page is whole on a telephone and a wide screen, light and dark, for axe and in long words', async () => {
  await using booted = await boot();
  const brands = { bakery: 'manager', [`mill-${'x'.repeat(50)}`]: 'viewer' } as const;
  const name = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtin مدير الجودة';
  const ada = await newVisitor(booted, { name, brands, isOperator: true });
  await ada.post('/console/b/bakery/people/invitations', {
    role: 'quality',
    email: `${'a'.repeat(60)}@${'b'.repeat(60)}.example`,
  });
  await ada.post('/console/b/bakery/keys', { label: 'W'.repeat(80), limit: 'post-events' });
  const paths = [
    '/console?choose=yes',
    '/console/b/bakery',
    '/console/b/bakery/people',
    '/console/b/bakery/keys',
    '/console/hub',
    '/console/hub/people',
    '/console/me',
    '/console/b/nobody',
  ];

  await assertWhole(browser, booted.base, { person: ada, paths });
  await assertWhole(browser, booted.base, { paths: ['/console/login'], language: 'it' });
});

test('somebody is removed by keyboard alone', async () => {
  await using booted = await boot();
  const ada = await newVisitor(booted, { brands: { bakery: 'manager' } });
  await newVisitor(booted, { name: 'Bo', brands: { bakery: 'viewer' } });
  await using browsing = await browse(browser, booted.base, { person: ada });
  const { page } = browsing;
  await page.goto('/console/people');

  await tabTo(page, 'Remove Bo');
  await page.keyboard.press('Enter');
  await tabTo(page, 'Remove now Bo');
  await page.keyboard.press('Enter');
  await page.getByText('The person is removed from the brand.').waitFor();

  assert.equal(await page.locator('tbody tr').count(), 1);
});
