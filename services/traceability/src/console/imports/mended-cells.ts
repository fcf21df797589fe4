// Cells of wrong rows that a person has corrected on the page. They replace those of the file.
import type { FormValues } from '@lothub/design/form-values';
import { COLUMNS } from '../../csv-import/columns.ts';
import type { MendedCells } from '../../csv-import/form/file-mapping.ts';

/** Corrected cells of one file; a file with more errors is corrected where it was made. */
const MENDED_CELLS_MAX = 1_000;
const MEND_FIELD = /^row_(\d{1,7})\.([a-z_]+)$/;

/** Adds the corrected cells of this form to earlier ones. A cell that is sent empty is empty from now on. */
export function withMended(
  before: Readonly<Record<string, MendedCells>>,
  values: FormValues,
): Readonly<Record<string, MendedCells>> {
  const mended: Record<string, Record<string, string>> = {};
  for (const [row, cells] of Object.entries(before)) mended[row] = { ...cells };
  let count = Object.values(before).reduce((sum, cells) => sum + Object.keys(cells).length, 0);
  for (const [name, text] of Object.entries(values)) {
    const [, row, columnName] = MEND_FIELD.exec(name) ?? [];
    const column = COLUMNS.find((one) => one === columnName);
    if (row === undefined || column === undefined) continue;
    const cells = (mended[row] ??= {});
    if (cells[column] === undefined) count += 1;
    if (count > MENDED_CELLS_MAX) break;
    cells[column] = text;
  }
  return mended;
}
