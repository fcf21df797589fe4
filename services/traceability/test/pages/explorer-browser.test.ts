// The explorer in a real Chromium: on a telephone nothing is out of sight, everything is reached by keyboard, hashes
// are copied whole with scripts and without, and axe finds nothing.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import { aLine, anEvent, boot, type Booted } from '../boot.ts';
import { RecallTenant } from '../recall/tenant.ts';

const LONG = 'W'.repeat(100);
const HOSTILE = `</style><script>alert(1)</script>"'gnorw`;
const PHONE = { width: 360, height: 740 } as const;
const DESK = { width: 1_280, height: 900 } as const;

let browser: Browser;
let hub: Booted;
let paths: readonly string[];

before(async () => {
  [browser, hub] = await Promise.all([launchBrowser(), boot()]);
  const bakery = new RecallTenant(hub, 'bakery');
  await bakery.receive('FLOUR-1', LONG, HOSTILE);
  await bakery.produce(['FLOUR-1', LONG, HOSTILE], ['BREAD-1', 'BREAD-2']);
  const line = aLine({
    lot_code: 'BREAD-1',
    direction: 'out',
    channel: 'supermarket',
    supplier_name: LONG,
    supplier_lot_code: HOSTILE,
  });
  await bakery.post({ event_type: 'SELL', location: LONG, reference: LONG, lines: [line] });
  const send = async (method: 'PATCH' | 'PUT', path: string, body: unknown) => {
    const answer = await hub.call(path, {
      method,
      headers: { 'X-Tenant-Id': 'bakery', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    assert.ok(answer.status < 300, answer.text);
  };
  await send('PATCH', '/v1/brand', { name: `Bakery ${HOSTILE}`, recall_contact: LONG });
  await send('PUT', '/v1/products/SKU-1', { names: { en: 'Rye bread', de: 'Roggenbrot' } });
  await send('PUT', `/v1/places/${LONG}`, { name: HOSTILE, address: LONG });
  const corrected = await hub.post(
    '/v1/corrections',
    {
      corrects_event_id: 1,
      reason: HOSTILE,
      requested_by: 'Ada',
      changes: [{ field: 'location', old_value: anEvent()['location'], new_value: LONG }],
    },
    { 'X-Tenant-Id': 'bakery' },
  );
  assert.equal(corrected.status, 201, corrected.text);
  const opened = await bakery.open('BREAD-1', {
    title: HOSTILE,
    reason: LONG,
    severity: 'class_i',
  });
  await bakery.moveThrough(String(opened['case_no']), 'notification');
  await hub.post(
    '/v1/lots/BREAD-1/hold',
    { reason: LONG, by: 'Jane' },
    { 'X-Tenant-Id': 'bakery' },
  );
  await hub.post('/v1/drills', { lot_code: 'BREAD-1', by: 'Jane' }, { 'X-Tenant-Id': 'bakery' });
  const { json } = await hub.call('/public/explorer/blocks?limit=200');
  const blocks = json['blocks'] as unknown as readonly {
    readonly height: number;
    readonly event_type: string;
  }[];
  const firsts = new Map(blocks.map(({ height, event_type: type }) => [type, height]));
  paths = [
    '/explorer',
    '/explorer?brand=bakery&event_type=SELL&recorded_from=2026-01-01',
    `/explorer/lot/${LONG}?brand=bakery`,
    `/explorer/search?q=${LONG.slice(0, 20)}`,
    ...[...firsts.values()].map((height) => `/explorer/block/${height}`),
    '/explorer/block/1',
  ];
});

after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

async function open(
  path: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<{ readonly page: Page; readonly context: BrowserContext } & AsyncDisposable> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  await page.goto(hub.base + path);
  return { page, context, [Symbol.asyncDispose]: () => context.close() };
}

for (const [viewport, locale] of [
  [PHONE, 'de'],
  [DESK, 'en'],
] as const) {
  test(`every page of the explorer fits ${viewport.width} pixels in ${locale}, with all folds open, and axe finds nothing`, async () => {
    for (const path of paths) {
      await using opened = await open(path, { viewport, locale });
      const { page } = opened;

      await page.evaluate(
        "document.querySelectorAll('details').forEach((one) => (one.open = true))",
      );

      assert.deepEqual(await findOverflow(page), [], path);
      assert.deepEqual(await findViolations(page), [], path);
      assert.equal(
        await page.evaluate('document.documentElement.scrollWidth'),
        viewport.width,
        path,
      );
    }
  });
}

test('on a telephone each block shows its number, what happened, its brand, its time and its hash', async () => {
  await using opened = await open('/explorer', { viewport: PHONE });

  const cards = await opened.page.locator('.blocks > li').all();
  assert.ok(cards.length > 5);
  for (const card of cards) {
    for (const part of ['.number', '.what', '.brand', '.recorded', '.hash']) {
      const box = await card.locator(part).first().boundingBox();
      assert.ok(box !== null && box.x >= 0 && box.x + box.width <= PHONE.width, part);
      assert.ok(box.width > 20 && box.height > 5, part);
    }
  }
});

test('a hash is shown in short, and its button copies all of it', async () => {
  await using opened = await open('/explorer/block/2', {
    viewport: PHONE,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const { page } = opened;
  const { json } = await hub.call('/public/explorer/block/2');
  const hash = String(json['block_hash']);
  const shown = page.locator('.short-hash', { hasText: hash }).first();

  assert.ok(((await shown.locator('.hash').boundingBox())?.width ?? 0) < 200);
  await shown.getByRole('button').press('Enter');
  await shown.getByText('Copied').waitFor();

  assert.equal(await page.evaluate('navigator.clipboard.readText()'), hash);
});

test('without scripts no dead button is shown, and a click selects the whole hash', async () => {
  await using opened = await open('/explorer/block/2', {
    viewport: PHONE,
    javaScriptEnabled: false,
  });
  const { page } = opened;
  const { json } = await hub.call('/public/explorer/block/2');

  const hash = page.locator('.hash', { hasText: String(json['block_hash']) }).first();
  await hash.click();

  assert.equal(await page.locator('.copy:visible').count(), 0);
  // Asked by the protocol: the page itself runs nothing.
  assert.equal(await page.evaluate('getSelection().toString()'), String(json['block_hash']));
});

test('the list is narrowed by keyboard alone, and the address says by what', async () => {
  await using opened = await open('/explorer', { viewport: PHONE });
  const { page } = opened;

  await page.locator('summary', { hasText: 'Narrow the list' }).press('Enter');
  await page.keyboard.press('Tab');
  await page.keyboard.type('bakery');
  await page.keyboard.press('Tab');
  await page.keyboard.type('Sale');
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await page.waitForURL(/event_type=SELL/);

  const { searchParams, hash } = new URL(page.url());
  assert.deepEqual(Object.fromEntries(searchParams), {
    brand: 'bakery',
    event_type: 'SELL',
    recorded_from: '',
    recorded_to: '',
  });
  assert.equal(hash, '#blocks');
  assert.equal(await page.locator('.blocks > li').count(), 1);
});

test('times are those of the reader and say so; without scripts they are in UTC and say that', async () => {
  const timesIn = async (options: BrowserContextOptions): Promise<readonly string[]> => {
    await using context = await browser.newContext({ locale: 'it-IT', ...options });
    const page = await context.newPage();
    await page.goto(`${hub.base}/explorer/block/1`);
    return await page.locator('dd time').allInnerTexts();
  };
  const inIndia = { timezoneId: 'Asia/Kolkata' };

  const plain = await timesIn({ ...inIndia, javaScriptEnabled: false });
  const local = await timesIn(inIndia);

  assert.ok(plain.length >= 2 && plain.every((text) => text.endsWith('UTC')), plain.join());
  assert.equal(plain[0], '2 marzo 2026 alle ore 06:15 UTC');
  assert.match(
    local[0]!,
    /^2 marzo 2026 alle ore 11:45 (?:GMT|UTC)\+5:30$|^2 marzo 2026 alle ore 11:45 IST$/,
  );
  assert.equal(local.length, plain.length);
});

test('what programs read is from left to right on a page from right to left', async () => {
  await using context = await browser.newContext({ viewport: PHONE });
  const page = await context.newPage();
  await page.goto(`${hub.base}/explorer/block/1`);

  const styles = await page.evaluate(`(() => {
    document.documentElement.dir = 'rtl';
    return [...document.querySelectorAll('pre, time')].map((one) => {
      const { direction, unicodeBidi } = getComputedStyle(one);
      return one.localName + ' ' + (one.localName === 'pre' ? direction : unicodeBidi);
    });
  })()`);

  assert.deepEqual([...new Set(styles as readonly string[])].sort(), ['pre ltr', 'time plaintext']);
});
