// Addresses of the console.
import { CONSOLE_PREFIX } from '../http.ts';

export const CONSOLE = CONSOLE_PREFIX;
export const LOGIN = `${CONSOLE}/login`;
export const LOGOUT = `${CONSOLE}/logout`;
export const SIGN_ON = `${CONSOLE}/sign-on`;
export const ME = `${CONSOLE}/me`;
export const HUB = `${CONSOLE}/hub`;
export const OPERATORS = `${HUB}/people`;
export const HUB_KEYS = `${HUB}/keys`;
export const HUB_STATE = `${HUB}/state`;
/** The help of those who operate the hub and are in no brand. */
export const HUB_HELP = `${HUB}/help`;

/** The longest path to go back to; a longer one leads to the start. */
const NEXT_LENGTH_MAX = 500;

/** Pages of a brand below its start; what is below one of them begins with its address. */
export const BRAND_TABS = [
  'lots',
  'events',
  'recalls',
  'simulation',
  'drills',
  'imports',
  'record',
  'profile',
  'products',
  'places',
  'suppliers',
  'privacy',
  'audit',
  'webhooks',
  'help',
  'people',
  'keys',
] as const;
export type BrandTab = (typeof BRAND_TABS)[number];

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

/** The page of what a check of the dashboard found wrong. */
export function checkPagePath(brand: string, check: string): string {
  return `${brandPath(brand)}/checks/${check}`;
}

/** A lot of a brand, or one of the pages about it. */
export function lotPagePath(brand: string, lotCode: string, page?: 'genealogy' | 'labels'): string {
  const lot = `${brandPath(brand, 'lots')}/${encodeURIComponent(lotCode)}`;
  return page === undefined ? lot : `${lot}/${page}`;
}

export function eventPagePath(brand: string, eventId: string): string {
  return `${brandPath(brand, 'events')}/${encodeURIComponent(eventId)}`;
}

/** Pages about a recall case below its own. */
export type CasePage = 'scope' | 'notifications' | 'timeline' | 'edit' | 'report';

/** A recall case, or one of the pages about it. */
export function casePagePath(brand: string, caseNo: string, page?: CasePage): string {
  const path = `${brandPath(brand, 'recalls')}/${encodeURIComponent(caseNo)}`;
  return page === undefined ? path : `${path}/${page}`;
}

export function drillPagePath(brand: string, drillId: number): string {
  return `${brandPath(brand, 'drills')}/${drillId}`;
}

/** Recalls of suppliers that reach the brand. */
export function inboundPath(brand: string): string {
  return `${brandPath(brand, 'recalls')}/inbound`;
}

/** The form of a simulation with a lot filled in. */
export function simulationPath(brand: string, lotCode?: string): string {
  const path = brandPath(brand, 'simulation');
  return lotCode === undefined
    ? path
    : `${path}?${new URLSearchParams({ lot_code: lotCode }).toString()}`;
}

/** Returns the path of the help: of the brand of a page, or of the hub for a page without a brand. */
export function helpPathFrom(path: string): string {
  const [brand] = /^\/console\/b\/[^/?]+/.exec(path) ?? [];
  return brand === undefined ? HUB_HELP : `${brand}/help`;
}
