// Decisions that were made before decisions were sealed: the conversion of one table's rows to
// blocks.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import type { BlockDraft } from '../draft.ts';

/** Rows of one batch, if each row becomes a block: the blocks are sealed in one transaction. */
export const ROWS_PER_BATCH = 500;

/** Sealed in one transaction. */
export interface ExistingBatch {
  /** Each has `migrated: true`, and the `at` of its row. At least one. */
  readonly decisions: readonly BlockDraft[];
  /** Write the heights (`sealedHeight`) into the rows of the decisions. */
  readonly statements: readonly Sql[];
}

/** The rows of one table whose decisions are to be sealed at the first start of this version. */
export interface ExistingDecisions {
  readonly table: string;
  /**
   * Returns one row with the column `unsealed`: the number of decisions in the rows that have no
   * block. At a hub that has sealed its older decisions, each is a finding.
   */
  readonly unsealed: Sql;
  /**
   * Plans the next batch, in the transaction that seals it, after the lock on the head. It reads
   * the rows without heights, so that another start continues where one was interrupted.
   * @returns undefined when all are sealed
   */
  readonly next: (
    reader: Pick<DatabaseReader, 'all' | 'first'>,
  ) => Promise<ExistingBatch | undefined>;
}
