// Writes that are made only while what they were planned on is as it was.
import type { Sql } from 'sql-template-tag';

/** Writes that were planned on some state of the database. */
export interface PlannedChange {
  /** Rows of something new, written before the others are kept from writing. */
  readonly prepared?: PreparedRows;
  /** Answers a row as long as that state holds; it changes nothing. */
  readonly guard: Sql;
  /** All of them, in this order, or none. */
  readonly statements: readonly Sql[];
}

/**
 * Rows that nobody reads, changes or waits for before the change is made, because they belong to something
 * that is not there yet. However many they are, they keep nobody from writing.
 */
export interface PreparedRows {
  /**
   * Inserts what the rows belong to, and answers a row; none when it is there already. Of callers that
   * claim the same thing one prepares at a time, the others wait for the outcome of its change.
   */
  readonly claim: Sql;
  /** Written behind the claim, in this order. */
  readonly statements: readonly Sql[];
}

export type ChangeOutcome =
  | {
      readonly kind: 'done';
      /** Rows that each of the statements answered, in order. */
      readonly rows: readonly (readonly unknown[])[];
    }
  /**
   * The state is another one by now, or what was claimed is there already, and nothing was written: look
   * again.
   */
  | { readonly kind: 'stale' };
