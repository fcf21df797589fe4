// The columns of an imported file: what they are called, which must be there, and where they stand
// in the file at hand (interface document, "CSV import").
import { EVENT_FIELD_LIST, LINE_FIELD_LIST } from '../ledger/record/fields.ts';
import type { EventFieldName, LineFieldName } from '../ledger/record/fields.ts';
import type { RowError } from './row-error.ts';

export type Column = EventFieldName | LineFieldName;

/** Notes stand behind the line, as the interface document has it; a file may have any order. */
export const COLUMNS: readonly Column[] = [
  ...EVENT_FIELD_LIST.map(({ name }) => name).filter((name) => name !== 'notes'),
  ...LINE_FIELD_LIST.map(({ name }) => name),
  'notes',
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
  /** Names in the order of the file, to name a column by its place. */
  readonly names: readonly string[];
}

export type HeaderReading =
  | { readonly kind: 'read'; readonly header: Header }
  | { readonly kind: 'invalid'; readonly errors: readonly RowError[] };

/**
 * Reads the header row. Names are taken without regard to case and surrounding spaces; nameless
 * cells at the end (trailing delimiters of a spreadsheet) are left out.
 */
export function readHeader(cells: readonly string[]): HeaderReading {
  const names = cells.map((cell) => cell.trim().toLowerCase());
  while (names.at(-1) === '') names.pop();
  if (names.length > HEADER_CELLS_MAX) {
    const msg = `Header should have at most ${HEADER_CELLS_MAX} columns`;
    return { kind: 'invalid', errors: [{ row: HEADER_ROW, column: null, msg, type: 'too_long' }] };
  }
  const errors: RowError[] = [];
  const places: Record<Column, number> = { ...NOWHERE };
  names.forEach((name, place) => {
    if (!isColumn(name)) {
      // The place and not the name: of a file that is no CSV the name is whatever its bytes are.
      const msg = `Cell ${place + 1} of the header does not name a known column`;
      errors.push({ row: HEADER_ROW, column: null, msg, type: 'extra_forbidden' });
    } else if (places[name] >= 0) {
      const msg = 'Column should stand in the header once';
      errors.push({ row: HEADER_ROW, column: name, msg, type: 'duplicate_column' });
    } else {
      places[name] = place;
    }
  });
  for (const column of REQUIRED_COLUMNS) {
    if (places[column] < 0) {
      errors.push({ row: HEADER_ROW, column, msg: 'Field required', type: 'missing' });
    }
  }
  if (errors.length > 0) return { kind: 'invalid', errors };
  const header: Header = { places, width: names.length, cellsMax: cells.length, names };
  return { kind: 'read', header };
}

const NOWHERE = Object.fromEntries(COLUMNS.map((column) => [column, -1])) as ColumnPlaces;

function isColumn(name: string): name is Column {
  return Object.hasOwn(NOWHERE, name);
}

/** Tried in this order; on equal terms the first one wins. */
const DELIMITERS = [',', ';', '\t'] as const;

/** The delimiter that cuts the header line into the most known columns. */
export function findDelimiter(headerLine: string): string {
  const known = (delimiter: string): number =>
    headerLine
      .split(delimiter)
      .filter((cell) => isColumn(cell.replaceAll('"', '').trim().toLowerCase())).length;
  return DELIMITERS.reduce<string>(
    (best, delimiter) => (known(delimiter) > known(best) ? delimiter : best),
    DELIMITERS[0],
  );
}
