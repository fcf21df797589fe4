// Compares the tree over the stored chain with the tree that was signed last.
import { computeRoot, sameBytes, type Frontier, type TreeHead } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { Tip } from '../draft.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import type { StoredIdentity } from './log-identity.ts';
import { forked, frontierDiffers, recordUnreadable, rolledBack } from './log-mismatches.ts';
import type { LogRecordReading } from './log-record.ts';

/** The last block as it is stored, with the tree over the chain: all of one moment. */
export interface TreeAtTip {
  readonly tip: Tip;
  /** Undefined while the tree is being built. */
  readonly frontier: Frontier | undefined;
  /** Blocks from genesis on that complete tiles hold. */
  readonly tiled: number;
  /** An alarm that holds the log (HOLDING_CODES) is open. */
  readonly isAlarmed: boolean;
  /** The current log as it is stored: an operator may replace its keys, or begin another log. */
  readonly stored: StoredIdentity | undefined;
  /** A tree that it signed, as the database keeps it; undefined of a log that has noted none yet. */
  readonly noted: TreeHead | undefined;
}

/** The functions that the keeper needs from the engine. */
export interface LogDatabase {
  readTree(): Promise<TreeAtTip>;
  /** The root over the first blocks, from tiles and blocks and not from the stored frontier. */
  rootAt(size: number): Promise<Uint8Array>;
  /** Stores a finding, once while it is open. */
  raiseAlarm(mismatch: LedgerMismatch): Promise<void>;
  /** Notes a tree that was signed, if it is larger than the one that is noted. */
  noteSigned(epoch: number, head: TreeHead): Promise<void>;
}

/**
 * Returns the first contradiction between the stored tree and the signed one, or within the stored
 * tree.
 */
export async function findMismatch(
  { record, tree }: { readonly record: LogRecordReading; readonly tree: TreeAtTip },
  log: { readonly database: Pick<LogDatabase, 'rootAt'>; readonly origin: string },
): Promise<LedgerMismatch | undefined> {
  const { tip, frontier } = tree;
  const { database, origin } = log;
  const size = tip.height + 1;
  if (record.kind === 'unreadable') return recordUnreadable(tip.height);
  // If the record is missing, the tree that the database keeps is the next best witness.
  const isRecorded = record.kind === 'read' && record.value.origin === origin;
  const signed = isRecorded ? record.value : tree.noted;
  if (signed !== undefined && signed.size > size) return rolledBack(size, signed);
  // Without a frontier all blocks would be hashed again at each look.
  if (frontier === undefined) return undefined;
  if (signed !== undefined && !sameBytes(await database.rootAt(signed.size), signed.root)) {
    return forked(signed);
  }
  const root = signed?.size === size ? signed.root : await database.rootAt(size);
  return sameBytes(computeRoot(frontier, sha256Bytes), root)
    ? undefined
    : frontierDiffers(tip.height);
}
