// Which passwords are taken, and in which form they are compared: pure rules.
import { present } from '@lothub/kit/present';
import type { FieldProblem } from '@lothub/kit/http/field-problems';

/** In code points, after folding. NIST SP 800-63B requires a length, and no kinds of characters. */
export const PASSWORD_LENGTH_MIN = 12;
/** Limits the cost of a request; nobody types passwords of this length. */
export const PASSWORD_LENGTH_MAX = 1_000;

/** Fewer different signs than this are a pattern, however long. */
const DIFFERENT_MIN = 5;
const PRODUCT_NAME = 'lothub';
/** What is guessed first among passwords that are long enough; compared without case. */
const GUESSED_FIRST: ReadonlySet<string> = new Set([
  'changeme1234',
  'letmein12345',
  'password1234',
  'password12345',
  'passwordpassword',
  'qwerty123456',
  'qwertyqwerty',
  'qwertyuiop12',
  'qwertyuiop123',
  'qwertzuiop12',
  'welcome12345',
  'administrator',
]);

/** A letter and its accent in two code points or in one, and any kind of space: typed the same. */
const SPACES = /\p{Zs}/gu;
const CONTROLS_OR_SURROGATES = /[\p{Cc}\p{Cs}]/u;

/** The form in which passwords are compared: RFC 8265, OpaqueString (spaces to U+0020, then NFC). */
export function foldPassword(password: string): string {
  return password.replace(SPACES, ' ').normalize('NFC');
}

/**
 * What is wrong with a new password of an account.
 * @returns undefined when it is taken
 */
export function findPasswordProblem(
  password: string,
  account: { readonly email: string; readonly pointer: string },
): FieldProblem | undefined {
  const { pointer } = account;
  if (CONTROLS_OR_SURROGATES.test(password)) {
    return { pointer, code: 'text_refused', limit: null, actual: null };
  }
  const folded = foldPassword(password);
  const length = [...folded].length;
  if (length < PASSWORD_LENGTH_MIN) {
    return { pointer, code: 'too_short', limit: PASSWORD_LENGTH_MIN, actual: length };
  }
  if (length > PASSWORD_LENGTH_MAX) {
    return { pointer, code: 'too_long', limit: PASSWORD_LENGTH_MAX, actual: length };
  }
  if (isGuessable(folded.toLowerCase(), account.email.toLowerCase())) {
    return { pointer, code: 'guessable', limit: null, actual: null };
  }
  return undefined;
}

function isGuessable(password: string, email: string): boolean {
  const signs = [...password];
  if (new Set(signs).size < DIFFERENT_MIN) return true;
  if (isRun(signs)) return true;
  const [localPart = ''] = email.split('@');
  if (password === email || password === localPart || GUESSED_FIRST.has(password)) return true;
  // The product's name with nothing but digits and signs around it.
  return (
    password.replace(/[^\p{L}]/gu, '').replaceAll(PRODUCT_NAME, '') === '' &&
    /\p{L}/u.test(password)
  );
}

/** Signs that follow each other, up or down, such as abcdefghijkl or 210987654321. */
function isRun(signs: readonly string[]): boolean {
  return [1, -1].some((step) =>
    signs.every((sign, index) => {
      const before = signs[index - 1];
      return before === undefined || sign === nextSign(before, step);
    }),
  );
}

function nextSign(sign: string, step: number): string {
  if (/^[0-9]$/.test(sign)) return String((Number(sign) + step + 10) % 10);
  return String.fromCodePoint(Math.max(0, present(sign.codePointAt(0), 'a code point') + step));
}
