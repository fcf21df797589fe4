// Errors of rows in the language of the reader: errors and columns are found by their names in the interface.
import type { Column } from '../../csv-import/form/header-names.ts';
import { COLUMNS } from '../../csv-import/columns.ts';
import type { RowError } from '../../csv-import/row-error.ts';
import type { Reader, Words } from '../../web/words/reader.ts';

type ErrorWords = Words['console']['imports']['errors'];

/** Errors that have the text of another one. */
const SAME: Readonly<Record<string, keyof ErrorWords>> = {
  too_short: 'string_too_short',
  float_type: 'float_parsing',
  string_type: 'other',
};

export function columnLabel(column: Column, { words }: Reader): string {
  if (column === 'external_id' || column === 'event_type')
    return words.console.imports.fields[column];
  return words.labels.fields[column];
}

/** The name of a column that an error names, if it is one. */
export function findNamedColumn(name: string | null): Column | undefined {
  return COLUMNS.find((column) => column === name);
}

export function errorWords(
  { type, column }: Pick<RowError, 'type' | 'column'>,
  { words }: Reader,
): string {
  const { errors } = words.console.imports;
  if (type === 'enum' && column === 'event_type') return errors.enumEventType;
  if (type === 'enum' && column === 'direction') return errors.enumDirection;
  const known = Object.entries(errors).find(([name]) => name === (SAME[type] ?? type));
  return known?.[1] ?? errors.other;
}
