// The columns of an imported file: what they are called, which must be there, and where they stand
// in the file at hand (interface document, "CSV import").
import type { RowError } from './row-error.ts';

/** In the order of the interface document; a file may have them in any order. */
export const COLUMNS = [
  'external_id',
  'event_type',
  'occurred_at',
  'location',
  'reference',
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
  'customer_ref',
  'channel',
  'supplier_name',
  'origin_facility',
  'supplier_lot_code',
  'notes',
] as const;
export type Column = (typeof COLUMNS)[number];

const REQUIRED_COLUMNS: readonly Column[] = [
  'event_type',
  'occurred_at',
  'location',
  'reference',
  'lot_code',
  'product_sku',
  'direction',
  'quantity',
  'unit',
];

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

const NOWHERE: ColumnPlaces = {
  external_id: -1,
  event_type: -1,
  occurred_at: -1,
  location: -1,
  reference: -1,
  lot_code: -1,
  product_sku: -1,
  direction: -1,
  quantity: -1,
  unit: -1,
  customer_ref: -1,
  channel: -1,
  supplier_name: -1,
  origin_facility: -1,
  supplier_lot_code: -1,
  notes: -1,
};

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
