// Exact decimals of the plain model: whole numbers of the smallest amount that a line can name.

/** Places behind the point that a quantity may have (docs/chain-format.md#decimal-strings). */
const PLACES = 15;

/** A number of 10^-15; sums of such are exact whatever their size. */
export type Decimal = bigint;

/** @param quantity as sent; its shortest text is what the sender meant */
export function toDecimal(quantity: number): Decimal {
  const [mantissa = '0', exponent = '0'] = String(quantity).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = PLACES - fraction.length + Number(exponent);
  if (shift < 0) throw new Error(`${quantity} has more than ${PLACES} places`);
  return BigInt(whole + fraction) * 10n ** BigInt(shift);
}

/** The JSON number that an answer shows: the one nearest to the decimal text. */
export function toNumber(decimal: Decimal): number {
  const digits = (decimal < 0n ? -decimal : decimal).toString().padStart(PLACES + 1, '0');
  const text = `${digits.slice(0, -PLACES)}.${digits.slice(-PLACES)}`;
  return decimal < 0n ? -Number(text) : Number(text);
}
