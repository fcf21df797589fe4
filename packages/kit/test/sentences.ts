// Tests of sentences that pages have in several languages: each language has all of them, and says something.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Html, html } from '../src/html.ts';

/** The gap in a sentence for a name or a number. */
export const GAP = '§';

/** Anything that a sentence asks for: a text, a piece of a page, or an object of them. */
const ANYTHING = Object.assign(new Html(GAP), {
  cosigned: GAP,
  witnesses: GAP,
  names: GAP,
  at: html`${GAP}`,
});

/**
 * One test of each language but English.
 * @param words by language, `en` among them
 * @param except `mayBeEmpty`: places of sentences that a language may do without
 */
export function testSentences(
  words: Readonly<Record<string, unknown>>,
  except: { readonly mayBeEmpty?: readonly string[] } = {},
): void {
  const english = listSentences(words['en']);
  for (const language of Object.keys(words).filter((name) => name !== 'en')) {
    test(`${language} has every sentence, each with something in it, and none of them in English`, () => {
      const sentences = listSentences(words[language]);

      assert.deepEqual([...sentences.keys()], [...english.keys()]);
      for (const [path, sentence] of sentences) {
        const inEnglish = english.get(path) ?? '';
        const isSaid = sentence.trim() !== '' || except.mayBeEmpty?.includes(path) === true;
        assert.ok(isSaid, path);
        const isOfOneWord = !/[a-z] [a-z]/i.test(inEnglish.replaceAll(GAP, ''));
        assert.ok(isOfOneWord || sentence !== inEnglish, `${path}: ${sentence}`);
        assert.equal(sentence.includes(GAP), inEnglish.includes(GAP), `${path}: ${sentence}`);
      }
    });

    test(`${language} is written with the apostrophes and quotes of print`, () => {
      for (const [path, sentence] of listSentences(words[language])) {
        assert.doesNotMatch(sentence, /\w'\w|"/, path);
      }
    });
  }
}

/** All sentences by their places, such as `lot.verdicts.clear`; those that take something, with gaps. */
export function listSentences(words: unknown, path = ''): ReadonlyMap<string, string> {
  if (typeof words === 'string') return new Map([[path, words]]);
  if (words instanceof Html) return new Map([[path, toPlainText(words.text)]]);
  if (typeof words === 'function') {
    const made: unknown = Reflect.apply(words, undefined, Array(5).fill(ANYTHING));
    const parts = Array.isArray(made) ? made : [made];
    const text = parts.map((part) => (part instanceof Html ? part.text : String(part))).join('');
    return new Map([[path, toPlainText(text)]]);
  }
  assert.ok(typeof words === 'object' && words !== null, `${path} is no sentence`);
  return new Map(
    Object.entries(words).flatMap(([name, part]) => [
      ...listSentences(part, path === '' ? name : `${path}.${name}`),
    ]),
  );
}

/** As a reader sees it; without what is said to be in English, and what browsers alone read. */
export function toPlainText(markup: string): string {
  return markup
    .replace(/<head>[^]*<\/head>/, '')
    .replace(/<(\w+)[^>]*\slang="en"[^>]*>[^]*?<\/\1\s*>/g, ' ')
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#39;/g, "'")
    .replace(/&quot;/g, '"')
    .replace(/&amp;/g, '&')
    .replace(/\s+/g, ' ')
    .trim();
}
