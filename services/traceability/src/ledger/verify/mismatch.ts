// The faults that a verification can find, as one closed list of codes, and the bounded list of
// findings.
import type { ChainFaultCode } from '@lothub/chain';

/**
 * All differences that there can be between a stored ledger and the sealed one. Faults of the chain
 * itself are named by `@lothub/chain`; docs/operating.md says what to do about each.
 */
export type LedgerMismatchCode =
  | ChainFaultCode
  /** Alarms of versions before 0.6, whose blocks had columns beside the text for their link. */
  | 'link_columns_differ'
  /** The payload hashes as stored but is nothing that this service seals. */
  | 'payload_unreadable'
  /** The block corrects nothing that can be corrected. */
  | 'correction_invalid'
  | 'event_row_missing'
  | 'event_row_differs'
  | 'event_row_extra'
  | 'line_row_missing'
  | 'line_row_differs'
  | 'line_row_extra'
  /** The origin of the lot of a line. */
  | 'provenance_row_missing'
  | 'provenance_row_differs'
  | 'provenance_row_extra'
  | 'correction_row_missing'
  | 'correction_row_differs'
  | 'correction_row_extra'
  /** The type and the subject of a block of a decision. */
  | 'decision_row_missing'
  | 'decision_row_differs'
  | 'decision_row_extra'
  /** The marker that older decisions are sealed. */
  | 'decision_sealing_missing'
  | 'decision_sealing_differs'
  /** A row contains a decision that has no block. */
  | 'decision_not_sealed'
  /** Holds by hand. */
  | 'hold_row_missing'
  | 'hold_row_differs'
  | 'hold_row_extra'
  /** Recall cases with their moves, lots, holds and notifications. */
  | 'case_row_missing'
  | 'case_row_differs'
  | 'case_row_extra'
  /** An open case lacks what blocks give that it is said to have followed. */
  | 'case_not_followed'
  /** Recall drills. */
  | 'drill_row_missing'
  | 'drill_row_differs'
  | 'drill_row_extra'
  /** The state of a notification of a case. */
  | 'response_row_missing'
  | 'response_row_differs'
  | 'response_row_extra'
  /** The published facts of a brand, its products and places. */
  | 'brand_row_missing'
  | 'brand_row_differs'
  | 'brand_row_extra'
  | 'product_row_missing'
  | 'product_row_differs'
  | 'product_row_extra'
  | 'place_row_missing'
  | 'place_row_differs'
  | 'place_row_extra'
  /** The bytes of a picture of a product. */
  | 'picture_missing'
  | 'picture_differs'
  | 'picture_extra'
  /** The number of a block among the blocks of the audit. */
  | 'audit_block_row_missing'
  | 'audit_block_row_differs'
  | 'audit_block_row_extra'
  /** An entry of the audit that has a place in its chain. */
  | 'audit_entry_missing'
  | 'audit_entry_differs'
  /** An entry that has no place in the chain, although it is not a new one. */
  | 'audit_entry_extra'
  /** The places of the audit's chain have a gap. */
  | 'audit_chain_gap'
  /** A block says another hash, or a place that the audit's chain does not reach. */
  | 'audit_chain_differs'
  /** An entry names a block that does not say what the entry says, or names none. */
  | 'audit_block_unfit'
  /** A decision or correction without an entry. */
  | 'audit_entry_of_block_missing'
  /** A stored key against the entries of its issue and of what became of it. */
  | 'key_row_missing'
  | 'key_row_differs'
  | 'key_row_extra'
  /** A stored link of a supplier's name to a brand against the entries that made and ended it. */
  | 'supplier_row_missing'
  | 'supplier_row_differs'
  | 'supplier_row_extra'
  /** Lots that a block concerns besides those of its lines. */
  | 'mention_row_missing'
  | 'mention_row_extra'
  | 'lot_row_missing'
  | 'lot_row_differs'
  | 'lot_row_extra'
  /** The mass balance of a lot for one SKU and unit. */
  | 'quantity_row_missing'
  | 'quantity_row_differs'
  | 'quantity_row_extra'
  /** The search text of a lot. */
  | 'text_row_missing'
  | 'text_row_differs'
  | 'text_row_extra'
  | 'tenant_row_missing'
  | 'tenant_row_differs'
  | 'tenant_row_extra'
  /** Private values and salt do not open the commitment in the block. */
  | 'private_row_differs'
  /** Private values for which the block has no commitment. */
  | 'private_row_extra'
  /** Private values are missing, and no block says that they were erased. */
  | 'private_row_missing'
  /** Blocks whose private values were erased. */
  | 'erasure_row_missing'
  | 'erasure_row_extra'
  | 'import_key_differs'
  | 'import_key_extra'
  | 'head_missing'
  | 'head_differs'
  | TipMismatchCode
  | LogMismatchCode
  | WitnessFindingCode
  | AdvisoryCode
  /** A complete tile of the tree over the chain. */
  | 'tile_missing'
  | 'tile_differs'
  | 'tile_extra'
  /** The engine's own check of its file failed. */
  | 'storage_damaged'
  /** Rows could not be read at all. */
  | 'unreadable';

