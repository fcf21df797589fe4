// What a page says after something was done on it: a closed list, named in the page's address.
import { doneWordsIn, withDone as markDone } from '@lothub/design/done-mark';
import type { Words } from '../web/words/reader.ts';

export type Done = keyof Words['console']['done'];

/** An address that says what was done. */
export const withDone: (path: string, done: Done) => string = markDone;

export function doneWords(done: string | undefined, words: Words['console']): string | undefined {
  return doneWordsIn(words.done, done);
}
