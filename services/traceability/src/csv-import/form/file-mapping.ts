// The columns of one file according to a person, where its header lacks them or names them
// otherwise.
import type { Column } from './header-names.ts';

/** The columns of one file according to a person. Plain values: they cross a thread. */
export interface FileMapping {
  /** The column at each place; null: it is left out. */
  readonly columns: readonly (Column | null)[];
  /** The text that all rows share, for columns that the file does not have. */
  readonly same: Readonly<Partial<Record<Column, string>>>;
  /** `HH:MM` that dates without a time get; null: such dates are refused. */
  readonly timeOfDay: string | null;
  /** Corrected cells, by the number of their row. */
  readonly mended: Readonly<Record<string, MendedCells>>;
}
export type MendedCells = Readonly<Partial<Record<Column, string>>>;