/** The chain is not the one whose tip was noted outside of the database; accepted by `--accept-tip`. */
export const TIP_MISMATCH_CODES = [
  'tail_missing',
  'tip_differs',
  'tip_record_missing',
  'tip_record_unreadable',
  /** The writer has found another tip than the one it left. */
  'tip_changed',
] as const;
export type TipMismatchCode = (typeof TIP_MISMATCH_CODES)[number];

/** Returns whether the noted tip must not be changed: it is the only witness of the lost blocks. */
export function isTipMismatch(code: string): boolean {
  return TIP_MISMATCH_CODES.some((known) => known === code);
}

/** The tree over the chain is not the one that was signed, or this cannot be checked. */
export const LOG_MISMATCH_CODES = [
  'log_rolled_back',
  'log_forked',
  'log_record_unreadable',
  /** The stored frontier does not follow from the blocks. */
  'frontier_differs',
] as const;
export type LogMismatchCode = (typeof LOG_MISMATCH_CODES)[number];

/**
 * Findings from witnesses of the log, or from their silence: no verification of the ledger can
 * disprove them.
 */
export const WITNESS_FINDING_CODES = [
  /** A witness has cosigned a larger tree than the stored one. */
  'witness_ahead',
  /**
   * The record of the last signed head is missing, and too few witnesses report what they have
   * cosigned.
   */
  'log_unconfirmed',
] as const;
export type WitnessFindingCode = (typeof WITNESS_FINDING_CODES)[number];

/** Signed blocks are lost, or may be: only another log can continue from there. */
export const LOSS_CODES = [
  'log_rolled_back',
  'log_forked',
  'log_record_unreadable',
  'witness_ahead',
] as const;

/** While one of them is open nothing is signed. */
export const HOLDING_CODES = [
  ...TIP_MISMATCH_CODES,
  ...LOG_MISMATCH_CODES,
  ...WITNESS_FINDING_CODES,
] as const;
export type HoldingCode = (typeof HOLDING_CODES)[number];

/** Returns whether a finding stops signing until an operator decides. */
export function isHolding(code: string): boolean {
  return HOLDING_CODES.some((known) => known === code);
}

/** Findings that an operator should look at, and that say nothing against the stored chain. */
export const ADVISORY_CODES = [
  /** A witness refuses the proof that leads to the newest tree, although the stored tree is sound. */
  'witness_refuses',
] as const;
export type AdvisoryCode = (typeof ADVISORY_CODES)[number];

/** Returns whether the chain is sound in spite of the finding. */
export function isAdvisory(code: string): boolean {
  return ADVISORY_CODES.some((known) => known === code);
}

export interface LedgerMismatch {
  /** First height that is not as it was sealed. */
  readonly height: number;
  readonly code: LedgerMismatchCode;
  /** One sentence for an operator; holds no value of a row or payload. */
  readonly message: string;
}

/** Findings kept; the rest is counted. */
const FINDINGS_MAX = 100;

/** Collects findings, bounded; the lowest height is never dropped. */
export class Findings {
  readonly #kept: LedgerMismatch[] = [];
  #count = 0;

  get list(): readonly LedgerMismatch[] {
    return this.#kept;
  }

  get count(): number {
    return this.#count;
  }

  add(mismatch: LedgerMismatch): void {
    this.#count += 1;
    if (this.#kept.length < FINDINGS_MAX) {
      this.#kept.push(mismatch);
      return;
    }
    const lowest = Math.min(...this.#kept.map((kept) => kept.height));
    if (mismatch.height < lowest) this.#kept[FINDINGS_MAX - 1] = mismatch;
  }
}

/** The first bad height of some findings; null when there are none. */
export function firstBadHeight(mismatches: readonly LedgerMismatch[]): number | null {
  if (mismatches.length === 0) return null;
  return mismatches.reduce((least, { height }) => Math.min(least, height), Infinity);
}
