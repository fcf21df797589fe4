// Quantities: JSON numbers outside, decimal text on the chain, never a float in between.
import Big from 'big.js';

/** Largest quantity of a line: all whole numbers up to here have at most 15 digits. */
export const QUANTITY_MAX = 999_999_999_999_999;
/** Digits that a double keeps exactly, whatever they are. */
const EXACT_DIGITS = 15;
/** Places behind the point; finer is no measured amount of goods. */
const DECIMAL_PLACES_MAX = 15;

/**
 * Decimal text of a quantity: no exponent, no trailing zeros, `0` for zero.
 * @returns undefined when it has more than 15 significant digits or more than 15 decimal places
 */
export function quantityText(quantity: number): string | undefined {
  if (Number.isSafeInteger(quantity) && quantity <= QUANTITY_MAX) return String(Math.abs(quantity));
  const short = String(quantity);
  // The shortest text of a number that has few digits and no exponent is its decimal text.
  if (short.length <= EXACT_DIGITS && /^\d+\.\d+$/.test(short)) return short;
  const value = new Big(quantity);
  if (value.c.length > EXACT_DIGITS) return undefined;
  const text = value.toFixed();
  const point = text.indexOf('.');
  return point >= 0 && text.length - point - 1 > DECIMAL_PLACES_MAX ? undefined : text;
}
