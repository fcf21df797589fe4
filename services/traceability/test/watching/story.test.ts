// The story of somebody who wants to be notified, in a real Chromium: from the page of a lot to the mail's link, to the
// recall, to the end; on a telephone and on a desk, in five languages; and the same on the device itself.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LANGUAGES } from '@lothub/languages';
import { startPushService, type PushService } from '@lothub/delivery/test/push-service';
import { findOverflow, findViolations, launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, Page } from 'playwright-core';
import { RecallTenant } from '../recall/tenant.ts';
import { bootWatched, linkIn, mailsTo, until, type WatchedHub } from './watching.ts';

const WIDTHS = [360, 1_280] as const;
const HEIGHT = 900;

let watched: WatchedHub;
let service: PushService;
let browser: Browser;
before(async () => {
  [browser, watched, service] = await Promise.all([
    launchBrowser(),
    bootWatched(),
    startPushService(),
  ]);
});
after(async () => {
  await browser.close();
  await watched[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

interface Reading extends AsyncDisposable {
  readonly page: Page;
  readonly complaints: readonly string[];
}

async function openAs(
  options: { readonly language?: string; readonly width?: number; readonly scripts?: boolean } = {},
): Promise<Reading> {
  const { language = 'en', width = 1_280, scripts = true } = options;
  const context = await browser.newContext({
    locale: language,
    viewport: { width, height: HEIGHT },
    javaScriptEnabled: scripts,
    baseURL: watched.hub.base,
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  return { page, complaints, [Symbol.asyncDispose]: () => context.close() };
}

async function assertSound({ page, complaints }: Reading): Promise<void> {
  assert.deepEqual(await findOverflow(page), []);
  const isEnglish = (await page.locator('html').getAttribute('lang')) === 'en';
  if (isEnglish) assert.deepEqual(await findViolations(page), []);
  assert.deepEqual(complaints, []);
}

test('from the page of a lot to the end of it, by mail and without a script of ours', async () => {
  const { hub, sink } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await using reading = await openAs({ scripts: false, width: 360 });
  const { page } = reading;
  const email = 'anna@mail.example';

  await page.goto(`/lot/FLOUR?brand=${tenant.id}`);
  await page.getByText('Tell me if this is recalled').click();
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: 'Send me a link to confirm' }).click();
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor();
  await until('the mail', () => mailsTo(sink, email).length === 1);
  await page.goto(linkIn(mailsTo(sink, email)[0]!, '/watch/confirm'));
  await page.getByRole('button', { name: 'Yes, notify me' }).click();
  await page.getByRole('heading', { name: 'You will get recall alerts' }).waitFor();
  await tenant.open('FLOUR', { severity: 'class_i' });
  await until('the recall', () => mailsTo(sink, email).length === 2);
  await page.goto(linkIn(mailsTo(sink, email)[1]!, '/watch/end'));
  await page.getByRole('button', { name: 'Stop alerts' }).click();
  await page.getByRole('heading', { name: 'It has ended' }).waitFor();

  const rows = await hub.database.rows(`select id from watches where address = '${email}'`);
  assert.deepEqual(rows, []);
});

for (const language of LANGUAGES) {
  // What is longer sticks out first where there is little room; all else is the same in every language.
  const widths = language === 'en' ? WIDTHS : [WIDTHS[0]];
  test(`each page of it is sound on a screen of ${widths.join(' and ')}, in ${language}`, async () => {
    const { hub, sink } = watched;
    const tenant = new RecallTenant(hub);
    await tenant.receive('FLOUR');
    const email = `reader@${language}.example`;
    for (const width of widths) {
      await using reading = await openAs({ language, width });
      const { page } = reading;
      const own = `${width}-${email}`;

      await page.goto(`/lot/FLOUR?brand=${tenant.id}`);
      await page.locator('details:has(form.watch) > summary').click();
      await assertSound(reading);
      await page.locator('#watch-email').fill(own);
      await page.locator('form.watch button[type=submit]').click();
      await page.waitForURL('**/watch/asked');
      await assertSound(reading);
      await until('the mail', () => mailsTo(sink, own).length === 1);
      await page.goto(linkIn(mailsTo(sink, own)[0]!, '/watch/confirm'));
      await assertSound(reading);
      await page.locator('form.watch button').click();
      await page.locator('main .lead').waitFor();
      await assertSound(reading);
      await page.goto('/watch');
      await assertSound(reading);
      await page.locator('#watch-email').fill(own);
      await page.locator('form.watch button').click();
      await page.waitForURL('**/watch/listed');
      await until('the link', () => mailsTo(sink, own).length === 2);
      await page.goto(linkIn(mailsTo(sink, own)[1]!, '/watch/list'));
      await assertSound(reading);
      await page.locator('form.watch button').last().click();
      await page.locator('main .lead').waitFor();
      await assertSound(reading);
    }
  });
}

test('a device is asked by its browser, notified by its worker, and ended on the page', async () => {
  const { hub } = watched;
  const tenant = new RecallTenant(hub);
  await tenant.receive('FLOUR');
  await using reading = await openAs({ width: 360 });
  const { page } = reading;
  const context = page.context();
  await context.grantPermissions(['notifications'], { origin: hub.base });
  const device = service.newBrowser();
  const { endpoint, p256dh, auth } = device.subscription;
  // No push service of the browser's maker is within reach of a test: its answer is ours, all else is real.
  await context.addInitScript(`
    const subscription = {
      toJSON: () => (${JSON.stringify({ endpoint, expirationTime: null, keys: { p256dh, auth } })}),
    };
    let subscribed = null;
    PushManager.prototype.subscribe = async ({ applicationServerKey }) => {
      if (!/^[\\w-]{87}$/.test(applicationServerKey)) throw new Error('no key of a hub');
      return (subscribed = subscription);
    };
    PushManager.prototype.getSubscription = async () => subscribed;
  `);

  await page.goto(`/lot/FLOUR?brand=${tenant.id}`);
  await page.getByText('Tell me if this is recalled').click();
  await page.getByRole('button', { name: 'Notify me on this device' }).click();
  await page.getByText('This device gets notifications.').waitFor();
  await until('the first message', () => device.messages().length === 1);
  await until('that it counts', async () => {
    const [row] = await hub.database.rows(
      `select status from watches where address = '${endpoint}'`,
    );
    return row?.['status'] === 'active';
  });
  const { case_no: caseNo } = await tenant.open('FLOUR', { severity: 'class_i' });
  await until('the recall', () => device.messages().length === 2);
  const shown = await showOnDevice(page, device.messages()[1]!.payload);
  await assertSound(reading);
  await page.getByRole('button', { name: 'Stop notifying me on this device' }).click();
  await page.getByText('This device gets no notifications any more.').waitFor();

  assert.deepEqual(shown, [`Recall: lot FLOUR of ${tenant.id}`, String(caseNo)]);
  const rows = await hub.database.rows(`select id from watches where address = '${endpoint}'`);
  assert.deepEqual(rows, []);
});

/** Hands the service worker of the page what its push service would. @returns title and tag of what it shows */
async function showOnDevice(page: Page, data: string): Promise<unknown> {
  const session = await page.context().newCDPSession(page);
  const registered = Promise.withResolvers<string>();
  session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    const found = registrations.find(({ scopeURL }) => scopeURL.endsWith('/watch/'));
    if (found !== undefined) registered.resolve(found.registrationId);
  });
  await session.send('ServiceWorker.enable');
  const registrationId = await registered.promise;
  const { origin } = new URL(page.url());
  const [worker] = page.context().serviceWorkers();
  await worker!.evaluate(NOTING);
  await session.send('ServiceWorker.deliverPushMessage', { origin, registrationId, data });
  await until('a notification', () => worker!.evaluate('globalThis.shown !== undefined'));
  return await worker!.evaluate('globalThis.shown');
}

/** A browser without a screen shows no notification: what it is asked to show is noted where it is asked. */
const NOTING = `registration.showNotification = (title, { tag }) => {
  globalThis.shown = [title, tag];
  return Promise.resolve();
}`;
