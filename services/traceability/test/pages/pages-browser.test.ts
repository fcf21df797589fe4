// Pages in a real Chromium: the report of a recall case on paper, and what consumers see of a recall on a
// telephone and on a desk. Nothing sticks out, nothing is loaded from elsewhere, and axe finds nothing.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { reportPage } from '../../src/recall/report/report-page.ts';
import { TENANT_KEY, aLine, boot, type Booted } from '../boot.ts';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import { runCli, testFolder } from '../cli/run.ts';
import { tamper } from '../ledger.ts';
import { RecallTenant } from '../recall/tenant.ts';
import { sampleReport, whole } from '../recall/report-sample.ts';

/** Widths between the margins of the report, in CSS pixels: 15 mm on each side. */
const PAPERS = [
  { format: 'A4', width: 680 },
  { format: 'Letter', width: 702 },
] as const;
const WIDTHS = [360, 1_280] as const;
const HEIGHT = 900;
/** A report of this many lots has so many pages, at least and at most, on both papers. */
const PAGES_OF = new Map([
  [3, [4, 7]],
  [60, [9, 15]],
] as const);

const LONG = 'W'.repeat(100);
const HOSTILE = `</style><script>alert(1)</script>"'gnorw`;

let browser: Browser;
let hub: Booted;
let bakery: RecallTenant;
let caseNo: string;

before(async () => {
  const env = { NODE_ENV: 'development' };
  [browser, hub] = await Promise.all([launchBrowser(), boot({ env })]);
  bakery = new RecallTenant(hub, 'bakery');
  await bakery.receive('FLOUR-1', LONG, HOSTILE);
  await bakery.produce(['FLOUR-1', LONG, HOSTILE], ['BREAD-1', 'BREAD-2']);
  await bakery.post({
    event_type: 'SELL',
    location: LONG,
    lines: [
      aLine({
        lot_code: 'BREAD-1',
        direction: 'out',
        quantity: 1,
        customer_ref: LONG,
        channel: LONG,
      }),
    ],
  });
  const opened = await bakery.open('BREAD-1', {
    title: `Metal ${HOSTILE}`,
    reason: `${LONG} ${HOSTILE}`,
    severity: 'class_i',
  });
  caseNo = String(opened['case_no']);
  const rival = new RecallTenant(hub, `rival-${LONG.slice(0, 50)}`);
  await rival.receive('BREAD-1');
  await bakery.moveThrough(caseNo, 'notification');
});

after(async () => {
  await browser.close();
  await hub[Symbol.asyncDispose]();
});

/** A page that ends with the test, and what it asked for and complained about. */
async function open(
  url: string,
  width: number,
): Promise<
  { readonly page: Page; readonly asked: string[]; readonly complaints: string[] } & AsyncDisposable
> {
  const context = await browser.newContext({
    viewport: { width, height: HEIGHT },
    extraHTTPHeaders: { 'X-Api-Key': TENANT_KEY, 'X-Tenant-Id': bakery.id },
  });
  const page = await context.newPage();
  const asked: string[] = [];
  const complaints: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, asked, complaints, [Symbol.asyncDispose]: () => context.close() };
}

test('the verifier that the hub serves runs its script and loads nothing', async () => {
  await using opened = await open(`${hub.base}/verifier.html`, WIDTHS[0]);
  const { page, asked, complaints } = opened;

  await page.locator('button').click();

  assert.equal(await page.locator('#result h2').innerText(), 'Choose a file first.');
  assert.equal(asked.length, 1, asked.join());
  assert.deepEqual(complaints, []);
});

test('the evidence of a recalled lot of the demo is proved without any network', async () => {
  await using demo = await boot();
  const loaded = await runCli(['demo', '--url', demo.base], { TENANT_API_KEY: TENANT_KEY });
  assert.equal(loaded.code, 0, loaded.stderr);
  await new RecallTenant(demo, 'haverfield').open('CAKE-0302', { title: 'Almonds not declared' });
  const lot = '/public/verify/CAKE-0302';
  const answer = await demo.call(`${lot}?brand=haverfield`);
  assert.equal(answer.json['notices']?.['0']?.['title'], 'Almonds not declared');
  const evidence = await demo.call(`${lot}/evidence?brand=haverfield`);
  const policy = await demo.call('/log/1/policy');
  await using folder = await testFolder();
  const file = folder.file('verifier.html');
  await writeFile(file, (await demo.call('/verifier.html')).text);
  await using opened = await open(pathToFileURL(file).href, WIDTHS[0]);
  const { page, asked, complaints } = opened;
  await page.context().setOffline(true);

  const buffer = Buffer.from(evidence.text);
  const chosen = { name: 'CAKE-0302.lothub-evidence.json', mimeType: 'application/json', buffer };
  await page.locator('#file').setInputFiles(chosen);
  await page.locator('#chosen', { hasText: chosen.name }).waitFor();
  await page.locator('#policy').fill(policy.text);
  await page.locator('button').click();
  await page.locator('#result:not([hidden])').waitFor();

  assert.equal(await page.locator('#result h2').innerText(), "Proved, operator's word only");
  const steps = await page.locator('#result li').allInnerTexts();
  assert.ok(steps.length > 0 && steps.every((step) => step.startsWith('✓')), steps.join('\n'));
  assert.equal(asked.length, 1, asked.join());
  assert.deepEqual(complaints, []);
});

function countPages(pdf: Buffer): number {
  return pdf.toString('latin1').match(/\/Type\s*\/Page\b(?!s)/g)?.length ?? 0;
}

