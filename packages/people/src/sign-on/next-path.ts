// The path to open after a log-in: always a page of this service.

export type PagesPrefix = '/console' | '/inbox';

/** As long as a path to go back to may be; longer ones lead to the first page. */
const NEXT_LENGTH_MAX = 500;
const PAGES = /^\/(?:console|inbox)(?:[/?]|$)/;
/** Browsers read `\` as `/`, and leave out control characters. */
const MISLEADING = /[\\\p{Cc}]/u;

/** The path as it is when it is one of our pages, else the first page. */
export function nextPath(next: string | undefined, prefix: PagesPrefix): string {
  if (next === undefined || next.length > NEXT_LENGTH_MAX) return prefix;
  return PAGES.test(next) && !MISLEADING.test(next) ? next : prefix;
}
