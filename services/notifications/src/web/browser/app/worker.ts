// The service worker of the inbox: shows what is pushed, and the list that was read last while there is no connection.
// Pages come from the network whenever it answers, so a newer version of the service is never hidden by a copy.
import { forgetPages, isAway, isPageAddress, networkFirst, savedAsset } from './offline.ts';
import { openPushed, showPushed, subscribeAgain } from './pushed.ts';

const ASSETS = '/inbox/assets/';
const LOGOUT = '/inbox/logout';

interface Waiting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Waiting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Pushed extends Waiting {
  readonly data: { text(): string } | null;
}

interface Clicked extends Waiting {
  readonly notification: Notification;
  readonly action: string;
}

declare function skipWaiting(): Promise<void>;

// A newer version takes over pages that this one serves; one that is open while the first is installed is served by
// it from the next page on, because its modules are loading from elsewhere.
addEventListener('install', (event) => {
  if (isWaiting(event)) event.waitUntil(skipWaiting());
});

addEventListener('fetch', (event) => {
  if (!isFetching(event)) return;
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === 'POST' && pathname === LOGOUT) event.waitUntil(forgetPages());
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && isPageAddress(pathname)) {
    event.respondWith(networkFirst(request, (work) => event.waitUntil(work)));
  } else if (isAway() && pathname.startsWith(ASSETS)) event.respondWith(savedAsset(request));
});

addEventListener('push', (event) => {
  if (isPushed(event)) event.waitUntil(showPushed(event.data?.text()));
});

addEventListener('notificationclick', (event) => {
  if (!isClicked(event)) return;
  const { notification, action } = event;
  notification.close();
  event.waitUntil(openPushed(notification.data, action));
});

addEventListener('pushsubscriptionchange', (event) => {
  if (isWaiting(event)) event.waitUntil(subscribeAgain());
});

function isWaiting(event: Event): event is Waiting {
  return 'waitUntil' in event;
}

function isFetching(event: Event): event is Fetching {
  return 'request' in event && 'respondWith' in event;
}

function isPushed(event: Event): event is Pushed {
  return 'data' in event && 'waitUntil' in event;
}

function isClicked(event: Event): event is Clicked {
  return 'notification' in event && 'action' in event;
}
