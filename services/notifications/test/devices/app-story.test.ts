// The inbox as an app, in Chromium: it can be installed, shows what is pushed, acknowledges from there, keeps the last
// list for a reader without a connection, and forgets it at the log-out. What only a push service of a browser's maker
// can do, to subscribe, is done past the browser.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launchBrowser } from '@lothub/kit/test/browser';
import { present } from '@lothub/kit/present';
import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import type { PushMessage } from '../../src/devices/push-message.ts';
import { boot } from '../boot.ts';
import type { Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import { newGroup, newPerson } from '../people/person.ts';
import type { TestPerson } from '../people/person.ts';

let booted: Booted;
let browser: Browser;

before(async () => {
  booted = await boot();
  browser = await launchBrowser();
});
after(async () => {
  await browser.close();
  await booted[Symbol.asyncDispose]();
});

interface Phone extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly worker: Worker;
  readonly cdp: CDPSession;
  push(message: PushMessage): Promise<void>;
  /** What the system shows. */
  shown(): Promise<readonly Shown[]>;
  /** A tap on what is shown, or on one of its buttons. */
  tap(action: string): Promise<void>;
}

/**
 * In place of the system, which this Chromium has none of: what is shown, the number on the icon, and that a tap may
 * bring a window to the front.
 */
const SYSTEM = `
  globalThis.shown = new Map();
  ServiceWorkerRegistration.prototype.showNotification = (title, options) => {
    shown.set(options.tag, { title, ...options });
    return Promise.resolve();
  };
  globalThis.badges = [];
  navigator.setAppBadge = (count) => Promise.resolve(void badges.push(count));
  WindowClient.prototype.focus = function () {
    return Promise.resolve(this);
  };
  0`;

interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

/** A browser of somebody, on a page of the inbox that its worker serves. */
async function newPhone(person: TestPerson, path = '/inbox'): Promise<Phone> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const [name = '', value = ''] = (person.headers['Cookie'] ?? '').split('=');
  await context.addCookies([{ name, value, url: booted.base }]);
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  const registrations: string[] = [];
  cdp.on('ServiceWorker.workerRegistrationUpdated', (event) => {
    for (const one of event.registrations) registrations.push(one.registrationId);
  });
  await cdp.send('ServiceWorker.enable');
  const started = context.waitForEvent('serviceworker');
  await page.goto(booted.base + path);
  const worker = await started;
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  // From here on the worker serves the page.
  await page.reload();
  await page.evaluate('navigator.serviceWorker.ready.then(() => undefined)');
  await worker.evaluate(SYSTEM);
  return {
    context,
    page,
    worker,
    cdp,
    push: async (message) => {
      await cdp.send('ServiceWorker.deliverPushMessage', {
        origin: booted.base,
        registrationId: present(registrations.at(-1), 'a worker'),
        data: JSON.stringify(message),
      });
    },
    shown: async () =>
      await worker.evaluate<readonly Shown[]>(
        `[...shown.values()].map(({ title, body, tag }) => ({ title, body, tag }))`,
      ),
    tap: async (action) => {
      await worker.evaluate(`(() => {
        const [[tag, { data }]] = shown;
        const event = new ExtendableEvent('notificationclick');
        const notification = { data, close: () => shown.delete(tag) };
        dispatchEvent(Object.assign(event, { notification, action: '${action}', waitUntil: () => {} }));
      })()`);
    },
    [Symbol.asyncDispose]: () => context.close(),
  };
}

function messageOf(
  groupId: string,
  {
    seq,
    unread = 1,
    title = 'Oven 3 is too hot',
  }: { seq: number; unread?: number; title?: string },
): PushMessage {
  return {
    kind: 'created',
    title,
    body: 'Hall 2',
    notification: {
      ...{
        id: seq,
        group_id: groupId,
        group: 'Bakery',
        seq,
        severity: 'critical',
        status: 'firing',
      },
      created_at: '2026-01-02T03:04:05.678Z',
    },
    tag: 'oven-3',
    unread,
  };
}

test('the inbox can be installed', async () => {
  const ada = await newPerson(booted);
  await using phone = await newPhone(ada);

  const { errors } = await phone.cdp.send('Page.getAppManifest');
  const { installabilityErrors } = await phone.cdp.send('Page.getInstallabilityErrors');

  assert.deepEqual(errors, []);
  // A private window, which tests have, is the one reason against it.
  const reasons = installabilityErrors.map(({ errorId }) => errorId);
  assert.deepEqual(
    reasons.filter((reason) => reason !== 'in-incognito'),
    [],
  );
  for (const icon of ['icon-512', 'maskable-192', 'maskable-512', 'badge-96']) {
    const answer = await booted.call(`/inbox/${icon}.png`);
    assert.equal(answer.headers.get('content-type'), 'image/png');
  }
});

