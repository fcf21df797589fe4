// From a post until it is painted in a real browser that has the inbox open, beside a second one.
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page } from 'playwright-core';
import type { DatabaseServer } from '../kit/database-server.ts';
import { summarizeLatencies } from '../kit/load.ts';
import { fillGroup } from './fill.ts';
import { startNotifyHub, type NotifyHub } from './child.ts';
import type { Figure } from '../kit/report.ts';

/** docs/performance.md#notifications */
const VISIBLE_P95_MS = 300;
const POSTS = 100;
/** Not in step with anything that a page does at intervals. */
const PAUSE_MS = 137;
const FIRST_PAGE_ROWS = 60;
const ARRIVAL_MAX_MS = 10_000;
const LOOK_EVERY_MS = 20;

/**
 * Run in the page: notes when a title of ours was painted, by the clock that the benchmark posts by. Two
 * frames, because the first callback runs before the frame with the change is painted.
 */
const WATCH = `
  globalThis.seenAt = {};
  const note = () => {
    for (const [title] of document.body.textContent.matchAll(/bench-\\d+-end/g)) {
      if (globalThis.seenAt[title] !== undefined) continue;
      globalThis.seenAt[title] = 0;
      requestAnimationFrame(() => requestAnimationFrame(() => {
        globalThis.seenAt[title] = performance.timeOrigin + performance.now();
      }));
    }
  };
  new MutationObserver(note).observe(document.body, { childList: true, subtree: true });
`;

export async function benchNotifyBrowser(options: {
  readonly dir: string;
  readonly server: DatabaseServer | undefined;
}): Promise<readonly Figure[]> {
  await using hub = await startNotifyHub({
    dataDir: join(options.dir, 'browser'),
    databaseUrl: (await options.server?.createDatabase())?.url,
  });
  const { address } = hub.services[0];
  const title = (n: number): string => JSON.stringify({ title: `Line 4: before ${n}` });
  await fillGroup({ address, count: FIRST_PAGE_ROWS, body: title });
  await using browser = await launchBrowser();
  const other = await openInbox(browser, hub);
  const watched = await openInbox(browser, hub);
  await watched.evaluate(WATCH);
  const waits: number[] = [];
  for (let n = 0; n < POSTS; n += 1) waits.push(await postAndSee({ address, page: watched, n }));
  const shown = await other.evaluate('document.body.textContent.includes("bench-0-end")');
  if (shown !== true) throw new Error('the other browser did not show what was posted');
  const { p50Ms, p95Ms } = summarizeLatencies(waits);
  return [
    { name: 'post to painted in a second browser, p50', value: p50Ms, unit: 'ms' },
    {
      name: 'post to painted in a second browser, p95',
      value: p95Ms,
      unit: 'ms',
      target: { kind: 'at_most', value: VISIBLE_P95_MS },
    },
  ];
}

async function openInbox(browser: Browser, hub: NotifyHub): Promise<Page> {
  const { address } = hub.services[0];
  const context = await browser.newContext();
  const [name = '', value = ''] = hub.cookie.split('=');
  await context.addCookies([{ name, value, url: address }]);
  const page = await context.newPage();
  await page.goto(`${address}/inbox/groups/${hub.groupId}`);
  await page.getByText('Live', { exact: true }).first().waitFor();
  return page;
}

async function postAndSee(options: {
  readonly address: string;
  readonly page: Page;
  readonly n: number;
}): Promise<number> {
  const { address, page, n } = options;
  const title = `bench-${n}-end`;
  await setTimeout(PAUSE_MS);
  const postedAt = performance.timeOrigin + performance.now();
  await fillGroup({ address, count: 1, body: () => JSON.stringify({ title }) });
  const deadline = performance.now() + ARRIVAL_MAX_MS;
  while (performance.now() < deadline) {
    // Asked from outside: the policy of the page lets nothing be evaluated in it again and again.
    const seenAt = Number(await page.evaluate(`globalThis.seenAt[${JSON.stringify(title)}] ?? 0`));
    if (seenAt > 0) return seenAt - postedAt;
    await setTimeout(LOOK_EVERY_MS);
  }
  throw new Error(`${title} was not shown within ${ARRIVAL_MAX_MS} ms`);
}
