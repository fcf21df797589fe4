// A consumer with a telephone in a shop, in a real Chromium: the verdict in their language, the check in their
// browser, a recall that comes while they look, and an operator who changes what is stored. And what the page costs:
// bytes, the time to its first paint on a slow network, nothing that moves.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { WORDS } from '../../src/web/words/reader.ts';
import { boot, type Booted } from '../boot.ts';
import { tamper } from '../ledger.ts';
import type { RecallTenant } from '../recall/tenant.ts';
import { PIZZA_LOT, bakePizza } from './pizza.ts';

/** A small telephone, in CSS pixels, and what may be read on it without unfolding anything. */
const PHONE = { width: 360, height: 740 };
const SCREENS_MAX = 2;
/** All that the page loads but the picture, which a brand gives: text, style, icons, modules. */
const BYTES_MAX = 100_000;
/** A slow mobile network. */
const NETWORK = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const FIRST_PAINT_MAX_MS = 1_000;
/** The least of so many loads is what the page costs; the others cost what else the machine does. */
const LOADS = 5;
const BUTTONS = [
  ['de-DE', WORDS.de.check.button],
  ['fr-FR', WORDS.fr.check.button],
] as const;
const PATH = `/lot/${PIZZA_LOT}`;

let browser: Browser;
let hub: Booted;
let brand: RecallTenant;

before(async () => {
  [browser, hub] = await Promise.all([launchBrowser(), boot()]);
  brand = await bakePizza(hub);
});

after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

async function phone(
  locale: string,
): Promise<{ readonly page: Page; readonly cdp: CDPSession } & AsyncDisposable> {
  const context = await browser.newContext({
    viewport: PHONE,
    locale,
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 3,
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  return { page, cdp, [Symbol.asyncDispose]: () => context.close() };
}

async function readHeight(page: Page): Promise<number> {
  return Number(await page.evaluate('document.documentElement.scrollHeight'));
}

/** The two numbers that a script in the page has answered. */
function toNumbers(answer: unknown): readonly [number, number] {
  assert.ok(Array.isArray(answer));
  return [Number(answer[0]), Number(answer[1])];
}

/** What the button of the page says once it has checked. */
async function checked(page: Page, button: string): Promise<string> {
  await page.getByRole('button', { name: button }).click();
  await page.locator('#check-here h3').waitFor();
  return await page.locator('#check-here').innerText();
}

test('the page of a lot is at most 100 kB, paints within a second on a slow network, and nothing moves', async () => {
  const paints: number[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    await using opened = await phone('de-DE');
    const { page, cdp } = opened;
    const sizes = new Map<string, number>();
    const urls = new Map<string, string>();
    cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
      urls.set(requestId, request.url);
    });
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      sizes.set(urls.get(requestId) ?? requestId, encodedDataLength);
    });
    await cdp.send('Network.enable');
    await cdp.send('Network.emulateNetworkConditions', NETWORK);

    await page.goto(hub.base + PATH, { waitUntil: 'networkidle' });

    const [paint, shift] = toNumbers(
      await page.evaluate(`new Promise((resolve) => {
      let shift = 0;
      new PerformanceObserver((list) => {
        for (const one of list.getEntries()) shift += one.value;
      }).observe({ type: 'layout-shift', buffered: true });
      const paint = performance.getEntriesByName('first-contentful-paint')[0];
      setTimeout(() => resolve([paint.startTime, shift]), 100);
    })`),
    );
    const own = [...sizes].filter(([url]) => !url.includes('/public/pictures/'));
    const bytes = own.reduce((sum, [, size]) => sum + size, 0);
    assert.ok(own.length >= 4, JSON.stringify(own));
    assert.ok(bytes <= BYTES_MAX, JSON.stringify(own));
    assert.equal(shift, 0);
    paints.push(paint);
  }

  assert.ok(Math.min(...paints) < FIRST_PAINT_MAX_MS, paints.join());
});

test('the check in the browser loads its verifier in one file of at most 100 kB', async () => {
  for (const [locale, button] of BUTTONS) {
    await using opened = await phone(locale);
    const { page, cdp } = opened;
    const loads = new Map<string, string>();
    const sizes: number[] = [];
    await page.goto(hub.base + PATH, { waitUntil: 'networkidle' });
    cdp.on('Network.requestWillBeSent', ({ requestId, request }) => {
      if (request.url.includes('/assets/')) loads.set(requestId, request.url);
    });
    cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      if (loads.has(requestId)) sizes.push(encodedDataLength);
    });
    await cdp.send('Network.enable');

    const said = await checked(page, button);

    assert.doesNotMatch(said, /^$/);
    assert.equal(sizes.length, 1, [...loads.values()].join(' '));
    assert.ok(sizes[0]! <= BYTES_MAX, `${locale}: ${sizes.join()}`);
  }
});

