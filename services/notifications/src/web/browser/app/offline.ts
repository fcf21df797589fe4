// Keeps the list that was read last, for a reader without a connection: one page of one reader, marked as offline. It
// is deleted at the log-out, and when a page of another reader, or without a reader, is loaded.
const PAGES = 'lothub-inbox-page';
const ASSETS = 'lothub-inbox-assets';
/** Names the reader of a page, as a hash. */
const READER = 'Inbox-Reader';
const SAVED_AT = 'Inbox-Saved-At';
/** The one page. */
const LAST = '/inbox?saved';
/** A network that answers later than this is as good as none. */
const PATIENCE_MS = 6_000;
/** A saved page has loaded what it needs within this time. */
const AWAY_MS = 10_000;
/** An older list is more wrong than useful. */
const KEPT_MS = 3 * 24 * 60 * 60 * 1_000;

const LIST = /^\/inbox(?:\/groups\/[^/]+)?\/?$/;
const PAGE = /^\/inbox(?:\/|$)/;

/** When a saved page was shown last. */
let awaySinceMs = -Infinity;

/**
 * Whether what a page loads comes from here, too. With a connection a browser does better alone: modules that it has
 * loaded ahead are not taken from a worker.
 */
export function isAway(): boolean {
  return !navigator.onLine || Date.now() - awaySinceMs < AWAY_MS;
}

export function isPageAddress(pathname: string): boolean {
  return PAGE.test(pathname);
}

export async function forgetPages(): Promise<void> {
  await caches.delete(PAGES);
}

/** @param keepAlive keeps the worker until the work is done */
export async function networkFirst(
  request: Request,
  keepAlive: (work: Promise<unknown>) => void,
): Promise<Response> {
  const answered = fetch(request).then((response) => {
    keepAlive(save(request, response.clone()));
    return response;
  });
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const first = await Promise.race([answered.catch(() => undefined), late]);
  return first ?? (await lastPage()) ?? (await answered);
}

/** Addresses of assets hold a hash of what is there. */
export async function savedAsset(request: Request): Promise<Response> {
  const saved = await caches.match(request, { cacheName: ASSETS, ignoreVary: true });
  return saved ?? (await fetch(request));
}

/** Puts a list aside, and deletes what is there of another reader. */
async function save(request: Request, response: Response): Promise<void> {
  const reader = response.headers.get(READER);
  // A page behind a log-in has a reader; the log-in page has none.
  if (reader === null) {
    if (response.redirected || response.status === 200) await forgetPages();
    return;
  }
  const pages = await caches.open(PAGES);
  const last = await pages.match(LAST);
  if (last !== undefined && last.headers.get(READER) !== reader) await pages.delete(LAST);
  if (response.status !== 200 || !LIST.test(new URL(request.url).pathname)) return;
  const text = await response.text();
  const headers = new Headers(response.headers);
  headers.set(SAVED_AT, String(Date.now()));
  await pages.put(LAST, new Response(text, { headers }));
  await saveAssets(text);
}

/** What the page loads, and nothing of older versions. */
async function saveAssets(page: string): Promise<void> {
  const wanted = new Set([...page.matchAll(/"(\/inbox\/assets\/[^"]+)"/g)].map(([, path]) => path));
  const assets = await caches.open(ASSETS);
  for (const { url } of await assets.keys()) {
    if (!wanted.delete(new URL(url).pathname)) await assets.delete(url);
  }
  await assets.addAll([...wanted].filter((path) => path !== undefined));
}

async function lastPage(): Promise<Response | undefined> {
  const last = await caches.match(LAST, { cacheName: PAGES, ignoreVary: true });
  if (last === undefined) return undefined;
  awaySinceMs = Date.now();
  const savedAt = new Date(Number(last.headers.get(SAVED_AT)));
  if (Date.now() - savedAt.getTime() > KEPT_MS) {
    await forgetPages();
    return undefined;
  }
  const words = `Offline since ${savedAt.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short' })}. This is the list as it was read then.`;
  const text = (await last.text()).replace(
    /<main id="content"[^>]*>/,
    `$&<div class="notice note" role="status" data-offline><p>${words}</p></div>`,
  );
  return new Response(text, { headers: last.headers });
}
