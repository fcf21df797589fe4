// What is wrong in an imported file, by row and column, and the limited list of it that is kept
// for the answer. Never echoes a cell.
import type { FieldError } from '@lothub/kit/http/field-errors';
import { FIELD_ERRORS_MAX } from '@lothub/kit/http/field-errors';

export interface RowError {
  /** As a spreadsheet numbers it: the header is row 1, blank rows count. */
  readonly row: number;
  /** Name of the column; null when the row as a whole is wrong. */
  readonly column: string | null;
  readonly msg: string;
  readonly type: string;
}

/** The error as it stands in a 422: `["body", "file", row, column]`. */
export function fieldErrorOfRow(error: RowError): FieldError {
  const place = error.column === null ? [error.row] : [error.row, error.column];
  return { loc: ['body', 'file', ...place], msg: error.msg, type: error.type };
}

/** Keeps the first errors only: a file of a million wrong rows must not fill the memory. */
export class RowErrors {
  readonly #kept: RowError[] = [];

  add(error: RowError): void {
    if (this.#kept.length < FIELD_ERRORS_MAX) this.#kept.push(error);
  }

  /** In the order of the rows. */
  get kept(): readonly RowError[] {
    return this.#kept.toSorted((a, b) => a.row - b.row);
  }
}

/** The file cannot be read on from here, so nothing of it is imported, whatever `on_error` says. */
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
