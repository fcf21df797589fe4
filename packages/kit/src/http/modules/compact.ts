// A module without what only people read: comments, indentation, blank lines and what types have left behind. Names,
// order and statements on lines of their own stay, so that what a browser runs can be read beside its source.
import { parse, type Token } from 'acorn';

/**
 * @param source JavaScript of a module; what it does stays the same
 * @throws SyntaxError when it is none
 */
export function compactModule(source: string): string {
  const tokens: Token[] = [];
  // Only a parser knows whether a slash begins a regular expression.
  parse(source, { ecmaVersion: 'latest', sourceType: 'module', onToken: tokens });
  let compact = '';
  let end = 0;
  for (const { start, end: next } of tokens) {
    const token = source.slice(start, next);
    compact += betweenTokens(source.slice(end, start), compact.at(-1) ?? '', token) + token;
    end = next;
  }
  return `${compact}\n`;
}

const LINE_COMMENT = /\/\/[^\n]*/g;

/** White space and comments. A line end may end a statement; another space counts where it parts two tokens. */
function betweenTokens(gap: string, before: string, token: string): string {
  if (gap === '' || before === '') return '';
  if (gap.replaceAll(LINE_COMMENT, '').includes('\n')) return '\n';
  return isParted(before, token.charAt(0)) ? ' ' : '';
}

const OF_WORD = /[\p{ID_Continue}$#\\]/u;

/** Whether two tokens would be read as others if the one began behind the other. */
function isParted(before: string, first: string): boolean {
  if (OF_WORD.test(before)) return OF_WORD.test(first) || first === '.';
  // `a + +b`, `a / /b/`, `a ? .5 : b`
  return '+-/'.includes(before) || first === '/' || (before === '?' && first === '.');
}
