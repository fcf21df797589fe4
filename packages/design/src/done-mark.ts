// What a page says after something was done on it: one name out of a closed list, carried in its address.

/** An address that says what was done. */
export function withDone(path: string, done: string): string {
  const [before = '', anchor] = path.split('#');
  const mark = before.includes('?') ? '&' : '?';
  return `${before}${mark}done=${done}${anchor === undefined ? '' : `#${anchor}`}`;
}

/** @returns undefined for a name that is not in the list */
export function doneWordsIn(
  words: Readonly<Record<string, string>>,
  done: string | undefined,
): string | undefined {
  return Object.entries(words).find(([name]) => name === done)?.[1];
}
