// The rows that a verification compares with the blocks, as `verify/queries.ts` reads them.
import type { ReadRowOf } from '@lothub/kit/rows/stored-table';
import type { AUDIT_BLOCKS } from '../../tables/audit.ts';
import type {
  CORRECTIONS,
  DECISIONS,
  EVENTS,
  IMPORT_KEYS,
  LINES,
  LOT_MENTIONS,
  PROVENANCES,
} from '../../tables/chain.ts';
import type {
  PrivateChangeRow,
  PrivateDecisionRow,
  PrivateLineRow,
  PrivateNotesRow,
  PrivateRequestRow,
} from '../../tables/private.ts';
import type { CompareDecided } from '../decided/check.ts';
import type { CorrectionHistories } from './histories.ts';

/** `tenant_*` is null when the row's tenant is not listed. */
export interface EventRow extends ReadRowOf<typeof EVENTS> {
  readonly tenant_id: string | null;
  readonly tenant_first_height: number | null;
}

/** The lot that a row references, as listed; null when that lot is not listed. */
export interface NamedLot {
  readonly lot_no: number;
  readonly lot_code: string | null;
  readonly lot_first_height: number | null;
  readonly lot_first_sku: string | null;
}

export interface LineRow extends ReadRowOf<typeof LINES>, NamedLot {
  readonly lot_tenant_no: number | null;
}

export type DecisionRow = ReadRowOf<typeof DECISIONS>;

/** A row of `audit_blocks`; `chained_hash` is null when the chain of the audit has no such place. */
export interface AuditBlockRow extends ReadRowOf<typeof AUDIT_BLOCKS> {
  readonly chained_hash: string | null;
}

export type ProvenanceRow = ReadRowOf<typeof PROVENANCES>;

/** A row of `corrections`; `tenant_id` is null when its tenant is not listed. */
export interface CorrectionRow extends ReadRowOf<typeof CORRECTIONS> {
  readonly tenant_id: string | null;
  /** From the row of the corrected event; null when there is none. */
  readonly line_count: number | null;
}

/** A row of `lot_mentions`; `lot_tenant_id` is null when the lot or its tenant is not listed. */
export interface MentionRow extends ReadRowOf<typeof LOT_MENTIONS>, NamedLot {
  readonly lot_tenant_id: string | null;
}

/** `tenant_id` is null when the row's tenant is not listed. */
export interface ImportKeyRow extends ReadRowOf<typeof IMPORT_KEYS> {
  readonly tenant_id: string | null;
}

/** Private rows of the heights of one slice, each list by height and number. */
export interface PrivateRows {
  readonly privateLines: readonly PrivateLineRow[];
  readonly privateNotes: readonly PrivateNotesRow[];
  readonly privateRequests: readonly PrivateRequestRow[];
  readonly privateChanges: readonly PrivateChangeRow[];
  readonly privateDecisions: readonly PrivateDecisionRow[];
}

/** Blocks of one slice whose private values were erased, as blocks of erasures say. */
export interface ErasedHeights {
  /** True once older erasures are sealed as well; before that, no missing value is a finding. */
  readonly isPastSealed: boolean;
  readonly heights: ReadonlySet<number>;
}

/** All rows that belong to the heights of one slice, each list by height and number. */
export interface SliceRows extends PrivateRows {
  readonly events: readonly EventRow[];
  readonly lines: readonly LineRow[];
  readonly provenances: readonly ProvenanceRow[];
  readonly corrections: readonly CorrectionRow[];
  readonly decisions: readonly DecisionRow[];
  readonly auditBlocks: readonly AuditBlockRow[];
  readonly mentions: readonly MentionRow[];
  readonly importKeys: readonly ImportKeyRow[];
  readonly erased: ErasedHeights;
  /** The rows that its decisions have made. */
  readonly decided: readonly CompareDecided[];
  /** The corrections of the slice's events, and the events that its corrections correct. */
  readonly histories: CorrectionHistories;
}
