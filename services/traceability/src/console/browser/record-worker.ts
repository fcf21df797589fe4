// Opens the form for one event without a connection, once it was opened with one: answers with the copy that the page
// has put aside where the network does not. Nothing else is ever answered from a copy, and the copies go when somebody
// logs out.
const COPIES = 'lothub-record';
const FORM = /^\/console\/b\/[^/]+\/record$/;
const ASSETS = /^\/console\/assets\/|^\/assets\//;
const LOGOUT = '/console/logout';
/** A network that answers later than this is as good as none. */
const PATIENCE_MS = 4_000;

interface Fetching extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
  waitUntil(work: Promise<unknown>): void;
}

function isFetching(event: Event): event is Fetching {
  return 'request' in event && 'respondWith' in event;
}

addEventListener('fetch', (event) => {
  if (!isFetching(event)) return;
  const { request } = event;
  const { pathname, origin } = new URL(request.url);
  if (origin !== location.origin) return;
  if (request.method === 'POST' && pathname === LOGOUT) event.waitUntil(caches.delete(COPIES));
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate' && FORM.test(pathname)) event.respondWith(networkFirst(request));
  else if (ASSETS.test(pathname)) event.respondWith(copyFirst(request));
});

async function networkFirst(request: Request): Promise<Response> {
  const copy = (await findCopy(request)) ?? (await findCopy(request, true));
  const answer = fetch(request);
  if (copy === undefined) return await answer;
  const late = new Promise<Response>((resolve) => setTimeout(() => resolve(copy), PATIENCE_MS));
  return await Promise.race([answer.catch(() => copy), late]);
}

/** Addresses of assets hold a hash of what is there. */
async function copyFirst(request: Request): Promise<Response> {
  return (await findCopy(request)) ?? (await fetch(request));
}

async function findCopy(request: Request, ignoreSearch = false): Promise<Response | undefined> {
  return await caches.match(request, { cacheName: COPIES, ignoreSearch, ignoreVary: true });
}
