// What tenants posted, and what a plain model keeps of it: events, their lines and corrections.
import type { Decimal } from './decimal.ts';

export type Direction = 'in' | 'out';

export interface PostedLine {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: Direction;
  readonly quantity: number;
  readonly unit: string;
  readonly customer_ref?: string;
  readonly consignee_ref?: string;
  readonly channel?: string;
  readonly supplier_name?: string;
  readonly origin_facility?: string;
  readonly supplier_lot_code?: string;
}

export const TYPES = [
  'RECEIVE',
  'PRODUCE',
  'CONSUME',
  'PACK',
  'TRANSFER',
  'SHIP',
  'SELL',
  'DISPOSE',
  'CORRECTION',
] as const;

/** An event as it is posted. */
export interface PostedEvent {
  readonly event_type: (typeof TYPES)[number];
  readonly occurred_at: string;
  readonly location: string;
  readonly reference: string;
  readonly notes?: string;
  readonly lines: readonly PostedLine[];
}

export interface RequestedChange {
  readonly field: string;
  readonly old_value: string | number | null;
  readonly new_value: string | number | null;
}

/** A correction as it is posted. */
export interface PostedCorrection {
  readonly corrects_event_id: number;
  readonly reason: string;
  readonly requested_by: string;
  readonly changes: readonly RequestedChange[];
}

/** A line as it counts; null where nothing was said. */
export interface ModelLine {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: Direction;
  readonly quantity: Decimal;
  readonly unit: string;
  readonly customer_ref: string | null;
  readonly consignee_ref: string | null;
  readonly channel: string | null;
  readonly supplier_name: string | null;
  readonly origin_facility: string | null;
  readonly supplier_lot_code: string | null;
}

/** An event with the instant in UTC; its own tenant's view, private values included. */
export interface ModelEvent {
  readonly event_type: PostedEvent['event_type'];
  readonly occurred_at: string;
  readonly location: string;
  readonly reference: string;
  readonly notes: string | null;
  readonly lines: readonly ModelLine[];
}

export interface AppliedCorrection {
  readonly height: number;
  readonly reason: string;
  /** In the order asked for, each field in the spelling of the chain. */
  readonly changes: readonly RequestedChange[];
}

export interface RecordedEvent {
  readonly height: number;
  readonly tenantId: string;
  readonly sealed: ModelEvent;
  readonly effective: ModelEvent;
  readonly voided: boolean;
  readonly corrections: readonly AppliedCorrection[];
  /** Every lot that a line of it named at any time. */
  readonly everNamed: ReadonlySet<string>;
}

/** The first block that named a lot, and the SKU it was named with there. */
export interface Naming {
  readonly height: number;
  readonly productSku: string;
}

export interface Hold {
  readonly reason: string;
  readonly by: string;
}
