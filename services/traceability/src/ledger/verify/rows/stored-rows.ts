// The rows that a verification compares with the blocks, as `verify/queries.ts` reads them.
import type { CorrectionHistories } from './histories.ts';

/** `tenant_*` is null when the row's tenant is not listed. */
export interface EventRow {
  readonly height: number;
  readonly tenant_no: number;
  readonly tenant_id: string | null;
  readonly tenant_first_height: number | null;
  readonly event_type: string;
  readonly external_id: string | null;
  readonly occurred_at: string;
  readonly reference: string;
  readonly line_count: number;
  readonly link_basis: number;
  readonly correction_count: number;
  readonly voided: number;
}

/** What a row says of the lot it points at; null when that lot is not listed. */
export interface NamedLot {
  readonly lot_no: number;
  readonly lot_code: string | null;
  readonly lot_first_height: number | null;
  readonly lot_first_sku: string | null;
}

export interface LineRow extends NamedLot {
  readonly height: number;
  readonly line_no: number;
  readonly lot_tenant_no: number | null;
  readonly product_sku: string;
  readonly direction: string;
  readonly quantity: string;
  readonly unit: string;
  readonly link_basis: number;
}

export interface ProvenanceRow {
  readonly height: number;
  readonly line_no: number;
  readonly tenant_no: number;
  readonly lot_no: number;
  readonly is_leaf: number;
  readonly supplier_name: string | null;
  readonly origin_facility: string | null;
  readonly supplier_lot_code: string | null;
}

/** A row of `corrections`; `tenant_id` is null when its tenant is not listed. */
export interface CorrectionRow {
  readonly height: number;
  readonly tenant_id: string | null;
  readonly corrects_height: number;
  readonly change_count: number;
  /** As the row of the corrected event says; null when there is none. */
  readonly line_count: number | null;
}

/** A row of `lot_mentions`; `lot_tenant_id` is null when the lot or its tenant is not listed. */
export interface MentionRow extends NamedLot {
  readonly height: number;
  readonly lot_tenant_id: string | null;
}

export interface PrivateLineRow {
  readonly height: number;
  readonly line_no: number;
  readonly customer_ref: string | null;
  readonly channel: string | null;
  readonly salt: string;
}

export interface PrivateNotesRow {
  readonly height: number;
  readonly notes: string;
  readonly salt: string;
}

export interface PrivateRequestRow {
  readonly height: number;
  readonly requested_by: string;
  readonly salt: string;
}

export interface PrivateChangeRow {
  readonly height: number;
  readonly change_no: number;
  readonly from_text: string | null;
  readonly to_text: string | null;
  readonly salt: string;
}

export interface ImportKeyRow {
  readonly height: number;
  readonly tenant_id: string | null;
  readonly group_key: string;
}

/** Private rows of the heights of one slice, each list by height and number. */
export interface PrivateRows {
  readonly privateLines: readonly PrivateLineRow[];
  readonly privateNotes: readonly PrivateNotesRow[];
  readonly privateRequests: readonly PrivateRequestRow[];
  readonly privateChanges: readonly PrivateChangeRow[];
}

/** All rows that belong to the heights of one slice, each list by height and number. */
export interface SliceRows extends PrivateRows {
  readonly events: readonly EventRow[];
  readonly lines: readonly LineRow[];
  readonly provenances: readonly ProvenanceRow[];
  readonly corrections: readonly CorrectionRow[];
  readonly mentions: readonly MentionRow[];
  readonly importKeys: readonly ImportKeyRow[];
  /** The corrections of the slice's events, and the events that its corrections correct. */
  readonly histories: CorrectionHistories;
}
