// Shows the messages of a device about recalls, and opens their page. It keeps nothing and answers no page.
interface Extended extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Pushed extends Extended {
  readonly data: { json(): unknown } | null;
}

interface Clicked extends Extended {
  readonly notification: Notification;
}

/** Types of a service worker; the types of pages lack them. */
interface WorkerScope {
  readonly registration: ServiceWorkerRegistration;
  readonly clients: { openWindow(url: string): Promise<unknown> };
  skipWaiting(): Promise<void>;
}

interface PushMessage {
  readonly title: string;
  readonly body: string;
  readonly tag: string;
  readonly url: string;
  readonly lang: string;
}

const scope: unknown = globalThis;

function isScope(value: unknown): value is WorkerScope {
  return typeof value === 'object' && value !== null && 'registration' in value;
}

function isPushed(event: Event): event is Pushed {
  return 'data' in event && 'waitUntil' in event;
}

function isClicked(event: Event): event is Clicked {
  return 'notification' in event && 'waitUntil' in event;
}

function isPushMessage(value: unknown): value is PushMessage {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['title', 'body', 'tag', 'url', 'lang'].every(
      (name) => name in value && typeof Reflect.get(value, name) === 'string',
    )
  );
}

addEventListener('install', () => {
  if (isScope(scope)) void scope.skipWaiting();
});

addEventListener('push', (event) => {
  if (!isPushed(event) || !isScope(scope)) return;
  const message: unknown = event.data?.json();
  if (!isPushMessage(message)) return;
  const { title, body, tag, url, lang } = message;
  event.waitUntil(scope.registration.showNotification(title, { body, tag, lang, data: url }));
});

addEventListener('notificationclick', (event) => {
  if (!isClicked(event) || !isScope(scope)) return;
  const { notification } = event;
  notification.close();
  const url: unknown = notification.data;
  // It opens only pages of this hub: a push message is encrypted for this device, but it is still
  // only a text.
  if (typeof url !== 'string' || new URL(url, location.origin).origin !== location.origin) return;
  event.waitUntil(scope.clients.openWindow(url));
});
