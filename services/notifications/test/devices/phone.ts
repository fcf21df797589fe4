// A telephone with the inbox, for stories in Chromium: its worker is the inbox's own, and what only a system can do is
// noted in its place.
import { present } from '@lothub/kit/present';
import { PATIENCE_MS } from '@lothub/kit/test/patience';
import { within } from '@lothub/kit/within';
import type { Browser, BrowserContext, CDPSession, Page, Worker } from 'playwright-core';
import type { Booted } from '../boot.ts';
import type { TestPerson } from '../people/person.ts';

export interface Phone extends AsyncDisposable {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly worker: Worker;
  readonly cdp: CDPSession;
  /** Another session takes the place of the one that the browser has. */
  logIn(person: TestPerson): Promise<void>;
  /** Hands its worker what a push service would. */
  push(message: string): Promise<void>;
  /** What the system shows. */
  shown(): Promise<readonly Shown[]>;
  /** Each number that its worker has put on the icon. */
  badges(): Promise<readonly number[]>;
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

export interface Shown {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
}

export interface PhoneOptions {
  readonly booted: Booted;
  readonly person: TestPerson;
  readonly path?: string | undefined;
  /** Before its first page is opened. */
  readonly prepare?: (context: BrowserContext) => Promise<void>;
}

/** Chromium answers all of this at once, or never: a test that waits longer says for what. */
function answered<Value>(what: string, asked: Promise<Value>): Promise<Value> {
  const late = (): Error => new Error(`Chromium did not answer: ${what}`);
  return within(asked, { ms: PATIENCE_MS, late });
}

/** A browser of somebody, on a page of the inbox that its worker serves. */
export async function openPhone(
  browser: Browser,
  { booted, person, path = '/inbox', prepare }: PhoneOptions,
): Promise<Phone> {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } });
  const logIn = async ({ headers }: TestPerson): Promise<void> => {
    const [name = '', value = ''] = (headers['Cookie'] ?? '').split('=');
    await context.addCookies([{ name, value, url: booted.base }]);
  };
  await logIn(person);
  await prepare?.(context);
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
  const ready = 'navigator.serviceWorker.ready.then(() => undefined)';
  await answered('whether the worker is there', page.evaluate(ready));
  // From here on the worker serves the page.
  await page.reload();
  await answered('whether the worker is there again', page.evaluate(ready));
  await answered('to take our system', worker.evaluate(SYSTEM));
  return {
    context,
    page,
    worker,
    cdp,
    logIn,
    push: async (message) => {
      const pushed = cdp.send('ServiceWorker.deliverPushMessage', {
        origin: booted.base,
        registrationId: present(registrations.at(-1), 'a worker'),
        data: message,
      });
      await answered('to deliver a push', pushed);
    },
    shown: () =>
      answered(
        'what is shown',
        worker.evaluate<readonly Shown[]>(
          `[...shown.values()].map(({ title, body, tag }) => ({ title, body, tag }))`,
        ),
      ),
    badges: () => answered('the number on the icon', worker.evaluate<readonly number[]>('badges')),
    tap: async (action) => {
      await worker.evaluate(`(() => {
        const [[tag, { data }]] = shown;
        const event = new ExtendableEvent('notificationclick');
        const notification = { data, close: () => shown.delete(tag) };
        dispatchEvent(Object.assign(event, { notification, action: '${action}', waitUntil: () => {} }));
      })()`);
    },
    [Symbol.asyncDispose]: () => answered('to close the telephone', context.close()),
  };
}
