// The languages that pages are written in.

/** Tags of BCP 47. The first one is shown to readers who prefer none of them. */
export const LANGUAGES = ['en', 'de', 'fr', 'es', 'it'] as const;
export type Language = (typeof LANGUAGES)[number];

/** What each is called by those who read it. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = {
  en: 'English',
  de: 'Deutsch',
  fr: 'Français',
  es: 'Español',
  it: 'Italiano',
};

/** As the attribute `dir` has it. */
export type Direction = 'ltr' | 'rtl';

/** Scripts that run from right to left: those of the languages that CLDR names so. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg']);

export function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}

/** @param tag of BCP 47, such as `de` or `ar-EG` */
export function getDirection(tag: string): Direction {
  const { script } = new Intl.Locale(tag).maximize();
  return script !== undefined && RIGHT_TO_LEFT.has(script) ? 'rtl' : 'ltr';
}
