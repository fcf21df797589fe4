// Addresses of the console.
import { CONSOLE_PREFIX } from '../http.ts';

export const CONSOLE = CONSOLE_PREFIX;
export const LOGIN = `${CONSOLE}/login`;
export const LOGOUT = `${CONSOLE}/logout`;
export const SIGN_ON = `${CONSOLE}/sign-on`;
export const ME = `${CONSOLE}/me`;
export const HUB = `${CONSOLE}/hub`;
export const OPERATORS = `${HUB}/people`;

/** As long as a place to go back to may be; longer ones are left for the start. */
const NEXT_LENGTH_MAX = 500;

export type BrandTab = 'people' | 'keys';

/** The start of a brand, or one of its other pages. */
export function brandPath(brand: string, tab?: BrandTab): string {
  const start = `${CONSOLE}/b/${encodeURIComponent(brand)}`;
  return tab === undefined ? start : `${start}/${tab}`;
}

/** A path of the console, so that a link cannot lead from the log-in to another site. */
export function localPath(next: string | undefined): string {
  if (next === undefined || next.length > NEXT_LENGTH_MAX) return CONSOLE;
  const isOurs = /^\/console(?:[/?]|$)/.test(next) && !/[\\\p{Cc}]/u.test(next);
  return isOurs ? next : CONSOLE;
}

export function loginPath(next: string): string {
  const wanted = localPath(next);
  return wanted === CONSOLE
    ? LOGIN
    : `${LOGIN}?${new URLSearchParams({ next: wanted }).toString()}`;
}
