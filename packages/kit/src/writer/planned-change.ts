// Writes that are made only while what they were planned on is as it was.
import type { Sql } from 'sql-template-tag';

/** Writes that were planned on some state of the database. */
export interface PlannedChange {
  /** Answers a row as long as that state holds; it changes nothing. */
  readonly guard: Sql;
  /** All of them, in this order, or none. */
  readonly statements: readonly Sql[];
}

export type ChangeOutcome =
  | {
      readonly kind: 'done';
      /** Rows that each statement answered, in order. */
      readonly rows: readonly (readonly unknown[])[];
    }
  /** The state is another one by now, and nothing was written: look again. */
  | { readonly kind: 'stale' };
