// The messages of a page after an action on it: a closed list; the address of the page names one of them.
import { doneWordsIn, withDone as markDone } from '@lothub/design/done-mark';
import type { Words } from '../web/words/reader.ts';

export type Done = keyof Words['console']['done'];

/** Adds to an address what was done. */
export const withDone: (path: string, done: Done) => string = markDone;

export function doneWords(done: string | undefined, words: Words['console']): string | undefined {
  return doneWordsIn(words.done, done);
}
