// Recall cases in a real Chromium: two people move one case at once; a manager is removed while working; a viewer looks for
// a button. A whole recall is played in simulation/story.test.ts.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { until } from '@lothub/kit/test/until';
import { takeRole } from '@lothub/people/brands/grants';
import { COMMAND_LINE } from '@lothub/people/brands/roles-of-place';
import type { Page } from 'playwright-core';
import { boot, type Booted } from '../../boot.ts';
import { assertWhole, browse, tabTo } from '../browsing.ts';
import { newVisitor, type TestVisitor } from '../visitors.ts';
import { readNotifications, openBakery, sell } from './bakery.ts';

const browser = await launchBrowser();
let booted: Booted;
before(async () => {
  booted = await boot();
});
after(async () => {
  await browser.close();
  await booted[Symbol.asyncDispose]();
});

async function person(brand: string, name: string, role: 'viewer' | 'quality' | 'manager') {
  return await newVisitor(booted, { name, brands: { [brand]: role } });
}

/** Opens a step and does it. */
async function move(page: Page, step: string, now: string): Promise<void> {
  await page.locator('summary', { hasText: step }).click();
  await page.getByRole('button', { name: now }).click();
}

test('the text of a notification is copied by its button', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  const [first] = await readNotifications(tenant, caseNo);
  const quinn = await person(brand, 'Quinn', 'quality');
  await using browsing = await browse(browser, booted.base, {
    person: quinn,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = browsing;
  // A page does not wait until the amounts are read: on a busy machine the first one is without them.
  await until('the page has the amounts', async () => {
    await page.goto(`${path}/notifications/${String(first?.['id'])}`);
    return (await page.content()).includes('ROLL-1');
  });

  await page.getByRole('button', { name: 'Copy the text' }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();

  const copied = String(await page.evaluate('navigator.clipboard.readText()'));
  assert.match(copied, /Metal in rolls[^]*ROLL-1 \(SKU\): 12 pcs/);
});

test('two people move one case at once: one wins, the other reads what happened', async () => {
  const { brand, path } = await openBakery(booted);
  const [quinn, max] = [
    await person(brand, 'Quinn', 'quality'),
    await person(brand, 'Max', 'manager'),
  ];
  await using one = await browse(browser, booted.base, { person: quinn });
  await using other = await browse(browser, booted.base, { person: max });
  await one.page.goto(path);
  await other.page.goto(path);

  await move(one.page, 'Move to notification', 'Move to notification now');
  await move(other.page, 'Cancel the case', 'Cancel the case now');

  assert.match(await one.page.locator('.notice.good').innerText(), /The case has moved on/);
  const late = await other.page.locator('.notice.bad').innerText();
  assert.match(late, /Nothing was done: Quinn has moved the case .* status is now: Notification/);
  assert.equal(await other.page.locator('summary', { hasText: 'Move to containment' }).count(), 1);
});

test('a manager who is removed while working gets an error, and nothing is done', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  await person(brand, 'Olga', 'manager');
  const max = await person(brand, 'Max', 'manager');
  await using browsing = await browse(browser, booted.base, { person: max });
  const { page } = browsing;
  await page.goto(path);
  await page.locator('summary', { hasText: 'Cancel the case' }).click();

  await remove(brand, max);
  await page.getByRole('button', { name: 'Cancel the case now' }).click();

  assert.equal(await page.locator('h1').innerText(), 'There is nothing here');
  assert.match(await page.locator('main').innerText(), /a brand that you are not in/);
  assert.equal((await tenant.detail(caseNo))['status'], 'investigation');
});

async function remove(brand: string, { accountId }: TestVisitor): Promise<void> {
  const place = { kind: 'brand', id: brand } as const;
  await takeRole(booted.service.people, COMMAND_LINE, { place, accountId });
}

test('a viewer finds no button that changes a case', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  await tenant.move(caseNo, 'notification');
  const vera = await person(brand, 'Vera', 'viewer');
  await using browsing = await browse(browser, booted.base, { person: vera });
  const { page } = browsing;

  const found: string[] = [];
  for (const name of ['', '/scope', '/notifications', '/timeline']) {
    await page.goto(path + name);
    found.push(...(await page.locator('main form[method=post]').allInnerTexts()));
  }

  assert.deepEqual(found, []);
});

test('a case is moved on by keyboard alone', async () => {
  const { brand, path, tenant, caseNo } = await openBakery(booted);
  const quinn = await person(brand, 'Quinn', 'quality');
  await using browsing = await browse(browser, booted.base, { person: quinn });
  const { page } = browsing;
  await page.goto(path);

  await tabTo(page, 'Move to notification');
  await page.keyboard.press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('All called');
  await tabTo(page, 'Move to notification now');
  await page.keyboard.press('Enter');
  await page.locator('.notice.good').waitFor();

  assert.equal((await tenant.detail(caseNo))['status'], 'notification');
});

test('the pages are whole on a telephone, in the dark, with hostile, Arabic and very long texts', async () => {
  const long = 'Rückrufsachbearbeitungsstelle'.repeat(12);
  const { brand, path, tenant, caseNo } = await openBakery(booted, {
    title: `<script>alert(1)</script> ${long}`,
    reason: `مخبز ${long}`,
    translations: { it: { title: long, advice: long } },
  });
  await sell(tenant, 'ROLL-1', { to: `${'x'.repeat(60)}@${'y'.repeat(60)}.example` });
  await tenant.move(caseNo, 'notification', { note: long, changed_by: 'مدير' });
  await tenant.edit(caseNo, {
    title: `"><b>${long}`,
    scope: { exclude: ['ROLL-2'], reason: long },
    changed_by: 'Max',
  });
  const [first, , , last] = await readNotifications(tenant, caseNo);
  const confidential = await tenant.open('ROLL-2', { title: long, confidential: true });
  const quinn = await person(brand, 'Quinn', 'quality');
  const one = (id: unknown) => `${path}/notifications/${String(id)}`;

  await assertWhole(browser, booted.base, {
    person: quinn,
    paths: [
      `/console/b/${brand}/recalls`,
      path,
      `/console/b/${brand}/recalls/${String(confidential['case_no'])}`,
      `${path}/scope`,
      `${path}/notifications`,
      one(first?.['id']),
      one(last?.['id']),
      `${path}/timeline`,
      `${path}/edit`,
    ],
  });
});
