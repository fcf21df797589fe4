// Numbers of GS1 and their check digits (GS1 General Specifications, section 7.9). That a number is a brand's own
// is the brand's word: nobody is asked, and two brands may use the same one.

export const GTIN_PATTERN = '^([0-9]{8}|[0-9]{12,14})$';
export const GLN_PATTERN = '^[0-9]{13}$';

/** What is wrong with a number, as a sentence; undefined when its last digit follows from the others. */
export function checkDigitFault(digits: string): string | undefined {
  const weighted = [...digits]
    .reverse()
    .reduce((sum, digit, place) => sum + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return weighted % 10 === 0 ? undefined : 'The last digit should be the check digit of the others';
}
