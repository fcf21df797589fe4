// Chooses the name of a product that a reader is shown, by the languages that the reader prefers
// (RFC 4647).
import { compareTexts } from '@lothub/kit/text-order';
import type { Names } from './names.ts';

/** The language of a name when the reader prefers none that there is one in. */
const ENGLISH = 'en';

export interface ChosenName {
  /** A tag of BCP 47. */
  readonly language: string;
  readonly name: string;
}

/**
 * The name in the first preferred language that there is one in; else the English one, else the first by tag.
 * @param names at least one
 */
export function chooseName(names: Names, languages: readonly string[]): ChosenName {
  const tags = Object.keys(names).sort(compareTexts);
  for (const range of [...languages, ENGLISH]) {
    const tag = findTag(tags, range);
    if (tag !== undefined) return chosen(names, tag);
  }
  return chosen(names, tags[0]);
}

/** A text as its writer has it. */
export interface TextInLanguages {
  readonly text: string;
  /** A tag of BCP 47; undefined when none is set. */
  readonly language: string | undefined;
  /** The same in others. */
  readonly translations: Names;
}

export type ChosenText = Pick<TextInLanguages, 'text' | 'language'>;

/** The text in the first preferred language that there is one in; else as its writer has it. */
export function chooseText(translated: TextInLanguages, languages: readonly string[]): ChosenText {
  const { text, language, translations } = translated;
  const texts = new Map(Object.entries(translations));
  if (language !== undefined) texts.set(language, text);
  const tags = [...texts.keys()].sort(compareTexts);
  for (const range of languages) {
    const tag = findTag(tags, range);
    const found = tag === undefined ? undefined : texts.get(tag);
    if (found !== undefined) return { text: found, language: tag };
  }
  return { text, language };
}

function chosen(names: Names, language: string | undefined): ChosenName {
  const name = language === undefined ? undefined : names[language];
  if (language === undefined || name === undefined) throw new Error('a product has no name');
  return { language, name };
}

/** `de-AT` finds `de-AT`, then `de-AT-1996`, then `de`, then `de-CH`. */
function findTag(tags: readonly string[], range: string): string | undefined {
  for (let wanted = range; wanted !== ''; wanted = wanted.slice(0, wanted.lastIndexOf('-'))) {
    const exact = tags.find((tag) => tag.toLowerCase() === wanted);
    const found = exact ?? tags.find((tag) => tag.toLowerCase().startsWith(`${wanted}-`));
    if (found !== undefined) return found;
    if (!wanted.includes('-')) return undefined;
  }
  return undefined;
}
