// Names in several languages in a form: a field for each language; for further names of products also a field
// to choose the language.
import { choice, field, type Choice, type FormState } from '@lothub/design/desk-parts';
import { textOrNothing, type FormValues } from '@lothub/design/form-values';
import { html, type Html } from '@lothub/kit/html';
import { LANGUAGES } from '@lothub/languages';
import { FieldsRefusal } from '../../errors.ts';
import type { Names } from '../../lots/profiles/names.ts';
import type { Reader } from '../../web/words/reader.ts';
import type { SayFault } from '../forms.ts';

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

/**
 * Languages that names are written in: those of the pages first, then others of Europe and its markets, as
 * tags of BCP 47. The interface accepts any other tag, too.
 */
const WRITTEN_LANGUAGES: readonly string[] = [...LANGUAGES, ...OTHERS];

export const NAME_LENGTH_MAX = 200;
const PREFIX = 'name_';
const OTHER_LANGUAGE = 'other_language';
const OTHER_NAME = 'other_name';

/**
 * Writes a field for each language of the pages, and for each other language with a name.
 * @param beside language of the name in another field
 */
export function nameFields(
  names: Names,
  form: FormState,
  reader: Reader,
  beside: string | null = null,
): Html {
  const { profile: words } = reader.words.console;
  const first: readonly string[] = [
    reader.language,
    ...LANGUAGES.filter((one) => one !== reader.language),
  ];
  const tags = [...new Set([...first, ...Object.keys(names), ...typedTags(form)])];
  const isShown = (tag: string): boolean => tag !== beside || names[tag] !== undefined;
  return html`${tags.filter(isShown).map((tag) =>
    field({
      name: `${PREFIX}${tag}`,
      label: words.nameIn(reader.formats.languageName(tag)),
      form,
      value: names[tag] ?? '',
      maxLength: NAME_LENGTH_MAX,
    }),
  )}`;
}

/** Writes a field for one more name, with its language. */
export function otherNameFields(names: Names, form: FormState, reader: Reader): Html {
  const { profile: words } = reader.words.console;
  const shown = new Set([...LANGUAGES, ...Object.keys(names)]);
  const left = languageChoices(reader).filter(({ value }) => !shown.has(value));
  return html`<div class="fields">
    ${choice({
      name: OTHER_LANGUAGE,
      label: words.otherLanguage,
      form,
      choices: [{ value: '', label: words.suppliers.choose }, ...left],
    })}
    ${field({ name: OTHER_NAME, label: words.otherName, form, maxLength: NAME_LENGTH_MAX })}
  </div>`;
}

/**
 * Lists languages in the language of the reader, those of the pages first. @param also the language that is
 * selected already
 */
export function languageChoices({ formats }: Reader, also?: string | null): readonly Choice[] {
  const isKnown = also === undefined || also === null || WRITTEN_LANGUAGES.includes(also);
  const tags = isKnown ? WRITTEN_LANGUAGES : [also, ...WRITTEN_LANGUAGES];
  return tags.map((tag) => ({ value: tag, label: formats.languageName(tag) }));
}

/** @throws FieldsRefusal when a name has no language, or the language of another name */
export function readNameFields(values: FormValues): Names {
  const names = Object.entries(values).flatMap(([name, value]) => {
    const text = name.startsWith(PREFIX) ? textOrNothing(value) : undefined;
    return text === undefined ? [] : [[name.slice(PREFIX.length), text.trim()] as const];
  });
  const other = textOrNothing(values[OTHER_NAME]);
  if (other === undefined) return Object.fromEntries(names);
  const tag = textOrNothing(values[OTHER_LANGUAGE]);
  const fault =
    tag === undefined ? 'missing' : names.some(([one]) => one === tag) ? 'twice' : undefined;
  if (tag === undefined || fault !== undefined) {
    throw FieldsRefusal.of(['body', OTHER_LANGUAGE], 'Name without a language', fault ?? 'missing');
  }
  return Object.fromEntries([...names, [tag, other.trim()]]);
}

/** Texts for faults of names, by their languages. */
export const sayNameFault: SayFault = ({ loc, type }, reader) => {
  const { faults } = reader.words.console.profile;
  const [, member, tag] = loc;
  if (member === OTHER_LANGUAGE) {
    const words = type === 'twice' ? faults.languageTwice : faults.languageNeeded;
    return { name: OTHER_LANGUAGE, words };
  }
  if (member !== 'names') return undefined;
  if (tag === undefined) return { name: `${PREFIX}${reader.language}`, words: faults.nameNeeded };
  return { name: `${PREFIX}${tag}`, words: reader.words.console.fields.malformed };
};

/** Tags of typed names that are in no language of the pages. */
function typedTags({ values }: FormState): readonly string[] {
  return Object.keys(values).flatMap((name) =>
    name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [],
  );
}
