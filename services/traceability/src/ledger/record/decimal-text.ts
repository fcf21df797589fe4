// Decimals: JSON numbers outside, decimal text on the chain, never a float in between.
import Big from 'big.js';
import { QUANTITY_MAX } from './fields.ts';

/** Digits that a double keeps exactly, whatever they are. */
const EXACT_DIGITS = 15;
/** Decimal places; no measured amount of goods has more. */
const DECIMAL_PLACES_MAX = 15;

/**
 * Decimal text of a number: no exponent, no trailing zeros, `0` for zero.
 * @returns undefined when it has more than 15 significant digits or more than 15 decimal places
 */
export function decimalText(value: number): string | undefined {
  if (Number.isSafeInteger(value) && Math.abs(value) <= QUANTITY_MAX) {
    // -0 becomes `0` as well.
    return String(value);
  }
  const short = String(value);
  // The shortest text of a number that has few digits and no exponent is its decimal text.
  if (short.length <= EXACT_DIGITS && /^-?\d+\.\d+$/.test(short)) return short;
  const exact = new Big(value);
  if (exact.c.length > EXACT_DIGITS) return undefined;
  const text = exact.toFixed();
  const point = text.indexOf('.');
  return point >= 0 && text.length - point - 1 > DECIMAL_PLACES_MAX ? undefined : text;
}
