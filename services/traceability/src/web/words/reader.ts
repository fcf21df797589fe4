// The reader of a page: the language, its sentences, and how it writes dates and numbers.
import {
  LANGUAGE_VARY,
  chooseLanguage,
  getFormats,
  languageCookie,
  pathInLanguage,
} from '@lothub/languages';
import type { Formats, Language } from '@lothub/languages';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { createRequire } from 'node:module';
import type { Words } from './en.ts';

export type { Words } from './en.ts';

/**
 * All sentences of the pages, by language. Each language is loaded with the first page in it: the sentences of all
 * five are a tenth of the modules of a service.
 */
export const WORDS: Readonly<Record<Language, Words>> = {
  get en() {
    return loadWords('en');
  },
  get de() {
    return loadWords('de');
  },
  get fr() {
    return loadWords('fr');
  },
  get es() {
    return loadWords('es');
  },
  get it() {
    return loadWords('it');
  },
};

const load = createRequire(import.meta.url);

/** Pages are rendered at once: the module is loaded without waiting for it. */
function loadWords(language: Language): Words {
  const loaded: unknown = load(`./${language}.ts`);
  if (!isModuleFor(language, loaded)) throw new Error(`${language}.ts exports no ${language}`);
  return loaded[language];
}

/** Each file of sentences exports them under the name of its language, and the compiler checks that they are `Words`. */
function isModuleFor(
  language: Language,
  loaded: unknown,
): loaded is Readonly<Record<Language, Words>> {
  return typeof loaded === 'object' && loaded !== null && language in loaded;
}

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
export function prepareReader(request: FastifyRequest, reply: FastifyReply): Reader {
  const { language, isChosenNow, languages } = chooseLanguage(request);
  void reply.header('Vary', LANGUAGE_VARY).header('Content-Language', language);
  if (isChosenNow) {
    void reply.header('Set-Cookie', languageCookie(language));
    void reply.header('Cache-Control', OF_ONE_READER);
  }
  return readerIn(language, { languages, path: pathInLanguage(request.url, undefined) });
}

/** A reader of a language, for pages that are written without a request. */
export function readerIn(
  language: Language,
  { languages = [language], path = '/' }: { languages?: readonly string[]; path?: string } = {},
): Reader {
  return { language, languages, path, words: WORDS[language], formats: getFormats(language) };
}
