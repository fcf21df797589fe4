// A person's real Chromium on pages of the console: opening it, looking whether pages are whole, going by keyboard.
import assert from 'node:assert/strict';
import { findOverflow, findViolations } from '@lothub/kit/test/browser';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import type { TestVisitor } from './visitors.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1_280, height: 800 };
/** Each width and each scheme of colours once for every page; which go together changes from page to page. */
const SIGHTS = [
  [
    { colorScheme: 'dark', viewport: PHONE },
    { colorScheme: 'light', viewport: DESK },
  ],
  [
    { colorScheme: 'light', viewport: PHONE },
    { colorScheme: 'dark', viewport: DESK },
  ],
] as const;

export interface Browsing extends AsyncDisposable {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly complaints: readonly string[];
}

export async function browse(
  browser: Browser,
  base: string,
  options: BrowserContextOptions & { readonly person?: TestVisitor } = {},
): Promise<Browsing> {
  const { person, ...contextOptions } = options;
  const context = await browser.newContext({ baseURL: base, locale: 'en', ...contextOptions });
  context.setDefaultTimeout(PATIENCE_MS);
  if (person !== undefined) {
    const [name = '', value = ''] = (person.headers['Cookie'] ?? '').split('=');
    await context.addCookies([{ name, value, url: base }]);
  }
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    // A page that is refused says so in its status, which Chromium complains of.
    if (!/Failed to load resource/.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  return { page, context, complaints, [Symbol.asyncDispose]: () => context.close() };
}

/**
 * Looks at pages on a telephone and on a wide screen, one of them in the dark, in German, with all that opens opened:
 * nothing reaches beyond its place, axe finds nothing, and nothing is complained of.
 */
export async function assertWhole(
  browser: Browser,
  base: string,
  {
    person,
    paths,
    language = 'de',
  }: {
    readonly person?: TestVisitor;
    readonly paths: readonly string[];
    readonly language?: string;
  },
): Promise<void> {
  await using browsing = await browse(browser, base, person === undefined ? {} : { person });
  const { page } = browsing;
  for (const [index, path] of paths.entries()) {
    for (const { colorScheme, viewport } of SIGHTS[index % 2 === 0 ? 0 : 1]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      await page.goto(`${path}${path.includes('?') ? '&' : '?'}lang=${language}`);
      const where = `${path} ${colorScheme} ${viewport.width}`;
      await page.evaluate(
        "document.querySelectorAll('details').forEach((one) => { one.open = true; })",
      );
      assert.deepEqual(await findOverflow(page), [], where);
      assert.deepEqual(await findViolations(page), [], where);
    }
  }
  assert.deepEqual(browsing.complaints, []);
}

/** Presses Tab until the element of these words has the focus. */
export async function tabTo(page: Page, words: string): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = String(await page.evaluate('document.activeElement.textContent'));
    if (focused.replace(/\s+/g, ' ').trim() === words) return;
  }
  assert.fail(`no element "${words}" gets the focus`);
}
