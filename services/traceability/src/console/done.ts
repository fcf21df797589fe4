// What a page says after something was done on it: a closed list, named in the page's address.
import type { Words } from '../web/words/reader.ts';

export type Done = keyof Words['console']['done'];

/** An address that says what was done. */
export function withDone(path: string, done: Done): string {
  const [before = '', anchor] = path.split('#');
  const mark = before.includes('?') ? '&' : '?';
  return `${before}${mark}done=${done}${anchor === undefined ? '' : `#${anchor}`}`;
}

export function doneWords(done: string | undefined, words: Words['console']): string | undefined {
  return Object.entries(words.done).find(([name]) => name === done)?.[1];
}
