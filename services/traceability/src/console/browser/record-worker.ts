// Opens the form for one event without a connection, once it was opened with one: if the network does not
// answer, it answers with the copy that the page has stored. Nothing else is ever answered from a copy, and
// the copies are deleted when somebody logs out.
const COPIES = 'lothub-record';
const FORM = /^\/console\/b\/[^/]+\/record$/;
const ASSETS = /^\/console\/assets\/|^\/assets\//;
const LOGOUT = '/console/logout';
/** A network that takes longer counts as none. */
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

/** The address of an asset contains the hash of its content. */
async function copyFirst(request: Request): Promise<Response> {
  return (await findCopy(request)) ?? (await fetch(request));
}

async function findCopy(request: Request, ignoreSearch = false): Promise<Response | undefined> {
  return await caches.match(request, { cacheName: COPIES, ignoreSearch, ignoreVary: true });
}
