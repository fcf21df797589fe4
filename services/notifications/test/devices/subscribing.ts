// Telephones that are subscribed, for stories in Chromium: the inbox, a browser, and a push service that decrypts what
// the inbox sends and answers in place of the one of the browser's maker.
import { startPushService } from '@lothub/delivery/test/push-service';
import type { PushService, TestBrowser } from '@lothub/delivery/test/push-service';
import { present } from '@lothub/kit/present';
import { launchBrowser } from '@lothub/kit/test/browser';
import type { Browser, BrowserContext } from 'playwright-core';
import { boot, type Answer, type Booted } from '../boot.ts';
import { until } from '../delivery/outbox.ts';
import type { TestPerson } from '../people/person.ts';
import { openPhone, type Phone } from './phone.ts';

export interface Phones extends AsyncDisposable {
  readonly booted: Booted;
  readonly browser: Browser;
  readonly service: PushService;
  /** Paths of subscriptions that their browsers have ended. */
  readonly ended: Set<string>;
}

export async function openPhones(): Promise<Phones> {
  const ended = new Set<string>();
  const [booted, browser, service] = await Promise.all([
    boot({ env: { NOTIFICATIONS_WEBHOOK_ALLOW: '127.0.0.1' } }),
    launchBrowser(),
    startPushService((response, { path }) => {
      response.writeHead(ended.has(path) ? 410 : 201).end();
    }),
  ]);
  return {
    ...{ booted, browser, service, ended },
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await booted[Symbol.asyncDispose]();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** The push service as the browser of a telephone knows it. */
export interface Subscriber {
  /** The keys that it was subscribed with. */
  readonly keys: string[];
  /** What is subscribed, the newest last. */
  readonly made: TestBrowser[];
  current: TestBrowser | undefined;
  subscribe(): TestBrowser;
  /** As the browser does it: the push service says from then on that the subscription is gone. */
  end(): void;
}

/** No push service of the browser's maker is within reach of a test: its answers are ours, all else is real. */
const IN_PAGE = `
  const wrap = (json) => json && { toJSON: () => json, unsubscribe: () => pushEnd() };
  PushManager.prototype.subscribe = async ({ userVisibleOnly, applicationServerKey }) => {
    if (!userVisibleOnly) throw new DOMException('only what is shown', 'NotAllowedError');
    return wrap(await pushSubscribe(applicationServerKey));
  };
  PushManager.prototype.getSubscription = async () => wrap(await pushCurrent());
`;

async function answerFor(subscriber: Subscriber, context: BrowserContext): Promise<void> {
  await context.exposeFunction('pushSubscribe', (key: string) => {
    subscriber.keys.push(key);
    return toJson(subscriber.current ?? subscriber.subscribe());
  });
  await context.exposeFunction('pushCurrent', () =>
    subscriber.current === undefined ? null : toJson(subscriber.current),
  );
  await context.exposeFunction('pushEnd', () => {
    subscriber.end();
    return true;
  });
  await context.addInitScript(IN_PAGE);
}

function newSubscriber({ service, ended }: Phones): Subscriber {
  const subscriber: Subscriber = {
    keys: [],
    made: [],
    current: undefined,
    subscribe: () => {
      subscriber.current = service.newBrowser();
      subscriber.made.push(subscriber.current);
      return subscriber.current;
    },
    end: () => {
      const { current } = subscriber;
      if (current !== undefined) ended.add(new URL(current.subscription.endpoint).pathname);
      subscriber.current = undefined;
    },
  };
  return subscriber;
}

/** As browsers write a subscription. */
export function toJson({ subscription }: TestBrowser): object {
  const { endpoint, p256dh, auth } = subscription;
  return { endpoint, expirationTime: null, keys: { p256dh, auth } };
}

export interface OwnedPhone extends AsyncDisposable {
  readonly phone: Phone;
  readonly subscriber: Subscriber;
}

/**
 * A Chromium without a screen says that notifications are denied, whatever it was allowed; what it answers to the
 * question whether they may be shown is real.
 */
const UNDECIDED = `
  let permission = 'default';
  Object.defineProperty(Notification, 'permission', { get: () => permission });
  const { requestPermission } = Notification;
  Notification.requestPermission = async () =>
    (permission = await requestPermission.call(Notification));
`;

/** What a person says to the question of the browser, or has said before. */
type Decision = 'allows' | 'closes the question' | 'has denied';

/** A telephone on the page of the own settings. */
export async function takePhone(
  phones: Phones,
  person: TestPerson,
  decision: Decision = 'allows',
): Promise<OwnedPhone> {
  const { booted, browser } = phones;
  const subscriber = newSubscriber(phones);
  const phone = await openPhone(browser, {
    ...{ booted, person, path: '/inbox/me' },
    prepare: async (context) => {
      if (decision === 'allows')
        await context.grantPermissions(['notifications'], { origin: booted.base });
      if (decision !== 'has denied') await context.addInitScript(UNDECIDED);
      await answerFor(subscriber, context);
    },
  });
  return { phone, subscriber, [Symbol.asyncDispose]: () => phone[Symbol.asyncDispose]() };
}

export async function addDevice({ phone, subscriber }: OwnedPhone): Promise<TestBrowser> {
  await phone.page.getByRole('button', { name: 'Notify me on this device' }).click();
  await phone.page.getByText('This device gets notifications.').waitFor();
  return present(subscriber.current, 'a subscription');
}

export async function listDevices(person: TestPerson): Promise<readonly Answer['json'][]> {
  const { json } = await person.get('/api/v1/me/devices');
  return Object.values(json['items'] ?? {});
}

/** Waits for the nth message of a subscription, and hands it to the worker of the telephone. */
export async function deliver(phone: Phone, to: TestBrowser, index: number): Promise<void> {
  await until('the message has come', () => to.messages().length > index);
  await phone.push(present(to.messages()[index], 'a message').payload);
}
