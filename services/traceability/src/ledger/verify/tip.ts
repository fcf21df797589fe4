// The chain against the record of its tip that is kept outside of the database: notices a cut tail
// and a restored old copy, which are good chains in themselves.
import type { Tip } from '../draft.ts';
import type { TipRecordReading } from '../tip-record.ts';
import type { LedgerMismatch } from './mismatch.ts';

/** Reads the tip record; null where a ledger keeps none. */
export type TipRecordSource = (() => TipRecordReading) | null;

/**
 * Judges a record that was read before the chain was: it may be behind, never ahead.
 *
 * @param chain the last block, and the hash of the block at the record's height, if there is one
 */
export function findTipMismatch(
  reading: TipRecordReading,
  chain: { readonly lastHeight: number; readonly recordedHash: string | undefined },
): LedgerMismatch | undefined {
  const { lastHeight, recordedHash } = chain;
  switch (reading.kind) {
    case 'absent':
      // A crash between the first commit and the first record leaves a genesis block and no record.
      if (lastHeight <= 0) return undefined;
      return {
        height: lastHeight,
        code: 'tip_record_missing',
        message: 'the record of the tip beside the database is gone',
      };
    case 'unreadable':
      return {
        height: Math.max(lastHeight, 0),
        code: 'tip_record_unreadable',
        message: 'the record of the tip beside the database cannot be read',
      };
    case 'read':
      return recordedHash === reading.value.hash ? undefined : notTheTip(reading.value, chain);
  }
}

function notTheTip(
  tip: Tip,
  chain: { readonly lastHeight: number; readonly recordedHash: string | undefined },
): LedgerMismatch {
  if (chain.recordedHash === undefined) {
    const height = Math.max(0, Math.min(tip.height, chain.lastHeight + 1));
    return {
      height,
      code: 'tail_missing',
      message: `blocks ${height} to ${tip.height} were sealed but are not in the database`,
    };
  }
  return {
    height: tip.height,
    code: 'tip_differs',
    message: `block ${tip.height} is not the block that was sealed`,
  };
}

/**
 * The head is stored together with the last block. A head that is ahead of the last block proves that a later
 * block existed.
 */
export function findCutTail(
  head: { readonly height: number },
  { height }: { readonly height: number },
): LedgerMismatch | undefined {
  if (head.height <= height) return undefined;
  return {
    height: height + 1,
    code: 'tail_missing',
    message: `the head says that block ${head.height} was sealed, but block ${height} is the last`,
  };
}
