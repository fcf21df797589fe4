// The columns of an imported file: what they are called, which must be there, and where they stand
// in the file at hand (interface document, "CSV import").
import {
  EVENT_FIELD_LIST,
  FIRST_LINE_COLUMNS,
  LATER_LINE_COLUMNS,
  LINE_FIELD_LIST,
} from '../ledger/record/fields.ts';
import { isBlankCell, textOf } from './form/cell.ts';
import type { Cell } from './form/cell.ts';
import { findColumn } from './form/header-names.ts';
import type { Column } from './form/header-names.ts';
import type { Delimiter } from './form/options.ts';
import type { RowError } from './row-error.ts';

/** Notes stand behind the line, as the interface document has it; a file may have any order. */
export const COLUMNS: readonly Column[] = [
  ...EVENT_FIELD_LIST.map(({ name }) => name).filter((name) => name !== 'notes'),
  ...FIRST_LINE_COLUMNS,
  'notes',
  ...LATER_LINE_COLUMNS,
];

const REQUIRED_COLUMNS: readonly Column[] = [...EVENT_FIELD_LIST, ...LINE_FIELD_LIST]
  .filter(({ facts }) => facts.required)
  .map(({ name }) => name);

/** Cells of a header row; more columns than there are names for are refused at once. */
const HEADER_CELLS_MAX = 100;
export const HEADER_ROW = 1;

/** Where each column stands; -1 when the file has none. */
export type ColumnPlaces = Readonly<Record<Column, number>>;

export interface Header {
  readonly places: ColumnPlaces;
  /** Cells of a complete row: the named columns. */
  readonly width: number;
  /** Cells of the header row, nameless ones at its end as well: no row has more. */
  readonly cellsMax: number;
  /** Columns in the order of the file, to name a column by its place. */
  readonly names: readonly Column[];
  /** What stands between cells; null in a workbook. */
  readonly delimiter: Delimiter | null;
}

export type HeaderReading =
  | { readonly kind: 'read'; readonly header: Header }
  | { readonly kind: 'invalid'; readonly errors: readonly RowError[] };

/**
 * Reads the header row. Nameless cells at the end (trailing delimiters of a spreadsheet) are left out.
 */
export function readHeader(cells: readonly Cell[], delimiter: Delimiter | null): HeaderReading {
  const names = cells.map(textOf);
  while (names.at(-1) === '') names.pop();
  if (names.length > HEADER_CELLS_MAX) {
    const msg = `Header should have at most ${HEADER_CELLS_MAX} columns`;
    return { kind: 'invalid', errors: [{ row: HEADER_ROW, column: null, msg, type: 'too_long' }] };
  }
  const errors: RowError[] = [];
  const places: Record<Column, number> = { ...NOWHERE };
  const columns: Column[] = [];
  names.forEach((name, place) => {
    const column = findColumn(name);
    if (column === undefined) {
      // The place and not the name: of a file that is no CSV the name is whatever its bytes are.
      const msg = `Cell ${place + 1} of the header does not name a known column`;
      errors.push({ row: HEADER_ROW, column: null, msg, type: 'extra_forbidden' });
    } else if (places[column] >= 0) {
      const msg = 'Column should stand in the header once';
      errors.push({ row: HEADER_ROW, column, msg, type: 'duplicate_column' });
    } else {
      places[column] = place;
      columns.push(column);
    }
  });
  for (const column of REQUIRED_COLUMNS) {
    if (places[column] < 0) {
      errors.push({ row: HEADER_ROW, column, msg: 'Field required', type: 'missing' });
    }
  }
  if (errors.length > 0) return { kind: 'invalid', errors };
  const header: Header = {
    places,
    width: names.length,
    cellsMax: cells.length,
    names: columns,
    delimiter,
  };
  return { kind: 'read', header };
}

const NOWHERE = Object.fromEntries(COLUMNS.map((column) => [column, -1])) as ColumnPlaces;

/**
 * What is wrong with a row that has more cells than the header. Empty ones count as well: a decimal
 * comma moves every cell after it to the right, and the last ones are mostly empty.
 */
export function surplusCells(
  cells: readonly Cell[],
  { width, cellsMax, delimiter }: Pick<Header, 'width' | 'cellsMax' | 'delimiter'>,
): string | undefined {
  // The cells of a workbook cannot move.
  if (delimiter !== null && cells.length > cellsMax) {
    return (
      `Row should have at most ${cellsMax} cells, as the header has, and has ${cells.length}: ` +
      'quote cells that hold the delimiter, and write decimals with a point'
    );
  }
  const place = cells.findIndex((cell, index) => index >= width && !isBlankCell(cell));
  if (place < 0) return undefined;
  return `Cell ${place + 1} should be empty: the header does not name its column`;
}
