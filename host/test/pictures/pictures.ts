// The pictures of the README and the documents, taken of a hub with the data of the demo by the Chromium that
// the tests use, and the icons of both services as PNG. They show what there is: nothing in them is drawn by hand.
// With `--all FOLDER`: pictures of each kind of page that the console has, to look at, and nothing else.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ICON_PIXELS } from '@lothub/design/manifest';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page, PageScreenshotOptions } from 'playwright-core';
import { sendForms } from './answers.ts';
import { findKindsOfPages } from './console-pages.ts';
import { BRAND, CONSOLE_STARTS, addWork, inviteTeam, openRecall } from './demo-console.ts';
import { startDemoHub } from './demo-hub.ts';
import { fillInbox } from './demo-inbox.ts';

const ROOT = new URL('../../../', import.meta.url);
const IMAGES = new URL('docs/images/', ROOT);

const ICONS = [
  [
    'services/traceability/src/web/icon.svg',
    'services/traceability/src/web/site/icon-192.png',
    ICON_PIXELS,
  ],
  [
    'services/notifications/src/web/icon.svg',
    'services/notifications/src/web/icon-192.png',
    ICON_PIXELS,
  ],
  [
    'services/notifications/src/web/icon.svg',
    'services/notifications/src/web/app/icon-512.png',
    512,
  ],
  [
    'services/notifications/src/web/app/maskable.svg',
    'services/notifications/src/web/app/maskable-192.png',
    192,
  ],
  [
    'services/notifications/src/web/app/maskable.svg',
    'services/notifications/src/web/app/maskable-512.png',
    512,
  ],
  [
    'services/notifications/src/web/app/badge.svg',
    'services/notifications/src/web/app/badge-96.png',
    96,
  ],
] as const;

const LOT_SIZE = { width: 860, height: 1_300 };
const DESK_SIZE = { width: 1_200, height: 800 };
const SIGHTS = [
  { suffix: '', viewport: DESK_SIZE, colorScheme: 'light' },
  { suffix: '-phone', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const;
/** A4 at 96 pixels an inch. */
const SHEET_SIZE = { width: 794, height: 1_123 };
const SHEET_MARGIN = 48;
/** Of one picture. */
const TRIES_MAX = 3;
const BETWEEN_SHEETS = 16;

await using hub = await startDemoHub();
await using browser = await launchBrowser();
const { values } = parseArgs({ options: { all: { type: 'string' } } });
if (values.all === undefined) {
  await takeLotPage();
  await takeReport();
  await takeDesk();
  await takeIcons();
} else {
  await takeConsole(values.all);
}

async function takeLotPage(): Promise<void> {
  await using context = await browser.newContext({ viewport: LOT_SIZE, locale: 'en' });
  const page = await context.newPage();
  await page.goto(`${hub.base}/lot/CAKE-0302?brand=haverfield`);
  save(new URL('lot-page.png', IMAGES), await shoot(page));
}

/** Two sheets side by side: what is recalled, and the genealogy. */
async function takeReport(): Promise<void> {
  const caseNo = await openRecall(hub);
  const context = await browser.newContext({
    viewport: SHEET_SIZE,
    extraHTTPHeaders: { 'X-Api-Key': hub.tenantKey, 'X-Tenant-Id': BRAND },
  });
  await using page = await context.newPage();
  await page.emulateMedia({ media: 'print' });
  await page.goto(`${hub.base}/v1/recall/cases/${caseNo}/report`);
  // On paper the printer leaves a margin around each sheet.
  await page.evaluate(`document.body.style.paddingBlock = '${SHEET_MARGIN}px'`);
  const first = await shoot(page);
  await page.evaluate(
    `document.querySelector('#genealogy').scrollIntoView(); scrollBy(0, -${SHEET_MARGIN / 2})`,
  );
  const second = await shoot(page);
  save(new URL('recall-report.png', IMAGES), await sideBySide(browser, [first, second]));
}

async function sideBySide(browser: Browser, sheets: readonly Buffer[]): Promise<Buffer> {
  const width = sheets.length * (SHEET_SIZE.width + BETWEEN_SHEETS) + BETWEEN_SHEETS;
  const height = SHEET_SIZE.height + 2 * BETWEEN_SHEETS;
  await using page = await browser.newPage({ viewport: { width, height } });
  const images = sheets.map((png) => `<img src="data:image/png;base64,${png.toString('base64')}">`);
  await page.setContent(
    `<style>body{display:flex;gap:${BETWEEN_SHEETS}px;margin:${BETWEEN_SHEETS}px;background:#b8b8b8}</style>` +
      images.join(''),
  );
  return await shoot(page);
}

/** Of the inbox and of the console, for one person. */
async function takeDesk(): Promise<void> {
  await using context = await browser.newContext({
    viewport: DESK_SIZE,
    baseURL: hub.base,
    locale: 'en',
  });
  const page: Page = await context.newPage();
  await fillInbox(page, hub.setupLink);
  await page.goto('/inbox');
  await page.getByText('Live', { exact: true }).waitFor();
  save(new URL('inbox.png', IMAGES), await shoot(page));
  await inviteTeam(page);
  save(new URL('console.png', IMAGES), await shoot(page));
}

/** Each kind of page and of answer, wide and light, and on a telephone in the dark. */
async function takeConsole(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const into = pathToFileURL(`${folder}/`);
  await using context = await browser.newContext({
    viewport: DESK_SIZE,
    baseURL: hub.base,
    locale: 'en',
  });
  const page = await context.newPage();
  await fillInbox(page, hub.setupLink);
  await inviteTeam(page);
  await addWork(page, hub);
  const kinds = await findKindsOfPages(page, CONSOLE_STARTS);
  for (const { name, path } of kinds) {
    for (const { suffix, viewport, colorScheme } of SIGHTS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(path);
      save(new URL(`${name}${suffix}.png`, into), await shoot(page, { fullPage: true }));
    }
  }
  for await (const name of sendForms(page, kinds)) {
    for (const { suffix, viewport, colorScheme } of SIGHTS) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const file = new URL(`answer-${name}${suffix}.png`, into);
      save(file, await shoot(page, { fullPage: true }));
    }
  }
}

async function takeIcons(): Promise<void> {
  for (const [svg, png, pixels] of ICONS) {
    await using page = await browser.newPage({ viewport: { width: pixels, height: pixels } });
    const drawing = readFileSync(new URL(svg, ROOT), 'utf8');
    await page.setContent(`<style>body{margin:0}svg{display:block}</style>${drawing}`);
    save(new URL(png, ROOT), await shoot(page, { omitBackground: true }));
  }
}

/** Chromium fails now and then where it has little memory: the next try succeeds. */
async function shoot(page: Page, options: PageScreenshotOptions = {}): Promise<Buffer> {
  for (let left = TRIES_MAX; ; left -= 1) {
    try {
      return await page.screenshot(options);
    } catch (error) {
      if (left <= 1) throw error;
    }
  }
}

function save(file: URL, png: Buffer): void {
  writeFileSync(file, png);
  console.log(`${fileURLToPath(file)}: ${png.length} bytes`);
}
