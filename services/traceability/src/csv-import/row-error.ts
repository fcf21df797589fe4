// The errors of an imported file, by row and column, its warnings, by row and block, and the
// limited lists that responses contain. They never contain the text of a cell.
import { FIELD_ERRORS_MAX, type FieldError } from '@lothub/kit/http/field-errors';
import { at } from '@lothub/kit/present';
import type { WarningCode } from '../events/prepare.ts';

export interface RowError {
  /** The number of the row as in a spreadsheet: the header is row 1, blank rows count. */
  readonly row: number;
  /** Name of the column; null when the row as a whole is wrong. */
  readonly column: string | null;
  /** All columns of the row that have the error, the one above first; absent when it is one. */
  readonly columns?: readonly string[];
  readonly msg: string;
  readonly type: string;
  /** The height of the stored event that conflicts, if there is one. */
  readonly block_height?: number;
}

/** The error as it is in a 422: `["body", "file", row, column]`. */
export function fieldErrorOfRow(error: RowError): FieldError {
  const place = error.column === null ? [error.row] : [error.row, error.column];
  const [, ...others] = error.columns ?? [];
  const msg = others.length === 0 ? error.msg : `${error.msg} (also in ${others.join(', ')})`;
  return { loc: ['body', 'file', ...place], msg, type: error.type };
}

/** Each absent field is a fault of its own, because each needs a value. */
const NEVER_JOINED = 'missing';

/**
 * Joins equal messages about several columns of a row: they have one cause, such as a row that got
 * the id of another event.
 */
export function joinRepeats(errors: readonly RowError[]): readonly RowError[] {
  const columnsOf = Map.groupBy(errors, sameErrorKey);
  return [...columnsOf.values()].map((repeats) => {
    const first = at(repeats, 0);
    const columns = [...new Set(repeats.map(({ column }) => column))].filter(
      (name) => name !== null,
    );
    return columns.length < 2 ? first : { ...first, columns };
  });
}

function sameErrorKey(error: RowError, place: number): string {
  const { row, column, type, msg } = error;
  const isAlone = column === null || type === NEVER_JOINED;
  return JSON.stringify(isAlone ? [place] : [row, type, msg]);
}

/** Keeps the first errors only: a file of a million wrong rows must not fill the memory. */
export class RowErrors {
  readonly #kept: RowError[] = [];

  add(error: RowError): void {
    if (this.#kept.length < FIELD_ERRORS_MAX) this.#kept.push(error);
  }

  /** The errors in the order of the rows. */
  get kept(): readonly RowError[] {
    return this.#kept.toSorted((a, b) => a.row - b.row);
  }
}

/** The place of a warning. */
export interface WarnedRow {
  readonly row: number;
  /** The height of the event's block; null while the event is not stored. */
  readonly block_height: number | null;
}

export interface ImportWarning {
  readonly code: WarningCode;
  /** Events that have it. */
  readonly count: number;
  /** The first thousand of them. */
  readonly rows: readonly WarnedRow[];
}

/** Warnings of events, by their code. Plain values cross the thread. */
export class RowWarnings {
  readonly #byCode = new Map<WarningCode, { count: number; readonly rows: WarnedRow[] }>();

  add(code: WarningCode, place: WarnedRow): void {
    const warning = this.#byCode.getOrInsertComputed(code, () => ({ count: 0, rows: [] }));
    warning.count += 1;
    if (warning.rows.length < FIELD_ERRORS_MAX) warning.rows.push(place);
  }

  get kept(): readonly ImportWarning[] {
    return [...this.#byCode].map(([code, { count, rows }]) => ({ code, count, rows }));
  }
}

/** The rest of the file cannot be read, so nothing of it is imported, with any `on_error`. */
export class UnreadableFile extends Error {
  readonly code = 'csv_unreadable';
  readonly errors: readonly RowError[];

  constructor(errors: readonly RowError[]) {
    super(errors.map((error) => `row ${error.row}: ${error.msg}`).join('; '));
    this.name = 'UnreadableFile';
    this.errors = errors;
  }

  static at(row: number, column: string | null, msg: string, type: string): UnreadableFile {
    return new UnreadableFile([{ row, column, msg, type }]);
  }
}
