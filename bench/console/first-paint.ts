// When somebody sees something of a page over a slow line: Chromium with an empty cache, 1.6 Mbit/s and a round trip
// of 150 ms, and the hub without a proxy, which sends what it has uncompressed.
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Browser } from 'playwright-core';
import type { Figures } from '../kit/figures.ts';
import { median } from '../kit/report.ts';
import type { MeasuredPage } from './pages.ts';

const ROUND_TRIP_MS = 150;
const BITS_PER_SECOND = 1_600_000;
const BITS_PER_BYTE = 8;
/** Chromium delays requests and no handshake: one round trip of TCP and one of TLS 1.3 are added. */
const HANDSHAKE_MS = 2 * ROUND_TRIP_MS;
const ROUNDS = 5;
const FIRST_PAINT_MS = 1_500;
const MEASURED: ReadonlySet<string> = new Set(['today', 'lot', 'genealogy', 'case']);

/** @param options `cookie`: of somebody who is logged in */
export async function measureFirstPaint(options: {
  readonly address: string;
  readonly cookie: string;
  readonly pages: readonly MeasuredPage[];
  readonly figures: Figures;
}): Promise<void> {
  const { address, cookie, pages, figures } = options;
  const browser = await launchBrowser();
  try {
    for (const { name, paths } of pages.filter((page) => MEASURED.has(page.name))) {
      const times: number[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const url = address + (paths[round % paths.length] ?? '');
        times.push(HANDSHAKE_MS + (await firstPaint(browser, url, cookie)));
      }
      figures.add({
        name: `${name}, first paint at 1.6 Mbit/s and 150 ms`,
        value: median(times),
        unit: 'ms',
        target: { kind: 'at_most', value: FIRST_PAINT_MS },
      });
    }
  } finally {
    await browser.close();
  }
}

/** Milliseconds from the beginning of the navigation until text or a picture is painted. */
async function firstPaint(browser: Browser, url: string, cookie: string): Promise<number> {
  const context = await browser.newContext();
  try {
    const [name = '', value = ''] = cookie.split('=', 2);
    await context.addCookies([{ name, value, url }]);
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: ROUND_TRIP_MS,
      downloadThroughput: BITS_PER_SECOND / BITS_PER_BYTE,
      uploadThroughput: BITS_PER_SECOND / BITS_PER_BYTE,
    });
    const answer = await page.goto(url, { waitUntil: 'load' });
    if (answer?.ok() !== true) throw new Error(`${url} was answered ${String(answer?.status())}`);
    const paint = await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
    );
    return Number(await paint.jsonValue());
  } finally {
    await context.close();
  }
}
