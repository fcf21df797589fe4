// In which ways the stored tree can be another one than the one that was signed.
import type { LedgerMismatch } from '../verify/mismatch.ts';

export function recordUnreadable(height: number): LedgerMismatch {
  return {
    height,
    code: 'log_record_unreadable',
    message: 'the record of what the log signed last, beside the database, cannot be read',
  };
}

export function rolledBack(size: number, signedSize: number): LedgerMismatch {
  return {
    height: size,
    code: 'log_rolled_back',
    message: `a tree of ${signedSize} blocks was signed, but there are only ${size}`,
  };
}

export function forked(signedSize: number): LedgerMismatch {
  return {
    height: signedSize - 1,
    code: 'log_forked',
    message: `the first ${signedSize} blocks are not those that were signed`,
  };
}

export function frontierDiffers(height: number): LedgerMismatch {
  return {
    height,
    code: 'frontier_differs',
    message: `the frontier of the tree is not what ${height + 1} blocks make up`,
  };
}
