// The drawing of a genealogy with 10,000 lots in a real Chromium: by mouse, by keyboard alone, by touch, without
// scripts, on paper, in German; and that nothing of it is cut off.
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { boot } from '../../boot.ts';
import { assertWhole, browse } from '../browsing.ts';
import { newVisitor } from '../visitors.ts';
import { BRAND, breadCode, fillBakery } from './bakery.ts';

const booted = await boot();
const browser = await launchBrowser();
after(async () => {
  await browser.close();
  await booted[Symbol.asyncDispose]();
});
await fillBakery(booted);
const person = await newVisitor(booted, { brands: { [BRAND]: 'viewer' } });

const LOOK_EVERY_MS = 20;
const VERY_LONG = 'WERK-NORD-LINIE-4-'.repeat(5);
const ARABIC = 'مخبز ١٢٣';
await booted.post(
  '/v1/events',
  {
    ...{ event_type: 'PRODUCE', location: 'BAKERY-1', reference: '<b>WO</b>' },
    occurred_at: '2026-03-02T06:15:00Z',
    lines: [
      ...[VERY_LONG, ARABIC, '<script>alert(1)</script>'].map((lot_code) => ({
        ...{ lot_code, product_sku: '"><img src=x>', direction: 'in', quantity: 1, unit: 'kg' },
      })),
      { lot_code: 'MIX-1', product_sku: VERY_LONG, direction: 'out', quantity: 1, unit: 'kg' },
    ],
  },
  { 'X-Tenant-Id': BRAND },
);

function buildPath(lot: string): string {
  return `/console/b/${BRAND}/lots/${encodeURIComponent(lot)}/genealogy`;
}

async function look(lot: string, options: BrowserContextOptions = {}) {
  const browsing = await browse(browser, booted.base, { ...options, person });
  await browsing.page.goto(buildPath(lot));
  return browsing;
}

/** Waits for an expression; the policy of pages lets no script of a text run, which waitForFunction is. */
async function until(page: Page, expression: string): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while ((await page.evaluate(expression)) !== true) {
    assert.ok(Date.now() < end, `${expression} is not true`);
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
}

/** Waits until so many boxes are drawn and have come to rest. */
async function drawn(page: Page, count: number): Promise<void> {
  await until(
    page,
    `document.querySelectorAll('.genealogy-drawing [data-node]').length === ${count}`,
  );
  await until(page, 'document.getAnimations().length === 0');
}

function box(page: Page, lot: string) {
  return page
    .locator('.box')
    .filter({ has: page.locator('title', { hasText: new RegExp(`^${lot},`) }) });
}

function opener(page: Page, name: string) {
  return page
    .locator('.opener')
    .filter({ has: page.locator('title', { hasText: new RegExp(`^${name}$`) }) });
}

async function readPlace(page: Page, lot: string) {
  const place = await box(page, lot).boundingBox();
  assert.ok(place, lot);
  return place;
}

/** Text of what has the focus. */
async function focused(page: Page): Promise<string> {
  return String(await page.evaluate('document.activeElement.querySelector("title")?.textContent'));
}

const rows = (page: Page) => page.locator('#genealogy-rows tr');

test('by mouse: a product opens a page at a time, what was drawn stays, the table grows, a drag moves', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  const began = await page.locator('[data-node]').count();
  const before = await readPlace(page, 'YEAST-1');

  await opener(page, 'Show what was made from YEAST-1: 19').click();
  await drawn(page, began + 1);
  const stayed = await readPlace(page, 'YEAST-1');
  await opener(page, 'Show lots of CIABATTA, 100 not shown yet').click();
  await drawn(page, began + 26);
  const rowCount = await rows(page).count();
  const address = page.url();
  const view = await page.locator('.genealogy-view').boundingBox();
  assert.ok(view);
  await page.mouse.move(view.x + view.width / 2, view.y + 20);
  const still = await readPlace(page, 'DOUGH-1');
  await page.mouse.down();
  await page.mouse.move(view.x + view.width / 2 + 60, view.y + 60, { steps: 4 });
  await page.mouse.up();
  await until(
    page,
    `document.querySelector('.seed .box').getBoundingClientRect().x !== ${still.x}`,
  );
  const moved = await readPlace(page, 'DOUGH-1');
  await opener(page, 'Hide the lots of CIABATTA').click();
  await drawn(page, began + 1);

  // The frame of what is chosen is thicker.
  assert.ok(Math.abs(stayed.x - before.x) < 2 && Math.abs(stayed.y - before.y) < 2);
  assert.equal(rowCount, began + 26);
  assert.match(address, /open=down%2FYEAST-1/);
  assert.ok(Math.abs(moved.x - still.x - 60) < 2 && Math.abs(moved.y - still.y - 40) < 2);
  assert.equal(await rows(page).count(), began + 1);
  assert.deepEqual(browsing.complaints, []);
});

