// The heights of the blocks that were recorded on some days.
import { lastHeightBefore } from '../ledger/recorded-at.ts';
import type { LedgerReader } from '../ledger/read.ts';
import { endOfDay, startOfDay, type BlockFilter } from './filter.ts';
import { BELOW_ALL } from './list-query.ts';

export interface HeightRange {
  /** Both excluded. */
  readonly above: number;
  readonly below: number;
}

export async function readRange(
  { database }: LedgerReader,
  { recordedFrom, recordedTo }: Pick<BlockFilter, 'recordedFrom' | 'recordedTo'>,
  headHeight: number,
): Promise<HeightRange> {
  const lastBefore = (moment: string) => lastHeightBefore(database, { moment, headHeight });
  const below = headHeight + 1;
  return {
    above: recordedFrom === undefined ? BELOW_ALL : await lastBefore(startOfDay(recordedFrom)),
    below: recordedTo === undefined ? below : 1 + (await lastBefore(endOfDay(recordedTo))),
  };
}
