// Writes rows as CSV that spreadsheets open (RFC 4180): in UTF-8 with its mark, with commas, and without a
// cell that a spreadsheet would run.

/** The value of a cell; null is written as an empty cell. */
export type Cell = string | number | boolean | null;

/** Excel reads a file without it in the code page of the machine. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * What a spreadsheet takes for the beginning of a formula (OWASP, CSV Injection); the wide forms are those of
 * East Asian keyboards.
 */
const FORMULA = /^[=+\-@\t\r\n\uff0b\uff0d\uff1d\uff20]/;
/** Shown by no spreadsheet that takes it for "this is text". */
const TEXT_MARK = "'";
/** Other separators are quoted as well: which one a spreadsheet takes depends on its country. */
const TO_BE_QUOTED = /[",;\t\r\n]|^\s|\s$/;

/** One row with its line end. */
export function csvRow(cells: readonly Cell[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = FORMULA.test(cell) ? TEXT_MARK + cell : cell;
  return TO_BE_QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