test('what is recalled and on hold has signs in the drawing and words in the table', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  await opener(page, 'Show lots of CIABATTA, 100 not shown yet').click();
  await page.locator('.lot.recalled').waitFor();

  const recalled = page.locator('.lot.recalled');

  assert.equal(await recalled.locator('.mark-recalled').count(), 1);
  assert.match(
    await rows(page)
      .filter({ hasText: breadCode(1, 500) })
      .innerText(),
    /Recalled/,
  );
});

test('the address keeps what is open', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  const began = await page.locator('[data-node]').count();
  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();
  await drawn(page, began + 25);

  await page.reload();

  await drawn(page, began + 25);
  assert.deepEqual(browsing.complaints, []);
});

test('arrows that are pressed within a frame move the focus once, to where all of them lead', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  await page.locator('.seed .box').focus();

  const visited = await page.evaluate(`new Promise((resolve) => {
    const focused = [];
    const title = () => document.activeElement.querySelector('title').textContent.split(',')[0];
    document.addEventListener('focusin', () => focused.push(title()));
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowLeft', 'ArrowRight', 'ArrowRight'])
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
    requestAnimationFrame(() => resolve(focused));
  })`);

  assert(Array.isArray(visited));
  assert.equal(visited.length, 1);
  assert.notEqual(visited[0], 'DOUGH-1');
  assert.deepEqual(browsing.complaints, []);
});

test('by keyboard alone: along the lines, opening, zooming, searching all of it, leaving', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  const began = await page.locator('[data-node]').count();
  const steps: string[] = [];
  const press = async (...keys: string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
    // Arrows move the focus with the next frame.
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    steps.push((await focused(page)).split(',')[0] ?? '');
  };
  await page.getByRole('button', { name: 'Fit' }).focus();

  await press('Tab');
  await press('ArrowLeft');
  await press('ArrowRight', 'ArrowRight');
  await press('ArrowDown');
  const said = await page.locator('#genealogy-said').innerText();
  await page.keyboard.press('Enter');
  await drawn(page, began + 25);
  const size = await readPlace(page, 'DOUGH-1');
  await page.keyboard.press('+');
  await until(
    page,
    `document.querySelector('.seed .box').getBoundingClientRect().width > ${size.width}`,
  );
  await page.keyboard.press('/');
  await page.keyboard.type('CRUMBS-1');
  const matches = await page.locator('.node.match').count();
  await page.keyboard.press('Enter');
  await page.locator('[data-way="CRUMBS-1"]').waitFor();
  await page.keyboard.press('Enter');
  await until(
    page,
    'document.activeElement.querySelector("title")?.textContent.startsWith("CRUMBS-1")',
  );
  await page.keyboard.press('Escape');
  const left = await page.evaluate('document.activeElement.id');

  assert.equal(steps[0], 'DOUGH-1');
  assert.match(steps[1] ?? '', /^(CRUMBS-1|YEAST-1|FLOUR-1)$/);
  assert.equal(steps.length, 4);
  assert.match(said, /made from it, Steps 1/);
  assert.equal(matches, 1);
  assert.equal(left, 'genealogy-table');
  assert.deepEqual(browsing.complaints, []);
});

test('a search finds a lot that is not drawn, and draws the way to it', async () => {
  await using browsing = await look('FLOUR-1');
  const { page } = browsing;
  const code = breadCode(13, 321);
  await page.getByLabel('Lot, product or supplier in this genealogy').fill(code);

  await page.getByRole('button', { name: 'Search' }).click();
  await page.locator(`[data-way="${code}"]`).click();
  await box(page, code).waitFor();
  await until(
    page,
    `document.activeElement.querySelector("title")?.textContent.startsWith("${code}")`,
  );

  assert.match(await rows(page).filter({ hasText: code }).innerText(), /made from it\s+2/);
  assert.equal(await box(page, 'DOUGH-13').count(), 1);
  assert.deepEqual(browsing.complaints, []);
});

