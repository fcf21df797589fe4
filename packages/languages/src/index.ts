// Which language a page is written in for its reader, and how that language writes dates, numbers and
// lists. The sentences are with the pages of each service.
export { LANGUAGES, LANGUAGE_NAMES, getDirection, isLanguage } from './language.ts';
export type { Direction, Language } from './language.ts';
export { preferredLanguages } from './accept-language.ts';
export {
  chooseLanguage,
  LANGUAGE_COOKIE_SECONDS,
  LANGUAGE_PARAMETER,
  LANGUAGE_VARY,
  languageCookie,
  pathInLanguage,
} from './choice.ts';
export type { LanguageChoice, LanguageRequest } from './choice.ts';
export { Formats, getFormats, isTimeZone } from './formats.ts';
