// One page of each kind that the console has, found by following its links from a brand's start: what is linked
// nowhere has no picture.
import type { Page } from 'playwright-core';

/** Far more than there are kinds of pages. */
const KINDS_MAX = 100;
/** Answers with the state of another page, or with a file. */
const NO_PAGES = /\/(?:logout|[^/]*\.(?:csv|svg|png|json|pdf))$/;

export interface KindOfPage {
  /** Names the kind, such as `b-recalls-one-scope`. */
  readonly name: string;
  /** Address of one page of it. */
  readonly path: string;
}

/**
 * Follows the links of the pages that the person sees.
 * @param starts addresses to begin with
 * @throws Error that names a link that leads to no page
 */
export async function findKindsOfPages(
  page: Page,
  starts: readonly string[],
): Promise<readonly KindOfPage[]> {
  const found = new Map<string, string>();
  const add = (path: string): void => {
    const name = namePage(path);
    if (!found.has(name) && found.size < KINDS_MAX) found.set(name, path);
  };
  starts.forEach(add);
  // What is added meanwhile is visited, too.
  for (const [name, path] of found) {
    const response = await page.goto(path);
    if (response?.ok() !== true) {
      throw new Error(`${name}: ${path} answers ${response?.status() ?? 'nothing'}`);
    }
    for (const link of await readLinks(page)) add(link);
  }
  return [...found].map(([name, path]) => ({ name, path }));
}

/** Addresses of the console that the page links, without choices of a language. */
async function readLinks(page: Page): Promise<readonly string[]> {
  const hrefs: unknown = await page.evaluate(
    "[...document.querySelectorAll('a[href]:not([hreflang]):not([download])')].map((a) => a.getAttribute('href'))",
  );
  const { pathname, search } = new URL(page.url());
  return (Array.isArray(hrefs) ? hrefs : [])
    .map((href) => new URL(String(href), `http://hub.invalid${pathname}${search}`))
    .filter(({ host }) => host === 'hub.invalid')
    .filter(({ pathname: path }) => path.startsWith('/console') && !NO_PAGES.test(path))
    .map((url) => url.pathname + url.search);
}

/** `/console/b/mill/lots/CAKE%2F1/genealogy?q=x` as `b-lots-one-genealogy`. */
export function namePage(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://hub.invalid');
  const [place = 'console', ...rest] = pathname.split('/').slice(2);
  const parts = place === 'b' ? rest.slice(1) : rest;
  // Below a list of a brand is the id of one of its things.
  const named =
    place === 'b' ? parts.map((part, at) => (at % 2 === 1 ? nameOfPart(part) : part)) : parts;
  const name = [place, ...named].join('-');
  return searchParams.has('lot_code') ? `${name}-result` : name;
}

/** Pages beside the things of a list have names of small letters. */
function nameOfPart(part: string): string {
  return /^[a-z_-]+$/.test(part) ? part : 'one';
}
