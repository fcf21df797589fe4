// The language of a page for one request: the one that the reader chose now, the one that the reader chose
// before, the first that the browser prefers, English.
import { preferredLanguages } from './accept-language.ts';
import { LANGUAGES, isLanguage, type Language } from './language.ts';

/** Of the query of every page. */
export const LANGUAGE_PARAMETER = 'lang';
const COOKIE = 'lothub_language';
/** A year: browsers keep no cookie much longer (RFC 6265bis, section 5.5: 400 days). */
export const LANGUAGE_COOKIE_SECONDS = 31_536_000;
/** Characters of a `Cookie` header that are looked at; browsers send at most 8 kB of headers to most servers. */
const COOKIE_HEADER_MAX = 8_192;
/** Request headers that make the page another one. */
export const LANGUAGE_VARY = 'Accept-Language, Cookie';

/** What a request says that matters here. */
export interface LanguageRequest {
  /** Path and query. */
  readonly url: string;
  readonly headers: {
    readonly cookie?: string | undefined;
    readonly 'accept-language'?: string | undefined;
  };
}

export interface LanguageChoice {
  readonly language: Language;
  /** True when the address of the request names the language: the choice is to be kept. */
  readonly isChosenNow: boolean;
  /** What the reader prefers, the most preferred first: tags in lower case, for names in any language. */
  readonly languages: readonly string[];
}

export function chooseLanguage({ url, headers }: LanguageRequest): LanguageChoice {
  const preferred = preferredLanguages(headers['accept-language']);
  const asked = parseQuery(url).get(LANGUAGE_PARAMETER)?.toLowerCase();
  const isChosenNow = asked !== undefined && isLanguage(asked);
  const chosen = isChosenNow ? asked : languageInCookie(headers.cookie);
  const language = chosen ?? pickFirst(preferred);
  // What was chosen comes first, in the region that the browser names; and what pages are not written in
  // may still be what a name is written in.
  const languages =
    chosen === undefined
      ? [...preferred, language]
      : [...preferred.filter((tag) => toBase(tag) === chosen), chosen, ...preferred];
  return { language, isChosenNow, languages: [...new Set(languages)] };
}

/** The value of `Set-Cookie` that keeps a choice. No script reads it, and it says nothing of its reader. */
export function languageCookie(language: Language): string {
  return `${COOKIE}=${language}; Path=/; Max-Age=${LANGUAGE_COOKIE_SECONDS}; SameSite=Lax; HttpOnly`;
}

/** The same address in a language; without one in none. */
export function pathInLanguage(url: string, language: Language | undefined): string {
  const query = parseQuery(url);
  query.delete(LANGUAGE_PARAMETER);
  if (language !== undefined) query.set(LANGUAGE_PARAMETER, language);
  const [path = '/'] = url.split('?', 1);
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

function parseQuery(url: string): URLSearchParams {
  const start = url.indexOf('?');
  return new URLSearchParams(start === -1 ? '' : url.slice(start + 1));
}

function languageInCookie(header: string | undefined): Language | undefined {
  if (header === undefined || header.length > COOKIE_HEADER_MAX) return undefined;
  for (const pair of header.split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === COOKIE && isLanguage(value)) return value;
  }
  return undefined;
}

function pickFirst(preferred: readonly string[]): Language {
  const [english] = LANGUAGES;
  return preferred.map(toBase).find(isLanguage) ?? english;
}

function toBase(tag: string): string {
  const [base = tag] = tag.split('-', 1);
  return base;
}
