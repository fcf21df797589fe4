// Every kind of page that the console has, of a hub with the data of the demo: by keyboard alone; and what its forms
// answer, on a telephone in the dark.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import { openForFile } from '@lothub/kit/test/open-for-file';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { sendForms } from './pictures/answers.ts';
import { findKindsOfPages } from './pictures/console-pages.ts';
import { CONSOLE_STARTS, addWork, inviteTeam } from './pictures/demo-console.ts';
import { startDemoHub } from './pictures/demo-hub.ts';
import { fillInbox } from './pictures/demo-inbox.ts';
import { findKeyboardFaults } from './pictures/keyboard.ts';

const PHONE = { width: 360, height: 740 };
const DESK = { width: 1_280, height: 800 };
/** The drawing of a genealogy is one stop of Tab; from there arrows and Enter do the rest (its own story). */
const BY_OTHER_KEYS = '.genealogy-view *, .genealogy-chosen button';
/** There are some more of both. */
const KINDS_MIN = 45;
const ANSWERS_MIN = 30;

const hub = await openForFile(startDemoHub());
const browser = await openForFile(launchBrowser());

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ baseURL: hub.base, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return await context.newPage();
}

const first = await newPage({ viewport: DESK, locale: 'en' });
await fillInbox(first, hub.setupLink);
await inviteTeam(first);
await addWork(first, hub);
const storageState = await first.context().storageState();
const kinds = await findKindsOfPages(first, CONSOLE_STARTS);

test('every page is gone through with Tab alone, in its order, and the focus is seen all the way', async () => {
  const faults: string[] = [];
  for (const [index, { name, path }] of kinds.entries()) {
    await first.setViewportSize(index % 2 === 0 ? DESK : PHONE);
    await first.goto(path);
    await first.evaluate(
      "document.querySelectorAll('main details').forEach((one) => { one.open = true; })",
    );
    const found = await findKeyboardFaults(first, { byOtherKeys: BY_OTHER_KEYS });
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }

  assert.deepEqual(faults, []);
  assert.ok(kinds.length >= KINDS_MIN, kinds.map(({ name }) => name).join(' '));
});

test('what forms answer is whole on a telephone in the dark, in German', async () => {
  const page = await newPage({
    ...{ viewport: PHONE, locale: 'de', colorScheme: 'dark', storageState },
  });
  const faults: string[] = [];
  const answers: string[] = [];
  for await (const name of sendForms(page, kinds)) {
    answers.push(name);
    const found = [...(await findOverflow(page)), ...(await findViolations(page))];
    faults.push(...found.map((fault) => `${name}: ${fault}`));
  }

  assert.deepEqual(faults, []);
  assert.ok(answers.length >= ANSWERS_MIN, answers.join(' '));
});
