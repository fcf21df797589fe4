// Patterns of a machine-readable description, as every dialect of regular expressions reads them. The service
// itself judges by its own patterns, which name classes of Unicode.

/** A class of characters that says what is not in it; escaped brackets do not end it. */
const NEGATED_CLASS = /\[\^((?:\\.|[^\]\\])*)\]/g;
/** In a class: a property of Unicode, or a character or range by its number. */
const UNICODE_PARTS =
  /\\[pP]\{[^}]*\}|(?:\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4})(?:-(?:\\u\{[0-9A-Fa-f]+\}|\\u[0-9A-Fa-f]{4}))?/g;
/** Characters below U+0100 that have a property; what has no other characters needs no entry. */
const LATIN_1_PARTS: Readonly<Record<string, string>> = {
  '\\p{C}': '\\x00-\\x1f\\x7f-\\x9f',
  '\\p{Cc}': '\\x00-\\x1f\\x7f-\\x9f',
  '\\p{Z}': ' \\xa0',
  '\\p{White_Space}': '\\x09-\\x0d \\xa0',
};
/** What some dialects do not read, or read otherwise. */
const NOT_PORTABLE = /\\[pPukbBAzZ]|\(\?[^:]/;
/**
 * An alternative of characters by their numbers behind one of all characters but some: nothing above U+00FF is
 * left out of that one, once it has no properties.
 */
const NUMBERED_ALTERNATIVE =
  /(\|\[\^(?:\\.|[^\]\\])*\])\|\[(?:\\u\{[0-9A-Fa-f]+\}|\\u0[1-9A-Fa-f][0-9A-Fa-f]{2}|\\u[1-9A-Fa-f][0-9A-Fa-f]{3}|-)+\]$/;
const ANY_CHARACTER = '[\\s\\S]';

/**
 * The pattern without what only some dialects read: it accepts all that the pattern accepts, and perhaps
 * more. Undefined when no part of it can be written like this.
 */
export function portablePattern(pattern: string): string | undefined {
  const loosened = pattern
    .replace(NUMBERED_ALTERNATIVE, '$1')
    .replace(NEGATED_CLASS, (_all, inside: string) => {
      const left = inside
        .replace(UNICODE_PARTS, (part) => LATIN_1_PARTS[part] ?? literal(part))
        .replaceAll('\\0', '\\x00');
      return left === '' ? ANY_CHARACTER : `[^${left}]`;
    })
    .replaceAll('\\0', '\\x00');
  return NOT_PORTABLE.test(loosened) ? undefined : loosened;
}

/** A character by its number as itself, when every dialect takes it for one and a reader can see or copy it. */
function literal(part: string): string {
  const digits = /^\\u([0-9A-Fa-f]{4})$/.exec(part)?.[1];
  if (digits === undefined) return '';
  const character = String.fromCharCode(Number.parseInt(digits, 16));
  return /[\p{L}\p{N}\p{S}]/u.test(character) ? character : '';
}
