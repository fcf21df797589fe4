// Terms on pages: a word that opens its sentence of the glossary in the language of the page, without a script.
import { html, type Html } from '@lothub/kit/html';
import { present } from '@lothub/kit/present';
import type { Reader, Words } from '../../web/words/reader.ts';
import { helpPathFrom } from '../paths.ts';

type Terms = Words['console']['help']['terms'];

/** Chapters of the glossary that people of a brand meet, in its order. */
export const CHAPTERS = ['goods', 'recall', 'chain', 'notifications', 'log', 'people'] as const;
export type Chapter = (typeof CHAPTERS)[number];

/** A term, as the files of words below `web/words/en/console/terms` name it. */
export type TermId = { readonly [One in Chapter]: keyof Terms[One]['words'] }[Chapter];

export interface Term {
  readonly id: string;
  readonly word: string;
  readonly sentence: Html;
}

/** The terms of a chapter in the reader's language, by their words. */
export function listTerms(chapter: Chapter, { words, language }: Reader): readonly Term[] {
  const { words: names, sentences } = words.console.help.terms[chapter];
  const sentenceOf: ReadonlyMap<string, string> = new Map(Object.entries(sentences));
  const { compare } = new Intl.Collator(language);
  return Object.entries(names)
    .map(([id, word]) => {
      const sentence = present(sentenceOf.get(id), `the sentence of the term ${id}`);
      return { id, word, sentence: withCodes(sentence) };
    })
    .sort((a, b) => compare(a.word, b.word));
}

/**
 * Writes a term as a word that opens its sentence, with a link to the help. Use it once for each term on a
 * page, because the sentence has an id, and not inside of a button or a link.
 * @param label the word as the sentence around it needs it, where it is not the term's own
 */
export function term(id: TermId, reader: Reader, label?: string): Html {
  const { word, sentence } = findTerm(id, reader);
  const anchor = `term-${id}`;
  return html`<button class="term" type="button" popovertarget="${anchor}">${label ?? word}</button
    ><span class="term-sentence" id="${anchor}" popover
      ><strong>${word}</strong> ${sentence}
      <a href="${helpPathFrom(reader.path)}#${anchor}">${reader.words.console.help.title}</a></span
    >`;
}

function findTerm(id: TermId, reader: Reader): Term {
  for (const chapter of CHAPTERS) {
    const found = listTerms(chapter, reader).find((one) => one.id === id);
    if (found !== undefined) return found;
  }
  throw new Error(`no chapter has the term ${id}`);
}

/** Words between backticks are words that programs read. */
function withCodes(sentence: string): Html {
  const parts = sentence.split('`');
  return html`${parts.map((part, index) => (index % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
