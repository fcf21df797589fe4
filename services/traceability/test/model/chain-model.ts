// The plain model of a hub: what tenants posted, corrected and held, in the order of the blocks, and
// what counts of it now. Written from the service page (sections 4 to 6) with plain sets and maps; it
// takes nothing from the service, so that both cannot be wrong in the same way.
import { changed, planChanges } from './correction-model.ts';
import { decimalOf } from './decimal.ts';
import type { Decimal } from './decimal.ts';
import { compareInstants, utcText } from './instants.ts';

export type Direction = 'in' | 'out';

export interface PostedLine {
  readonly lot_code: string;
  readonly product_sku: string;
  readonly direction: Direction;
  readonly quantity: number;
  readonly unit: string;
  readonly customer_ref?: string;
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

export class ChainModel {
  readonly #events = new Map<number, RecordedEvent>();
  readonly #namings = new Map<string, Map<string, Naming>>();
  readonly #holds = new Map<string, Map<string, Hold>>();

  /** @param height of the block that the hub answered with */
  post(tenantId: string, height: number, posted: PostedEvent): void {
    const sealed = eventOf(posted);
    this.#events.set(height, {
      height,
      tenantId,
      sealed,
      effective: sealed,
      voided: false,
      corrections: [],
      everNamed: codesOf(sealed),
    });
    this.#nameLots(tenantId, height, sealed);
  }

  /** What a correction changes; undefined when the page demands a 400. */
  plan(tenantId: string, posted: PostedCorrection): readonly RequestedChange[] | undefined {
    const target = this.#events.get(posted.corrects_event_id);
    if (target === undefined || target.tenantId !== tenantId) return undefined;
    return planChanges(target, posted.changes);
  }

  /** Applies a correction that `plan` allows. */
  correct(tenantId: string, height: number, posted: PostedCorrection): void {
    const target = this.#events.get(posted.corrects_event_id);
    const changes = this.plan(tenantId, posted);
    if (target === undefined || changes === undefined) throw new Error('correcting the impossible');
    const corrected = changes.reduce<RecordedEvent>(changed, target);
    const corrections = [...target.corrections, { height, reason: posted.reason, changes }];
    const everNamed = new Set([...target.everNamed, ...codesOf(corrected.effective)]);
    this.#events.set(target.height, { ...corrected, corrections, everNamed });
    this.#nameLots(tenantId, height, corrected.effective);
  }

  hold(tenantId: string, lotCode: string, hold: Hold): void {
    const holds = this.#holds.get(tenantId) ?? new Map<string, Hold>();
    this.#holds.set(tenantId, holds);
    // A lot that is held by hand already stays held as it was.
    if (!holds.has(lotCode)) holds.set(lotCode, hold);
  }

  release(tenantId: string, lotCode: string): void {
    this.#holds.get(tenantId)?.delete(lotCode);
  }

  holdOf(tenantId: string, lotCode: string): Hold | undefined {
    return this.#holds.get(tenantId)?.get(lotCode);
  }

  /** All events of a tenant in the order of their blocks, voided ones included. */
  eventsOf(tenantId: string): readonly RecordedEvent[] {
    return [...this.#events.values()]
      .filter((event) => event.tenantId === tenantId)
      .sort((a, b) => a.height - b.height);
  }

  /** Those that did happen. */
  countingEventsOf(tenantId: string): readonly RecordedEvent[] {
    return this.eventsOf(tenantId).filter((event) => !event.voided);
  }

  /** Every lot that a block of the tenant ever named; a correction makes none unknown. */
  namingsOf(tenantId: string): ReadonlyMap<string, Naming> {
    return this.#namings.get(tenantId) ?? new Map<string, Naming>();
  }

  get tenantIds(): readonly string[] {
    return [...this.#namings.keys()];
  }

  #nameLots(tenantId: string, height: number, event: ModelEvent): void {
    const namings = this.#namings.get(tenantId) ?? new Map<string, Naming>();
    this.#namings.set(tenantId, namings);
    for (const { lot_code, product_sku } of event.lines) {
      if (!namings.has(lot_code)) namings.set(lot_code, { height, productSku: product_sku });
    }
  }
}

/** Negative when the event occurred before the other; those of one instant in the order of blocks. */
export function byOccurrence(a: RecordedEvent, b: RecordedEvent): number {
  return compareInstants(a.effective.occurred_at, b.effective.occurred_at) || a.height - b.height;
}

function codesOf(event: ModelEvent): ReadonlySet<string> {
  return new Set(event.lines.map((line) => line.lot_code));
}

function eventOf(posted: PostedEvent): ModelEvent {
  const isSell = posted.event_type === 'SELL';
  return {
    event_type: posted.event_type,
    occurred_at: utcText(posted.occurred_at),
    location: posted.location,
    reference: posted.reference,
    notes: posted.notes ?? null,
    lines: posted.lines.map((line) => ({
      lot_code: line.lot_code,
      product_sku: line.product_sku,
      direction: line.direction,
      quantity: decimalOf(line.quantity),
      unit: line.unit,
      // Kept for SELL only.
      customer_ref: isSell ? (line.customer_ref ?? null) : null,
      channel: isSell ? (line.channel ?? null) : null,
      supplier_name: line.supplier_name ?? null,
      origin_facility: line.origin_facility ?? null,
      supplier_lot_code: line.supplier_lot_code ?? null,
    })),
  };
}