test('a consumer reads the verdict in German, checks it, and is notified of a recall that comes meanwhile', async () => {
  await using opened = await phone('de-DE');
  const { page } = opened;
  await page.goto(hub.base + PATH);

  assert.equal(await page.locator('h1').innerText(), 'Gegen diese Charge liegt nichts vor');
  assert.equal(await page.locator('html').getAttribute('lang'), 'de');
  assert.match(
    await page.locator('.about').innerText(),
    /Steinofenpizza Salami 320 g\s+Forno Aurora/,
  );
  const milestones = await page.locator('.milestones > li').allInnerTexts();
  assert.ok(milestones.length >= 3 && milestones.length <= 6, milestones.join('\n'));
  // Half past midnight at the place is the day before in UTC.
  assert.match(milestones[1] ?? '', /^Hergestellt\s+Aurora, Werk Kiel · 11\. März 2026$/);
  assert.ok((await readHeight(page)) <= SCREENS_MAX * PHONE.height);
  assert.match(await checked(page, 'In diesem Browser prüfen'), /Bewiesen allein auf das Wort/);
  assert.deepEqual(await findOverflow(page), []);
  assert.deepEqual(await findViolations(page), []);

  const opening = await brand.open(PIZZA_LOT, {
    title: 'Metallsplitter in Salamipizza',
    reason: 'In einer Schneidemaschine ist ein Messer gebrochen.',
    severity: 'class_i',
  });
  await brand.moveThrough(String(opening['case_no']), 'notification');
  await page.reload();

  assert.equal(await page.locator('h1').innerText(), 'Halt: Diese Charge wird zurückgerufen');
  const verdict = page.locator('.verdict').first();
  assert.match(await verdict.innerText(), /Nicht verzehren oder verwenden: Schwere/);
  assert.match(await verdict.innerText(), /Grund: .?In einer Schneidemaschine/);
  const links = await verdict.locator('.contact a').all();
  const ways = await Promise.all(links.map((link) => link.getAttribute('href')));
  assert.deepEqual(ways, [
    'tel:+49301234567',
    'mailto:recall@aurora.example',
    'https://aurora.example/recall',
  ]);
  assert.ok((await readHeight(page)) <= SCREENS_MAX * PHONE.height, String(await readHeight(page)));
  assert.deepEqual(await findOverflow(page), []);
  assert.deepEqual(await findViolations(page), []);
});

test('a language that is chosen lasts, on every page', async () => {
  await using opened = await phone('de-DE');
  const { page } = opened;
  await page.goto(hub.base + PATH);

  await page.locator('.languages summary').click();
  await page.getByRole('link', { name: 'Italiano' }).click();
  await page.waitForURL(/lang=it/);
  const chosen = await page.locator('h1').innerText();
  await page.goto(`${hub.base}/`);

  assert.equal(chosen, 'Stop: questo lotto è richiamato');
  assert.equal(await page.locator('html').getAttribute('lang'), 'it');
  assert.equal(await page.locator('h1').innerText(), 'Da dove viene un prodotto');
});

for (const [language, button] of [
  ['en', 'Check in this browser'],
  ['fr', 'Vérifier dans ce navigateur'],
  ['es', 'Comprobar en este navegador'],
  ['it', 'Verifica in questo browser'],
] as const) {
  test(`the page of a recalled lot in ${language} fits on two screens, is open to all and is checked`, async () => {
    await using opened = await phone(language);
    const { page } = opened;
    await page.goto(hub.base + PATH);

    const height = await readHeight(page);
    const overflow = await findOverflow(page);
    const text = await checked(page, button);

    assert.ok(height <= SCREENS_MAX * PHONE.height, String(height));
    assert.deepEqual(overflow, []);
    assert.deepEqual(await findViolations(page), []);
    const steps = await page.locator('#check-here li').first().boundingBox();
    assert.ok((steps?.width ?? 0) > PHONE.width / 2, 'what was checked is read in lines');
    assert.doesNotMatch(text, language === 'en' ? /\u00a7/ : /The operator|Good|Proved/);
  });
}

/** Of the third block, whose text then names another lot. */
const CHANGES = ['a text alone', 'a text and its hash'] as const;

for (const what of CHANGES) {
  test(`an operator who changes ${what} is found out by the check of the page`, async () => {
    await using changed = await boot();
    await bakePizza(changed);
    await using opened = await phone('de-DE');
    const { page } = opened;
    await page.goto(changed.base + PATH);
    const honest = await checked(page, 'In diesem Browser prüfen');
    await page.reload();

    const { json } = await changed.call('/public/explorer/block/3');
    const canonical = String(json['canonical']).replace('TOMATO-1', 'TOMATO-2');
    const hash = what === 'a text alone' ? String(json['block_hash']) : sha256Hex(canonical);
    const change = 'update blocks set canonical = ?, hash = ? where height = 3';
    await tamper(changed.database, change, canonical, hash);
    const found = await checked(page, 'In diesem Browser prüfen');
    await page.reload();

    assert.match(honest, /Bewiesen/);
    assert.match(found, /Zurückgewiesen: Die Plattform gibt dafür keinen Nachweis heraus/);
    assert.notEqual(await page.locator('h1').innerText(), 'Gegen diese Charge liegt nichts vor');
    assert.equal(await page.locator('.verdict.good').count(), 0);
  });
}

test('a hub that gives another text than it signed is found out by the check of the page', async () => {
  await using opened = await phone('de-DE');
  const { page } = opened;
  await page.route(/\/evidence\?brand=/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ body: (await answer.text()).replaceAll('TOMATO-1', 'TOMATO-2') });
  });
  await page.goto(hub.base + PATH);

  const found = await checked(page, 'In diesem Browser prüfen');

  assert.match(found, /Zurückgewiesen: .*Es wurde nachträglich geändert/);
  assert.match(found, /Meldung des Prüfprogramms \(auf Englisch\)/);
});