test('what is pushed is shown, one for what belongs together, and a tap opens it', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, { severity: 'critical' });
  await using phone = await newPhone(ada);

  await phone.push(messageOf(groupId, { seq: 1 }));
  await until('it is shown', async () => (await phone.shown()).length > 0);
  await phone.push(messageOf(groupId, { seq: 1, title: 'Oven 3 burns' }));
  await until('the newer is shown', async () => {
    return (await phone.shown()).some(({ title }) => title.includes('burns'));
  });
  const shown = await phone.shown();
  await phone.tap('');
  await phone.page.waitForURL(`**/inbox/groups/${groupId}/n/1`);

  assert.deepEqual(shown, [
    { title: 'Critical: Oven 3 burns', body: 'Bakery\nHall 2', tag: 'oven-3' },
  ]);
  assert.deepEqual(await phone.shown(), []);
});

test('a critical one is acknowledged from what is shown, without a page', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, { severity: 'critical' });
  await using phone = await newPhone(ada);
  await phone.push(messageOf(groupId, { seq: 1 }));
  await until('it is shown', async () => (await phone.shown()).length > 0);

  await phone.tap('ack');
  const path = `/api/v1/groups/${groupId}/notifications/1`;
  await until('it is acknowledged and read', async () => {
    const { json } = await ada.get(path);
    return String(json['acknowledged']) !== 'null' && String(json['read']) === 'true';
  });

  assert.equal(new URL(phone.page.url()).pathname, '/inbox');
});

test('where acknowledging from what is shown fails, the page is opened', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await using phone = await newPhone(ada);
  await phone.push(messageOf(groupId, { seq: 7 }));
  await until('it is shown', async () => (await phone.shown()).length > 0);

  await phone.tap('ack');

  await phone.page.waitForURL(`**/inbox/groups/${groupId}/n/7`);
});

test('without a connection the list that was read last is shown as what it is, and not after the log-out', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await using phone = await newPhone(ada, `/inbox/groups/${groupId}`);
  const { page, context } = phone;
  const saved = `caches.open('lothub-inbox-page').then((pages) => pages.keys()).then((keys) => keys.length)`;
  await until('the list is put aside', async () => (await page.evaluate(saved)) === 1);

  await context.setOffline(true);
  await page.goto(`${booted.base}/inbox`);
  const words = await page.locator('[data-offline]').textContent();
  const title = await page.getByText('Test notification').first().isVisible();
  const colour: unknown = await page.evaluate(
    `getComputedStyle(document.querySelector('[data-offline]')).borderRadius`,
  );
  await context.setOffline(false);
  await page.goto(`${booted.base}/inbox/me`);
  await page.locator('form[action="/inbox/logout"] button').last().click();
  await page.waitForURL('**/inbox/login**');
  await until('nothing is kept', async () => (await page.evaluate(saved)) === 0);

  assert.match(words ?? '', /^Offline since .+\. This is the list as it was read then\.$/);
  assert.ok(title);
  assert.notEqual(colour, '0px');
});

test("nobody is shown what was kept of somebody else's inbox", async () => {
  const [ada, grace] = [await newPerson(booted), await newPerson(booted, 'Grace')];
  await newGroup(ada, 'Secrets of Ada');
  await using phone = await newPhone(ada);
  const { page, context } = phone;
  const text = `caches.match('/inbox?saved').then((saved) => saved?.text() ?? '')`;
  await until('the list is put aside', async () =>
    String(await page.evaluate(text)).includes('Secrets of Ada'),
  );

  const [name = '', value = ''] = (grace.headers['Cookie'] ?? '').split('=');
  await context.addCookies([{ name, value, url: booted.base }]);
  await page.goto(`${booted.base}/inbox/me`);
  await until('it is deleted', async () => (await page.evaluate(text)) === '');
  await page.goto(`${booted.base}/inbox`);
  await until('another is put aside', async () =>
    String(await page.evaluate(text)).includes('Grace'),
  );
  await context.setOffline(true);
  await page.goto(`${booted.base}/inbox`);

  assert.equal(await page.getByText('Secrets of Ada').count(), 0);
});

test('the badge shows what is unread, from pushes and from the page', async () => {
  const ada = await newPerson(booted);
  const groupId = await newGroup(ada);
  await using phone = await newPhone(ada);
  const noted = `globalThis.badges ??= (() => {
    const badges = [];
    navigator.setAppBadge = (count) => Promise.resolve(void badges.push(count));
    return badges;
  })()`;
  await phone.page.evaluate(noted);

  await phone.push(messageOf(groupId, { seq: 1, unread: 3 }));
  await until('a push has set it', async () => {
    const badges: unknown = await phone.worker.evaluate('badges');
    return JSON.stringify(badges) === '[3]';
  });
  await ada.send('POST', `/api/v1/groups/${groupId}/test`, {});
  await until('the page has set it', async () => {
    const badges: unknown = await phone.page.evaluate('badges');
    return JSON.stringify(badges) === '[1]';
  });
});
