// A cell of an imported file: a text, or the value of a workbook's cell by its type. Plain values:
// rows with cells are stored as JSON meanwhile.
import type { Refused } from './refused.ts';

export type Cell = string | NumberCell | TimeCell | FaultyCell;

/** A cell that a workbook keeps as a number. */
export interface NumberCell {
  readonly kind: 'number';
  /** Decimal text with a point, at most 15 significant digits. */
  readonly text: string;
  /** A whole number that the workbook shows digit by digit, so that it may be a code. */
  readonly isShownAsIs: boolean;
}

/** A cell that a workbook shows as a date or a time. */
export interface TimeCell {
  readonly kind: 'time';
  /** ISO 8601 without offset; without a time when the cell has none. */
  readonly text: string;
}

/** A cell without a value that could be read: an error of a formula, for instance. */
export interface FaultyCell {
  readonly kind: 'faulty';
  readonly refused: Refused;
}

/** Text without the white space around it; of a cell of a workbook, its value as text. */
export function toText(cell: Cell): string {
  if (typeof cell === 'string') return hasOuterSpace(cell) ? cell.trim() : cell;
  return cell.kind === 'faulty' ? '' : cell.text;
}

export function isBlankCell(cell: Cell): boolean {
  return typeof cell === 'string' && toText(cell) === '';
}

/** The last character of ASCII that is white space. */
const SPACE = 0x20;
/** From this code on, any character may be white space. */
const NO_ASCII = 0x80;

/** A cheap check for every cell; `trim` decides. */
function hasOuterSpace(text: string): boolean {
  if (text === '') return false;
  return mayBeSpace(text.charCodeAt(0)) || mayBeSpace(text.charCodeAt(text.length - 1));
}

function mayBeSpace(code: number): boolean {
  return code <= SPACE || code >= NO_ASCII;
}
