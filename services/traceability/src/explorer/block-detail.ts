// One block with all that is known of it: its transactions, what corrects it, what it corrects.
import type { DatabaseReader } from '@lothub/kit/database';
import type { Static } from 'typebox';
import { readWholeSteps, type WholeSteps } from '../lots/decided/whole-steps.ts';
import { eventStatus } from '../ledger/record/effective.ts';
import type { Block, LedgerReader } from '../ledger/read.ts';
import { readLotsOfChanges } from './changed-lots.ts';
import { correctionsOfEvent, findEventStanding } from './queries.ts';
import type { BlockDetailSchema, Transaction } from './schema.ts';
import { blockItem, changeView, listTransactions } from './views.ts';

/** Corrections of one event that are named. */
const CORRECTED_BY_MAX = 1_000;

export type BlockDetail = Omit<Static<typeof BlockDetailSchema>, 'transactions'> & {
  transactions: Transaction[];
};

export async function blockDetail(reader: LedgerReader, block: Block): Promise<BlockDetail> {
  return await readDetail(reader, block, await readWholeSteps(reader.database, [block]));
}

/** @param steps of the block, as `readWholeSteps` finds them */
export async function readDetail(
  { database }: LedgerReader,
  block: Block,
  steps: WholeSteps,
): Promise<BlockDetail> {
  const lots = await readLotsOfChanges(database, [block]);
  const detail = { ...blockItem(block, steps), transactions: [...listTransactions(block, lots)] };
  const { payload } = block;
  switch (payload.type) {
    case 'genesis':
      return { ...detail, corrected_by: [] };
    case 'event':
      return { ...detail, ...(await readStanding(database, block.height)) };
    case 'correction': {
      const { correction } = payload;
      return {
        ...detail,
        corrected_by: [],
        corrects_height: correction.corrects_block_height,
        corrects_hash: correction.corrects_block_hash,
        reason: correction.reason,
        changes: correction.changes.map(changeView),
      };
    }
    case 'audit':
      return { ...detail, corrected_by: [], audit: { ...payload.audit } };
    default:
      return { ...detail, corrected_by: [], decision: { ...payload.decision } };
  }
}

async function readStanding(
  database: DatabaseReader,
  height: number,
): Promise<Pick<BlockDetail, 'status' | 'corrected_by' | 'corrected_by_count'>> {
  const standing = await findEventStanding(database, height);
  const corrected = standing?.correctionCount ?? 0;
  const corrections = await correctionsOfEvent(database, { height, limit: CORRECTED_BY_MAX });
  return {
    status: eventStatus({ isVoided: standing?.voided === 1, corrections: corrected }),
    corrected_by: corrections.map((one) => ({ height: one.height, block_hash: one.hash })),
    corrected_by_count: corrected,
  };
}
