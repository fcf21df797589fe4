// Rules for the text of a code or an id: two that look the same must be equal, and each must fit
// into an address. The rules apply to new values; values that earlier versions stored are read,
// replayed and corrected unchanged.

/**
 * Characters that are invisible, or that change how their neighbours are shown: controls, line
 * separators, direction marks, characters without width, and Unicode's noncharacters.
 */
const UNSEEN =
  /[\p{Cc}\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFEFF\uFFA0\p{Noncharacter_Code_Point}]/u;
/** Most codes: printable ASCII without a space at an end. The other checks of it take three times as long. */
const PLAIN = /^[!-~](?:[ -~]*[!-~])?$/;
/** In a URL they are not names: `.` is the same folder, and `..` the one above. */
const DOTS = new Set(['.', '..']);

/**
 * Returns why a text is not a valid code, as a sentence that does not quote it; undefined when it
 * is valid.
 */
export function codeFault(text: string): string | undefined {
  if (PLAIN.test(text) && !DOTS.has(text)) return undefined;
  if (UNSEEN.test(text)) {
    return 'String should not contain control, bidirectional, zero-width or non-characters';
  }
  if (text.trim() !== text) return 'String should not begin or end with a space';
  if (DOTS.has(text)) return 'String should not be "." or ".."';
  return undefined;
}

/** The rule as senders read it. */
export const CODE_RULE = 'no characters that are not seen, no spaces at the ends';

/** Variants of one code: four spellings of two forms, each in three cases. */
export const CODE_VARIANTS_MAX = 24;
/** Between the parts of a code, people read and type one of these for another. */
const SEPARATORS = ['', '-', ' '];
const SEPARATED = /[\s\-‐‑‒–—]+/u;
/** The places where a code without separators probably had one. */
const LETTER_TO_DIGIT = /(?<=\p{L})(?=\d)|(?<=\d)(?=\p{L})/u;

/**
 * Returns other spellings of a code for a search that found nothing: without invisible characters
 * and spaces at its ends, in Unicode's compatible form, with hyphens, spaces or nothing between its
 * parts, in upper and in lower case.
 */
export function codeVariants(text: string): readonly string[] {
  const seen = text.replaceAll(new RegExp(UNSEEN, 'gu'), '').trim();
  const plain = [seen, seen.normalize('NFKC').trim()];
  const spelled = plain.flatMap((one) => [one, ...separatedOtherwise(one)]);
  const all = spelled.flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()]);
  return [...new Set(all)].filter((one) => one !== text && one !== '');
}

function separatedOtherwise(code: string): readonly string[] {
  const parts = code.split(SEPARATED);
  const guessed = parts.length > 1 ? parts : code.split(LETTER_TO_DIGIT);
  return guessed.length > 1 ? SEPARATORS.map((separator) => guessed.join(separator)) : [];
}
