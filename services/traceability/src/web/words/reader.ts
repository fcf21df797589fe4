// Whom a page is written for: the language, its sentences, and how it writes dates and numbers.
import {
  LANGUAGE_VARY,
  formatsOf,
  languageCookie,
  languageOf,
  pathInLanguage,
} from '@lothub/languages';
import type { Formats, Language } from '@lothub/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { de } from './de.ts';
import { en } from './en.ts';
import type { Words } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { it } from './it.ts';

export type { Words } from './en.ts';

/** All sentences of the pages, by language. */
export const WORDS: Readonly<Record<Language, Words>> = { en, de, fr, es, it };

export interface Reader {
  readonly language: Language;
  /** What the reader prefers, the most preferred first: for names that a brand gives in other languages. */
  readonly languages: readonly string[];
  readonly words: Words;
  readonly formats: Formats;
  /** Path and query of the request, without the choice of a language. */
  readonly path: string;
}

/** A choice in the address is kept in a cookie; such an answer is nobody else's. */
const OF_ONE_READER = 'private, no-cache';

/** Caches hear of every page what it depends on. */
export function readerOf(request: FastifyRequest, reply: FastifyReply): Reader {
  const { language, isChosenNow, languages } = languageOf(request);
  void reply.header('Vary', LANGUAGE_VARY).header('Content-Language', language);
  if (isChosenNow) {
    void reply.header('Set-Cookie', languageCookie(language));
    void reply.header('Cache-Control', OF_ONE_READER);
  }
  return readerIn(language, { languages, path: pathInLanguage(request.url, undefined) });
}

/** A reader of a language, for pages that no request is asked for. */
export function readerIn(
  language: Language,
  { languages = [language], path = '/' }: { languages?: readonly string[]; path?: string } = {},
): Reader {
  return { language, languages, path, words: WORDS[language], formats: formatsOf(language) };
}
