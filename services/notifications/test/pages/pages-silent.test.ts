// Pages whose connection is dead although its socket is open, in a real Chromium: a proxy holds it and
// forwards nothing. The page notices by the beats that are missing, says so, and comes back by itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { Browser, Page } from 'playwright-core';
import { boot, type Booted } from '../boot.ts';
import { browse, issueKey, postWith, readTitles, untilChip, untilEqual } from './browsing.ts';
import type { Browsing } from './browsing.ts';
import { newGroup, newPerson } from '../people/person.ts';
import { StallingProxy } from '../stream/stalling-proxy.ts';

const BEAT_MS = 400;
/** The clock of a page is held so far ahead: asking for it takes less, also of a busy machine. */
const HALT_AHEAD_MS = 20_000;
/** A page calls a break offline after some seconds; its clock is moved on by this. */
const LONG_BREAK_MS = 30_000;
/** Far more silence than a page bears, if beats did not count. */
const BEATS = 8;

let browser: Browser;
let inbox: Booted;

before(async () => {
  [browser, inbox] = await Promise.all([launchBrowser(), boot({ beatMs: BEAT_MS })]);
});

after(async () => {
  await browser.close();
  await inbox[Symbol.asyncDispose]();
});

interface Opened extends AsyncDisposable {
  readonly browsing: Browsing;
  readonly page: Page;
  readonly proxy: StallingProxy;
  /** Streams that the page has opened. */
  readonly streams: () => number;
  post(title: string): Promise<void>;
}

/** A page of a group that is live through a proxy, with a clock of its own. */
async function openThroughProxy(): Promise<Opened> {
  const ada = await newPerson(inbox);
  const groupId = await newGroup(ada, 'Ovens');
  const key = await issueKey(ada, groupId);
  const proxy = await StallingProxy.open(inbox.base);
  const browsing = await browse(browser, { base: proxy.base, person: ada });
  const { page } = browsing;
  let streams = 0;
  page.on('request', (request) => {
    if (request.url().includes('/api/v1/stream')) streams += 1;
  });
  await page.addInitScript(`
    window.beats = 0;
    window.EventSource = class extends EventSource {
      constructor(url) {
        super(url);
        this.addEventListener('beat', () => (window.beats += 1));
      }
    };`);
  await page.clock.install();
  await page.goto(`/inbox/groups/${groupId}`);
  await untilChip(page, /Live/);
  return {
    browsing,
    page,
    proxy,
    streams: () => streams,
    post: async (title) => {
      assert.equal(await postWith(inbox.base, key, { title }), 201);
    },
    [Symbol.asyncDispose]: async () => {
      await browsing[Symbol.asyncDispose]();
      proxy[Symbol.dispose]();
    },
  };
}

/** Holds the clock of a page: from here on time passes for it when the test says so. */
async function holdClock(page: Page): Promise<void> {
  // Time passes for the page until it has to stop, and no clock runs backwards.
  await page.clock.pauseAt(await page.evaluate<number>(`Date.now() + ${HALT_AHEAD_MS}`));
  // It may have passed over more silence than the page bears.
  await untilEqual(async () => {
    await page.clock.runFor(BEAT_MS / 2);
    return await page.locator('#chip').innerText();
  }, 'Live');
}

test('a page behind a proxy that forwards nothing says so, comes back, and has missed nothing', async () => {
  await using open = await openThroughProxy();
  const { page, proxy, browsing } = open;
  await open.post('Before');
  await untilEqual(() => readTitles(page), ['Before']);

  proxy.stall();
  for (const title of ['One', 'Two', 'Three']) await open.post(title);
  await untilChip(page, /Reconnecting/);
  await page.clock.fastForward(LONG_BREAK_MS);
  await untilChip(page, /Offline since \d/);
  proxy.resume();

  await page.locator('#chip', { hasText: /Live/ }).waitFor({ timeout: PATIENCE_MS });
  await open.post('After');
  await untilEqual(() => readTitles(page), ['After', 'Three', 'Two', 'One', 'Before']);
  await untilEqual(() => page.title(), '(5) Ovens');
  assert.deepEqual(browsing.complaints, []);
});

test('a page on another network opens its stream anew at once, and has missed nothing', async () => {
  await using open = await openThroughProxy();
  const { page, proxy, browsing } = open;
  await holdClock(page);
  const streamsBefore = open.streams();
  proxy.stall();
  await open.post('One');
  proxy.resume();

  await page.evaluate(`dispatchEvent(new Event('online'))`);

  await untilEqual(async () => open.streams(), streamsBefore + 1);
  await page.clock.resume();
  await untilEqual(() => readTitles(page), ['One'], PATIENCE_MS);
  await untilChip(page, /Live/);
  assert.deepEqual(browsing.complaints, []);
});

test('a page that is looked at again opens its stream anew when a beat is missing, and only then', async () => {
  await using open = await openThroughProxy();
  const { page, proxy, browsing } = open;
  const showAgain = () => page.evaluate(`document.dispatchEvent(new Event('visibilitychange'))`);
  await holdClock(page);
  const streamsBefore = open.streams();
  await page.clock.runFor(BEAT_MS / 2);
  await showAgain();
  proxy.stall();
  await open.post('One');
  proxy.resume();
  const streamsMeanwhile = open.streams();

  await page.clock.runFor(1.25 * BEAT_MS);
  await showAgain();

  await untilChip(page, /Reconnecting/);
  await page.clock.resume();
  await untilEqual(() => readTitles(page), ['One'], PATIENCE_MS);
  assert.equal(streamsMeanwhile, streamsBefore);
  assert.deepEqual(browsing.complaints, []);
});

test('a page whose stream beats stays on it, however long nothing is posted', async () => {
  await using open = await openThroughProxy();
  const { page, browsing } = open;
  const beats = () => page.evaluate<number>('window.beats');
  await holdClock(page);
  const streamsBefore = open.streams();

  for (let step = 0; step < BEATS; step += 1) {
    const heard = await beats();
    await untilEqual(async () => (await beats()) > heard, true);
    await page.clock.runFor(1.5 * BEAT_MS);
  }

  await untilChip(page, /Live/);
  assert.equal(open.streams(), streamsBefore);
  assert.deepEqual(browsing.complaints, []);
});