test('by touch on a telephone: a tap opens, a finger moves, two fingers zoom', async () => {
  await using browsing = await look('DOUGH-1', {
    hasTouch: true,
    isMobile: true,
    viewport: { width: 360, height: 740 },
  });
  const { page, context } = browsing;
  const touch = await context.newCDPSession(page);
  const send = async (type: string, points: readonly { x: number; y: number }[]) => {
    await touch.send('Input.dispatchTouchEvent', {
      type: type as 'touchStart',
      touchPoints: points.map((point, id) => ({ ...point, id })),
    });
  };
  const began = await page.locator('[data-node]').count();
  const first = await readPlace(page, 'DOUGH-1');
  await page.locator('.genealogy-view').scrollIntoViewIfNeeded();
  const view = await page.locator('.genealogy-view').boundingBox();
  assert.ok(view);
  const [x, y] = [view.x + 60, view.y + 40];

  const still = await readPlace(page, 'DOUGH-1');
  await send('touchStart', [{ x, y }]);
  await send('touchMove', [{ x: x + 30, y: y + 20 }]);
  await send('touchMove', [{ x: x + 50, y: y + 30 }]);
  await send('touchEnd', []);
  await until(
    page,
    `document.querySelector('.seed .box').getBoundingClientRect().x > ${still.x + 20}`,
  );
  await send('touchStart', [
    { x, y },
    { x: x + 100, y },
  ]);
  await send('touchMove', [
    { x, y },
    { x: x + 150, y },
  ]);
  await send('touchMove', [
    { x, y },
    { x: x + 200, y },
  ]);
  await send('touchEnd', []);
  await until(
    page,
    `document.querySelector('.seed .box').getBoundingClientRect().width > ${first.width * 1.5}`,
  );
  const isFitted = `document.querySelector('.seed .box').getBoundingClientRect().width < ${first.width}`;
  // A tap close behind two fingers may be taken for a part of what they do.
  while ((await page.evaluate(isFitted)) !== true) {
    await page.getByRole('button', { name: 'Fit' }).tap();
    await page.waitForTimeout(LOOK_EVERY_MS);
  }
  await opener(page, 'Show lots of ROLL, 100 not shown yet').tap();

  await drawn(page, began + 25);
  assert.deepEqual(browsing.complaints, []);
});

test('without scripts the drawing is there, scrolls, and opens by links', async () => {
  await using browsing = await look('DOUGH-1', { javaScriptEnabled: false });
  const { page } = browsing;

  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();
  await page.waitForURL('**/genealogy?open=**');

  assert.equal(await rows(page).filter({ hasText: 'B-01-' }).count(), 26);
});

test('on paper all of the drawing and of the table is there, wherever it was moved to', async () => {
  await using browsing = await look('DOUGH-1');
  const { page } = browsing;
  const began = await page.locator('[data-node]').count();
  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();
  await drawn(page, began + 25);

  await page.emulateMedia({ media: 'print' });

  const drawing = await page.locator('.genealogy-drawing').boundingBox();
  assert.ok(drawing);
  for (const one of await page.locator('.genealogy-drawing .box').all()) {
    const place = await one.boundingBox();
    assert.ok(place);
    assert.ok(place.x >= drawing.x - 1 && place.x + place.width <= drawing.x + drawing.width + 1);
    assert.ok(place.y >= drawing.y - 1 && place.y + place.height <= drawing.y + drawing.height + 1);
  }
  assert.ok(await rows(page).last().isVisible());
  assert.equal(await page.locator('.genealogy-tools').isVisible(), false);
  await page.emulateMedia({ media: 'screen' });
  await until(page, 'document.querySelector(".world").style.transform.includes("scale")');
});

test('a hub that does not answer, or a session that ended, is said and breaks nothing', async () => {
  await using browsing = await look('DOUGH-1');
  const { page, context } = browsing;
  const began = await page.locator('[data-node]').count();
  await context.setOffline(true);
  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();
  await page.getByText('The hub did not answer. Try again.').waitFor();
  await context.setOffline(false);
  const cookies = await context.cookies();
  await context.clearCookies();
  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();
  await page.getByText('You are logged out.').waitFor();
  await context.addCookies(cookies);

  await opener(page, 'Show lots of ROLL, 100 not shown yet').click();

  await drawn(page, began + 25);
});

test('the pages are whole: hostile, Arabic and very long texts, without and with lots', async () => {
  await assertWhole(browser, booted.base, {
    person,
    paths: [
      buildPath('DOUGH-2'),
      buildPath('MIX-1'),
      buildPath(VERY_LONG),
      `${buildPath('MIX-1')}?q=WERK`,
    ],
  });
});
