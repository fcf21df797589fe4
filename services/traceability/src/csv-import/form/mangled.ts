// Finds codes and names that a spreadsheet has changed: their digits are lost, so nobody can
// restore them.
import type { Refused } from './refused.ts';

/** `4.01235E+12`: a number that was too wide for its column. The sign sets it apart from a code. */
const SCIENTIFIC = /^-?\d{1,3}(?:[.,]\d+)?E[+-]\d{1,3}$/i;
/** `#N/A` and similar errors, and the signs `#` of a column that is too narrow. */
const FORMULA_ERROR = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NUM!|NAME\?|NULL!|SPILL!|CALC!|#+)$/i;
const DIGIT_0 = 0x30;
const DIGIT_9 = 0x39;

/** Finds a value that a spreadsheet has changed. */
export function findMangled(text: string): Refused | undefined {
  const first = text.charCodeAt(0);
  if (text.startsWith('#')) return FORMULA_ERROR.test(text) ? SPREADSHEET_ERROR : undefined;
  const mayBeNumber = (first >= DIGIT_0 && first <= DIGIT_9) || text.startsWith('-');
  return mayBeNumber && SCIENTIFIC.test(text) ? SCIENTIFIC_NOTATION : undefined;
}

export const SPREADSHEET_ERROR: Refused = {
  msg: 'Input looks like an error of a spreadsheet: mend the formula or the width of the column',
  type: 'spreadsheet_error',
};
const SCIENTIFIC_NOTATION: Refused = {
  msg:
    'Input looks like scientific notation from a spreadsheet: its digits are lost, so no option ' +
    'settles it; give the column the format "text", enter it again and export again',
  type: 'scientific_notation',
};
/** The fault of a workbook's cell in a column of codes or names. */
export const NUMBER_AS_TEXT: Refused = {
  msg:
    'Input is a number that the workbook shows in another form: give the column the format "text" ' +
    'and enter the code again',
  type: 'spreadsheet_number',
};
export const DATE_AS_TEXT: Refused = {
  msg:
    'Input is a date that the workbook made of it: give the column the format "text" and enter the ' +
    'code again',
  type: 'spreadsheet_number',
};
export const DATE_AS_NUMBER: Refused = {
  msg: 'Input should be a valid number, and is a date: give the column the format of a number',
  type: 'float_parsing',
};
export const NUMBER_AS_DATE: Refused = {
  msg: 'Input should be a datetime, and is a number: give the column the format of a date and time',
  type: 'datetime_parsing',
};
