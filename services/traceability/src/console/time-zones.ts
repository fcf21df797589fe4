// Time zones that a form offers, and the one that most readers of a language are in.
import type { Language } from '@lothub/languages';

const ZONES: Readonly<Record<Language, string>> = {
  en: 'UTC',
  de: 'Europe/Berlin',
  fr: 'Europe/Paris',
  es: 'Europe/Madrid',
  it: 'Europe/Rome',
};

export function usualTimeZone(language: Language): string {
  return ZONES[language];
}

/** Lists all known time zones, and the chosen one by the name with which it was chosen. */
export function offeredTimeZones(chosen: string | undefined): readonly string[] {
  const all = ['UTC', ...Intl.supportedValuesOf('timeZone')];
  return chosen === undefined || all.includes(chosen) ? all : [chosen, ...all];
}
