// Whether a number, as it was written, survives the way through a double.

/** Significant digits that a double keeps, whatever they are. */
const EXACT_DIGITS = 15;
const LITERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const ZERO = 0x30;

/** What a body is read to have instead of a number that a double would round; no schema accepts it. */
export const INEXACT_VALUE = Infinity;

/**
 * Whether a JSON literal has at most 15 significant digits and is within the range of a double.
 * @returns undefined when it is no number of JSON
 */
export function isExactLiteral(literal: string): boolean | undefined {
  if (!LITERAL.test(literal)) return undefined;
  return isExactNumber(literal) && isInRange(literal);
}

/** False when a literal is too large for a double, or so small that it would become zero. */
function isInRange(literal: string): boolean {
  const value = Number(literal);
  return Number.isFinite(value) && (value !== 0 || significantDigits(literal) === 0);
}

/** True when a decimal literal has at most 15 significant digits, zeros at both ends not counted. */
export function isExactNumber(literal: string): boolean {
  return significantDigits(literal) <= EXACT_DIGITS;
}

/** Not by a regular expression: for a million zeros before a digit it takes minutes. */
function significantDigits(literal: string): number {
  const mantissa = literal.replace(/^[-+]/, '').replace(/[eE].*$/, '');
  const digits = mantissa.includes('.') ? mantissa.replace('.', '') : mantissa;
  let from = 0;
  let to = digits.length;
  while (from < to && digits.charCodeAt(from) === ZERO) from += 1;
  while (to > from && digits.charCodeAt(to - 1) === ZERO) to -= 1;
  return to - from;
}
