// What a person says of the columns of one file, where its header does not say it or says it in other words.
import type { Column } from './header-names.ts';

/** What a person said of the columns of one file. Plain values: they cross a thread. */
export interface FileMapping {
  /** What each column is, by its place; null: it is left out. */
  readonly columns: readonly (Column | null)[];
  /** Of columns that the file does not have, the one text of all rows. */
  readonly same: Readonly<Partial<Record<Column, string>>>;
  /** `HH:MM` that dates without a time get; null: such dates are refused. */
  readonly timeOfDay: string | null;
  /** Cells that were written anew, by the number of their row. */
  readonly mended: Readonly<Record<string, MendedCells>>;
}
export type MendedCells = Readonly<Partial<Record<Column, string>>>;
