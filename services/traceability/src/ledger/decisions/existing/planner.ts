// What was decided before decisions were sealed: how the rows of one table become blocks.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Sql } from 'sql-template-tag';
import type { BlockDraft } from '../draft.ts';

/** Of one batch, where each row becomes a block: they are blocks of one transaction. */
export const ROWS_PER_BATCH = 500;

/** Sealed in one transaction. */
export interface ExistingBatch {
  /** Each with `migrated: true`, and `at` as the row says it. At least one. */
  readonly decisions: readonly BlockDraft[];
  /** Put the heights (`sealedHeight`) into the rows that the decisions are made of. */
  readonly statements: readonly Sql[];
}

/** The rows of one table whose decisions are to be sealed at the first start of this version. */
export interface ExistingDecisions {
  readonly table: string;
  /**
   * Answers one row with the column `unsealed`: how many decisions the rows tell of that no block says.
   * At a hub that has sealed what it had, each is a finding.
   */
  readonly unsealed: Sql;
  /**
   * Plans the next batch, in the transaction that seals it, behind the lock on the head. What it reads
   * are rows that lack heights, so that another start goes on where one was ended.
   * @returns undefined when all are sealed
   */
  readonly next: (
    reader: Pick<DatabaseReader, 'all' | 'first'>,
  ) => Promise<ExistingBatch | undefined>;
}
