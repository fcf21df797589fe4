// Checks numbers of GS1 and their check digits (GS1 General Specifications, section 7.9). It is not
// verified that a number belongs to the brand, and two brands may use the same one.

export const GTIN_PATTERN = '^([0-9]{8}|[0-9]{12,14})$';
export const GLN_PATTERN = '^[0-9]{13}$';

/** Returns a sentence about the fault of a number; undefined when its check digit is right. */
export function checkDigitFault(digits: string): string | undefined {
  const weighted = [...digits]
    .reverse()
    .reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return weighted % 10 === 0 ? undefined : 'The last digit should be the check digit of the others';
}

const GTIN_DIGITS = 14;
const GTIN_FORM = new RegExp(GTIN_PATTERN);

/** A sentence about the fault of a number. */
export interface NumberFault {
  readonly fault: string;
}

/** 14 digits of a GTIN of 8, 12, 13 or 14. */
export function readGtin(digits: string): string | NumberFault {
  if (!GTIN_FORM.test(digits)) return { fault: 'A GTIN has 8, 12, 13 or 14 digits' };
  const fault = checkDigitFault(digits);
  return fault === undefined ? padGtin(digits) : { fault: `The GTIN is mistyped. ${fault}` };
}

/** Every way to write a GTIN, as brands may have claimed it. @param gtin 14 digits */
export function writtenForms(gtin: string): readonly string[] {
  return [8, 12, 13, GTIN_DIGITS]
    .map((length) => gtin.slice(-length))
    .filter((digits) => padGtin(digits) === gtin);
}

function padGtin(digits: string): string {
  return digits.padStart(GTIN_DIGITS, '0');
}
