// The addresses of the feeds of recalls.
import { LANGUAGE_PARAMETER, type Language } from '@lothub/languages';

export const FEED_FORMS = [
  { form: 'atom', mediaType: 'application/atom+xml', label: 'Atom' },
  { form: 'json', mediaType: 'application/feed+json', label: 'JSON Feed' },
] as const;
export type FeedForm = (typeof FEED_FORMS)[number]['form'];

/** The language of a feed whose request names none. */
export const FEED_LANGUAGE_DEFAULT: Language = 'en';

/** The path from the public address on. */
export function feedPath(form: FeedForm, language: Language, after?: string): string {
  const query = new URLSearchParams();
  if (language !== FEED_LANGUAGE_DEFAULT) query.set(LANGUAGE_PARAMETER, language);
  if (after !== undefined) query.set('after', after);
  return `/recalls.${form}${query.size === 0 ? '' : `?${query.toString()}`}`;
}
