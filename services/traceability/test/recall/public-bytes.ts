// Every public byte of a hub: all pages that link to each other, and the answers of all public routes.
import type { Booted } from '../boot.ts';

/** What the public reads besides pages and answers that are linked. */
const BEGINNINGS = [
  ...['/', '/lot', '/recalls', '/explorer', '/health', '/ready', '/metrics', '/log/epochs'],
  ...['/public/explorer', '/public/explorer/blocks?limit=500', '/public/notices?limit=100'],
  '/public/explorer/transactions?limit=500',
];
/** A test hub has fewer. */
const PATHS_MAX = 3_000;
/** Of what a page links to: descriptions of the interface are not about a case. */
const NOT_FOLLOWED = /^\/(?:openapi|docs|assets)/u;

/** Texts by path. */
export async function readPublicBytes(
  hub: Booted,
  about: {
    readonly brand: string;
    readonly lotCodes: readonly string[];
    readonly words: readonly string[];
  },
): Promise<ReadonlyMap<string, string>> {
  const { json } = await hub.call('/public/explorer', { headers: NOBODY });
  const height = Number(json['stats']?.['height']);
  const queue = [...BEGINNINGS, ...listPaths(height, about)];
  const read = new Map<string, string>();
  for (const path of queue) {
    if (read.has(path) || NOT_FOLLOWED.test(path)) continue;
    if (read.size > PATHS_MAX) throw new Error('the pages of a test hub do not end');
    const { status, text } = await hub.call(path, { headers: NOBODY });
    read.set(path, `${status} ${text}`);
    for (const [, href] of text.matchAll(/href="(\/[^"#]*)/gu)) {
      queue.push(String(href).replaceAll('&amp;', '&'));
    }
  }
  return read;
}

/** Empty values stand for headers that are not sent. */
const NOBODY = { 'X-Api-Key': '', 'X-Tenant-Id': '' };

function listPaths(
  height: number,
  about: Parameters<typeof readPublicBytes>[1],
): readonly string[] {
  const heights = Array.from({ length: height + 1 }, (_, index) => index);
  const sought = [...about.words, ...about.lotCodes].map(encodeURIComponent);
  return [
    ...heights.map((one) => `/public/explorer/block/${one}`),
    ...heights.map((one) => `/explorer/block/${one}`),
    ...heights.map((one) => `/explorer/block/${one}/canonical.txt`),
    ...heights.map((one) => `/log/1/proof/${one}`),
    ...['checkpoint', 'checkpoint/latest', 'vkeys', 'policy'].map((name) => `/log/1/${name}`),
    ...['tile/0', 'tile/entries', 'blocks'].map((name) => `/log/1/${name}/000.p/${height + 1}`),
    ...sought.flatMap((word) => [
      `/public/explorer/search?q=${word}`,
      `/explorer/search?q=${word}`,
      `/public/notices?lot_code=${word}`,
      `/public/notices/${word}`,
      `/public/notices/${word}/history`,
      `/recalls/${word}`,
      `/recalls?lot_code=${word}`,
    ]),
    ...about.lotCodes
      .map(encodeURIComponent)
      .flatMap((code) => [
        `/public/verify/${code}?brand=${about.brand}`,
        `/public/verify/${code}/evidence?brand=${about.brand}`,
        `/public/explorer/lot/${code}?brand=${about.brand}`,
        `/lot/${code}?brand=${about.brand}`,
      ]),
  ];
}
