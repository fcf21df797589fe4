// The differences that there can be between the stored tree and the signed one.
import type { TreeHead } from '@lothub/chain/log';
import type { LedgerMismatch } from '../verify/mismatch.ts';

export function recordUnreadable(height: number): LedgerMismatch {
  return {
    height,
    code: 'log_record_unreadable',
    message: 'the record of what the log signed last, beside the database, cannot be read',
  };
}

/** @param signed a larger tree than that of `size` blocks */
export function rolledBack(size: number, signed: TreeHead): LedgerMismatch {
  return {
    height: size,
    code: 'log_rolled_back',
    message: `${signed.origin} signed a checkpoint of ${signed.size} blocks, but there are only ${size}`,
  };
}

export function forked({ origin, size }: TreeHead): LedgerMismatch {
  return {
    height: size - 1,
    code: 'log_forked',
    message: `the first ${size} blocks are not those under the checkpoint of ${size} blocks that ${origin} signed`,
  };
}

export function frontierDiffers(height: number): LedgerMismatch {
  return {
    height,
    code: 'frontier_differs',
    message: `the frontier of the tree is not what ${height + 1} blocks make up`,
  };
}
