// The sentences of pages about oneself, by language.
import type { Language } from '@lothub/languages';
import { de } from './words/de.ts';
import { en, type PeopleWords } from './words/en.ts';
import { es } from './words/es.ts';
import { fr } from './words/fr.ts';
import { it } from './words/it.ts';

export type { PeopleWords } from './words/en.ts';

export const PEOPLE_WORDS: Readonly<Record<Language, PeopleWords>> = { en, de, fr, es, it };
