// Languages that names are written in: those of the pages first, then others of Europe and its markets, as tags of
// BCP 47. Any other tag is taken by the interface.
import { LANGUAGES } from '@lothub/languages';

const OTHERS = [
  'ar',
  'bg',
  'cs',
  'da',
  'el',
  'et',
  'fi',
  'ga',
  'hr',
  'hu',
  'lt',
  'lv',
  'mt',
  'nb',
  'nl',
  'pl',
  'pt',
  'ro',
  'ru',
  'sk',
  'sl',
  'sv',
  'tr',
  'uk',
];

export const WRITTEN_LANGUAGES: readonly string[] = [...LANGUAGES, ...OTHERS];
