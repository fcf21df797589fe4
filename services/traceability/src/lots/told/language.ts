// Which of the names of a product a reader is shown, by the languages that the reader prefers (RFC 9110,
// section 12.5.4; RFC 4647).
import { compareTexts } from '@lothub/kit/text-order';
import type { Names } from './names.ts';

/** Language ranges of a header that are looked at; browsers send a handful. */
const RANGES_MAX = 20;
const WHOLE_HEADER_MAX = 1_000;
/** What pages are written in. */
const ENGLISH = 'en';
const RANGE =
  /^\s*([A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/;

/** Ranges of an `Accept-Language` header in lower case, the most preferred first; `*` and what is refused are left out. */
export function preferredLanguages(header: string | undefined): readonly string[] {
  if (header === undefined || header.length > WHOLE_HEADER_MAX) return [];
  return header
    .split(',')
    .slice(0, RANGES_MAX)
    .flatMap((part) => {
      const [, range, weight = '1'] = RANGE.exec(part) ?? [];
      return range === undefined || Number(weight) === 0
        ? []
        : [{ range: range.toLowerCase(), weight: Number(weight) }];
    })
    .sort((a, b) => b.weight - a.weight)
    .map(({ range }) => range);
}

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