/** The report of a case of so many lots, as long and as hostile in words as it gets. */
function printed(lots: number, words: 'ordinary' | 'long'): string {
  const report = sampleReport(lots);
  const long = {
    ...report,
    title: LONG,
    reason: `${LONG} ${HOSTILE}`,
    lots: whole(report.lots.items.map((lot) => ({ ...lot, lotCode: LONG, productSku: LONG }))),
    customers: whole(
      report.customers.items.map((one) => ({ ...one, customerRef: LONG, channels: [LONG] })),
    ),
    shipments: whole(
      report.shipments.items.map((one) => ({
        ...one,
        location: LONG,
        reference: LONG,
        lotCode: LONG,
        unit: 'W'.repeat(20),
      })),
    ),
  };
  return [...reportPage(words === 'long' ? long : report).pieces()].join('');
}

for (const { format, width } of PAPERS) {
  for (const [lots, [pagesMin, pagesMax]] of PAGES_OF) {
    test(`a report of ${lots} lots prints on ${format}, with nothing beyond its edge`, async () => {
      await using opened = await open('about:blank', width);
      const { page } = opened;
      await page.emulateMedia({ media: 'print' });
      await page.setContent(printed(lots, 'ordinary'));

      const overflow = await findOverflow(page);
      const pdf = await page.pdf({ format });

      assert.deepEqual(overflow, []);
      const pages = countPages(pdf);
      assert.ok(pages >= pagesMin && pages <= pagesMax, `${pages} pages`);
    });
  }

  test(`words without an end break within the columns of the report on ${format}`, async () => {
    await using opened = await open('about:blank', width);
    const { page } = opened;
    await page.emulateMedia({ media: 'print' });
    await page.setContent(printed(3, 'long'));

    assert.deepEqual(await findOverflow(page), []);
  });
}

test('on paper the head of a table is on each page, and no row is cut in two', async () => {
  await using opened = await open('about:blank', PAPERS[0].width);
  const { page } = opened;
  await page.emulateMedia({ media: 'print' });
  await page.setContent(printed(60, 'ordinary'));

  const styles: unknown = await page.evaluate(`(() => {
    const of = (selector, property) => [
      ...new Set([...document.querySelectorAll(selector)].map((one) => getComputedStyle(one)[property])),
    ];
    return [of('thead', 'display'), of('tr', 'breakInside'), of('figure', 'breakInside')];
  })()`);

  assert.deepEqual(styles, [['table-header-group'], ['avoid'], ['avoid']]);
});

for (const width of WIDTHS) {
  const paths = [
    ['the report', () => `/v1/recall/cases/${caseNo}/report`],
    ['the page of a recalled lot', () => '/lot/BREAD-1?brand=bakery'],
    ['the page of a lot code of two brands', () => '/lot/BREAD-1'],
    ['the page of recalls', () => '/recalls'],
    ['the page of one recall', () => `/recalls/${caseNo}`],
    ['the style guide', () => '/styleguide'],
    ['the list of endpoints', () => '/docs'],
    ['the page of an endpoint', () => '/docs/postEvent'],
    ['the page of an endpoint with many shapes', () => '/docs/verifyLot'],
  ] as const;
  for (const [name, buildPath] of paths) {
    test(`${name} is whole and open to everybody at ${width} px, and loads nothing from elsewhere`, async () => {
      await using opened = await open(hub.base + buildPath(), width);
      const { page, asked, complaints } = opened;

      const overflow = await findOverflow(page);
      const scripts: unknown = await page.evaluate(
        "[...document.scripts].filter((one) => one.type !== 'module' || one.text !== '').length",
      );
      const violations = await findViolations(page);

      assert.deepEqual(overflow, []);
      assert.deepEqual(violations, []);
      assert.equal(scripts, 0);
      assert.deepEqual(complaints, []);
      assert.deepEqual(
        asked.filter((url) => !url.startsWith(hub.base)),
        [],
      );
    });
  }
}

test('a page for an address without one is whole and open to everybody on a telephone', async () => {
  await using opened = await open(`${hub.base}/none/${LONG}`, WIDTHS[0]);
  const { page } = opened;

  assert.deepEqual(await findOverflow(page), []);
  assert.deepEqual(await findViolations(page), []);
});

test('on a telephone the recall of a shared lot code is seen before the brands, without scrolling', async () => {
  await using opened = await open(`${hub.base}/lot/BREAD-1`, WIDTHS[0]);
  const { page } = opened;

  const [recall = 0, brands = 0] = await Promise.all(
    ['.notice h3', '.choices'].map(async (part) => (await page.locator(part).boundingBox())?.y),
  );

  assert.ok(recall > 0 && recall < HEIGHT, String(recall));
  assert.ok(recall < brands, `${recall} ${brands}`);
});

test('the page of a lot whose block was changed is whole and open to everybody on a telephone', async () => {
  await using broken = await boot();
  await new RecallTenant(broken, bakery.id).receive('FLOUR-1');
  await tamper(
    broken.database,
    "update blocks set canonical = replace(canonical, 'FLOUR-1', 'FLOUR-2') where height = 1",
  );

  await using opened = await open(`${broken.base}/lot/FLOUR-1`, WIDTHS[0]);
  const { page } = opened;

  assert.deepEqual(await findOverflow(page), []);
  assert.deepEqual(await findViolations(page), []);
  assert.equal(await page.locator('.verdict.good').count(), 0);
});
