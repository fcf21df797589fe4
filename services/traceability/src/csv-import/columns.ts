// Finds the columns of an imported file: their names, which are required, and their places in the
// file (docs/interface/traceability.md#columns).
import {
  EVENT_FIELD_LIST,
  FIRST_LINE_COLUMNS,
  LATER_LINE_COLUMNS,
  LINE_FIELD_LIST,
} from '../ledger/record/fields.ts';
import { isBlankCell, toText, type Cell } from './form/cell.ts';
import { findColumn, type Column } from './form/header-names.ts';
import type { Delimiter } from './form/options.ts';
import type { RowError } from './row-error.ts';

/**
 * Notes come after the line (docs/interface/traceability.md#columns); a file may have any order.
 */
export const COLUMNS: readonly Column[] = [
  ...EVENT_FIELD_LIST.map(({ name }) => name).filter((name) => name !== 'notes'),
  ...FIRST_LINE_COLUMNS,
  'notes',
  ...LATER_LINE_COLUMNS,
];

export const REQUIRED_COLUMNS: readonly Column[] = [...EVENT_FIELD_LIST, ...LINE_FIELD_LIST]
  .filter(({ facts }) => facts.required)
  .map(({ name }) => name);

/** Cells of a header row; more columns than there are names for are refused at once. */
export const HEADER_CELLS_MAX = 100;
export const HEADER_ROW = 1;

/** The place of each column; -1 when the file has none. */
export type ColumnPlaces = Readonly<Record<Column, number>>;

export interface Header {
  readonly places: ColumnPlaces;
  /** Cells of a complete row: the named columns. */
  readonly width: number;
  /** Cells of the header row, nameless ones at its end as well: no row has more. */
  readonly cellsMax: number;
  /** Cells of a complete row as it is in the file: `width` without what a mapping adds. */
  readonly fileWidth: number;
  /** Columns in the order of the file, to name a column by its place; undefined: it is left out. */
  readonly names: readonly (Column | undefined)[];
  /** The delimiter of cells; null in a workbook. */
  readonly delimiter: Delimiter | null;
}

export type HeaderReading =
  | { readonly kind: 'read'; readonly header: Header }
  | { readonly kind: 'invalid'; readonly errors: readonly RowError[] };

/**
 * Reads the header row. Nameless cells at the end (trailing delimiters of a spreadsheet) are left out.
 */
export function readHeader(cells: readonly Cell[], delimiter: Delimiter | null): HeaderReading {
  const names = headerTexts(cells);
  if (names.length > HEADER_CELLS_MAX) return tooManyColumns();
  const errors: RowError[] = [];
  const places: Record<Column, number> = { ...NOWHERE };
  const columns: Column[] = [];
  names.forEach((name, place) => {
    const column = findColumn(name);
    if (column === undefined) {
      // The message gives the place and not the name: in a file that is no CSV the name may be any
      // bytes.
      const msg = `Cell ${place + 1} of the header does not name a known column`;
      errors.push({ row: HEADER_ROW, column: null, msg, type: 'extra_forbidden' });
    } else if (places[column] >= 0) {
      errors.push(twice(column));
    } else {
      places[column] = place;
      columns.push(column);
    }
  });
  errors.push(...missingColumns(places));
  if (errors.length > 0) return invalidHeader(errors);
  const header: Header = {
    places,
    width: names.length,
    fileWidth: names.length,
    cellsMax: cells.length,
    names: columns,
    delimiter,
  };
  return { kind: 'read', header };
}

/** The texts of a header, without nameless cells at its end. */
export function headerTexts(cells: readonly Cell[]): readonly string[] {
  const names = cells.map(toText);
  while (names.at(-1) === '') names.pop();
  return names;
}

/**
 * Reads a header whose columns a person has mapped.
 * @param mapped `columns` by their places, null for all of them: none is read; `others` come after
 * the cells of each row
 */
export function readMappedHeader(
  cells: readonly Cell[],
  delimiter: Delimiter | null,
  mapped: {
    readonly columns: readonly (Column | null)[] | null;
    readonly others: readonly Column[];
  },
): HeaderReading {
  const names = headerTexts(cells);
  if (names.length > HEADER_CELLS_MAX) return tooManyColumns();
  const { columns: own, others } = mapped;
  if (own !== null && own.length !== names.length) {
    const msg = 'Header should be the one whose columns were mapped';
    return invalidHeader([{ row: HEADER_ROW, column: null, msg, type: 'extra_forbidden' }]);
  }
  const columns = [...(own ?? names.map(() => null)), ...others];
  const places: Record<Column, number> = { ...NOWHERE };
  const errors: RowError[] = [];
  for (const [place, column] of columns.entries()) {
    if (column === null) continue;
    if (places[column] >= 0) errors.push(twice(column));
    else places[column] = place;
  }
  if (own !== null) errors.push(...missingColumns(places));
  if (errors.length > 0) return invalidHeader(errors);
  const header: Header = {
    places,
    width: columns.length,
    fileWidth: names.length,
    cellsMax: cells.length + others.length,
    names: columns.map((column) => column ?? undefined),
    delimiter,
  };
  return { kind: 'read', header };
}

function invalidHeader(errors: readonly RowError[]): HeaderReading {
  return { kind: 'invalid', errors };
}

function tooManyColumns(): HeaderReading {
  const msg = `Header should have at most ${HEADER_CELLS_MAX} columns`;
  return invalidHeader([{ row: HEADER_ROW, column: null, msg, type: 'too_long' }]);
}

function twice(column: Column): RowError {
  const msg = 'Column should be in the header once';
  return { row: HEADER_ROW, column, msg, type: 'duplicate_column' };
}

function missingColumns(places: ColumnPlaces): readonly RowError[] {
  return REQUIRED_COLUMNS.filter((column) => places[column] < 0).map((column) => ({
    row: HEADER_ROW,
    column,
    msg: 'Field required',
    type: 'missing',
  }));
}

const NOWHERE = Object.fromEntries(COLUMNS.map((column) => [column, -1])) as ColumnPlaces;

/**
 * Returns the fault of a row that has more cells than the header. Empty cells count as well: a
 * decimal comma moves every cell after it to the right, and the last ones are mostly empty.
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
