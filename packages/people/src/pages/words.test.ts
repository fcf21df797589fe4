// Pages about oneself have every sentence in every language.
import { testSentences } from '@lothub/kit/test/sentences';
import { PEOPLE_WORDS } from './words.ts';

testSentences(PEOPLE_WORDS);
