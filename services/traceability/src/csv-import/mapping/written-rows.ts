// Returns rows of a file with their original cells, for its sender. The cells are private.
import { toText, type Cell } from '../form/cell.ts';
import type { CheckedFile } from '../event-check.ts';
import type { RowSource } from '../rows.ts';
import { AS_IT_IS } from './row-reading.ts';

/** Characters of a cell that are shown. */
export const SHOWN_CHARACTERS_MAX = 200;

export interface WrittenRow {
  readonly row: number;
  /** The cells by their places; long ones are cut. */
  readonly cells: readonly string[];
}

export function writtenRow(row: number, cells: readonly Cell[]): WrittenRow {
  return { row, cells: cells.map((cell) => shownText(toText(cell))) };
}

function shownText(text: string): string {
  if (text.length <= SHOWN_CHARACTERS_MAX) return text;
  return `${text.slice(0, SHOWN_CHARACTERS_MAX).toWellFormed()}…`;
}

/** Rows that have one of the errors that are kept. */
export async function readWrongRows(
  source: RowSource,
  { errors }: Pick<CheckedFile, 'errors'>,
): Promise<readonly WrittenRow[]> {
  const wanted = new Set(errors.map(({ row }) => row));
  const found: WrittenRow[] = [];
  if (wanted.size === 0) return found;
  await source({
    reading: AS_IT_IS,
    header: () => undefined,
    row: (row, cells) => {
      if (wanted.has(row)) found.push(writtenRow(row, cells));
    },
    turn: () => Promise.resolve(),
  });
  return found;
}
