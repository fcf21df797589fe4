// One real Chromium for tests of pages: the one that comes with the development dependencies, or, where
// that one does not run, the one of the system.
import { createReadStream, createWriteStream, existsSync, readFileSync } from 'node:fs';
import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { createBrotliDecompress } from 'node:zlib';
import { chromium, type Browser, type Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.ts';

const PACKAGE = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '..');
/** The browser as it is packed, and its unpacked folder; `npm ci` takes both away together. */
const PACKED = join(PACKAGE, 'bin', 'chromium.br');
const UNPACKED = join(PACKAGE, 'bin', 'chromium');
const SYSTEM = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];
/** Tests run as root as well, where Chromium refuses its own sandbox; the pages are ours. */
const ARGS = ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'];

/**
 * @throws Error that says in plain words what was tried and what to install
 */
export async function launchBrowser(): Promise<Browser> {
  const tried: string[] = [];
  for (const find of [unpacked, ...SYSTEM.map((path) => () => Promise.resolve(path))]) {
    try {
      const executablePath = await find();
      if (!existsSync(executablePath)) continue;
      return await chromium.launch({ executablePath, args: ARGS, timeout: PATIENCE_MS });
    } catch (error) {
      tried.push(error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error));
    }
  }
  throw new Error(
    'No Chromium runs here, so the pages cannot be tested. The one of the development dependencies ' +
      'is for Linux on x64 and needs libnss3 (apt-get install libnss3); any other system needs its ' +
      `own (apt-get install chromium). Tried: ${tried.join('; ') || 'none is installed'}`,
  );
}

/** Unpacks the browser once, some seconds. Whoever is killed meanwhile leaves no half of it. */
async function unpacked(): Promise<string> {
  if (existsSync(UNPACKED)) return UNPACKED;
  const folder = join(PACKAGE, 'bin', `unpacking-${process.pid}`);
  await mkdir(folder, { recursive: true });
  try {
    const file = join(folder, 'chromium');
    await pipeline(createReadStream(PACKED), createBrotliDecompress(), createWriteStream(file));
    await chmod(file, 0o755);
    await rename(file, UNPACKED);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return UNPACKED;
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

/** What axe finds against WCAG 2.2 AA and its own best practices: rule, and where it is broken. */
export async function findViolations(page: Page): Promise<readonly string[]> {
  // Not as a script of the page: its policy allows none.
  await page.evaluate(AXE);
  const found: unknown = await page.evaluate(
    'axe.run(document).then(({ violations }) => violations.flatMap(({ id, nodes }) => ' +
      'nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`)))',
  );
  return toTexts(found);
}

/**
 * Elements that reach beyond the right edge of the page, or hold more than they show. What scrolls by
 * itself may, and what is there for screen readers alone.
 */
export async function findOverflow(page: Page): Promise<readonly string[]> {
  const found: unknown = await page.evaluate(`(() => {
    const width = document.documentElement.clientWidth;
    const scrolls = (element) => {
      for (let at = element; at; at = at.parentElement) {
        const { overflowX, clipPath } = getComputedStyle(at);
        if (/auto|scroll/.test(overflowX) || clipPath === 'inset(50%)') return true;
      }
      return false;
    };
    return [...document.querySelectorAll('body *')]
      .filter((element) => !element.closest('svg') || element.localName === 'svg')
      .filter((element) => element.className !== 'skip' && !scrolls(element))
      .filter((element) => {
        const { right, left } = element.getBoundingClientRect();
        const isCell = /^(td|th)$/.test(element.localName);
        return right > width + 1 || left < -1 || (isCell && element.scrollWidth > element.clientWidth + 1);
      })
      .map((element) => element.outerHTML.slice(0, 200));
  })()`);
  return toTexts(found);
}

export function toTexts(found: unknown): readonly string[] {
  if (!Array.isArray(found)) throw new Error(`not a list: ${JSON.stringify(found)}`);
  return found.map(String);
}
