// The plain model of a hub: what tenants posted, corrected and held, in the order of the blocks, and
// what counts of it now. Written from docs/interface/traceability.md with plain sets and maps; it takes
// nothing from the service, so that both cannot be wrong in the same way.
import { changed, planChanges } from './correction-model.ts';
import { toDecimal } from './decimal.ts';
import { compareInstants, utcText } from './instants.ts';
import type {
  PostedEvent,
  RequestedChange,
  PostedCorrection,
  ModelEvent,
  RecordedEvent,
  Naming,
  Hold,
} from './records.ts';

interface TenantEvents {
  readonly all: readonly RecordedEvent[];
  readonly counting: readonly RecordedEvent[];
}

export class ChainModel {
  readonly #events = new Map<number, RecordedEvent>();
  readonly #namings = new Map<string, Map<string, Naming>>();
  readonly #holds = new Map<string, Map<string, Hold>>();
  /** What was listed since the last block: the same list answers until there is another one. */
  readonly #listed = new Map<string, TenantEvents>();

  /** @param height of the block that the hub answered with */
  post(tenantId: string, height: number, posted: PostedEvent): void {
    const sealed = toModelEvent(posted);
    this.#listed.clear();
    this.#events.set(height, {
      height,
      tenantId,
      sealed,
      effective: sealed,
      voided: false,
      corrections: [],
      everNamed: listCodes(sealed),
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
    const everNamed = new Set([...target.everNamed, ...listCodes(corrected.effective)]);
    this.#listed.clear();
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

  findHold(tenantId: string, lotCode: string): Hold | undefined {
    return this.#holds.get(tenantId)?.get(lotCode);
  }

  /** All events of a tenant in the order of their blocks, voided ones included. */
  listEvents(tenantId: string): readonly RecordedEvent[] {
    return this.#list(tenantId).all;
  }

  /** Those that did happen. */
  listCountingEvents(tenantId: string): readonly RecordedEvent[] {
    return this.#list(tenantId).counting;
  }

  /** Every lot that a block of the tenant ever named; a correction makes none unknown. */
  mapNamings(tenantId: string): ReadonlyMap<string, Naming> {
    return this.#namings.get(tenantId) ?? new Map<string, Naming>();
  }

  get tenantIds(): readonly string[] {
    return [...this.#namings.keys()];
  }

  #list(tenantId: string): TenantEvents {
    const known = this.#listed.get(tenantId);
    if (known !== undefined) return known;
    const all = [...this.#events.values()]
      .filter((event) => event.tenantId === tenantId)
      .sort((a, b) => a.height - b.height);
    const listed = { all, counting: all.filter((event) => !event.voided) };
    this.#listed.set(tenantId, listed);
    return listed;
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

function listCodes(event: ModelEvent): ReadonlySet<string> {
  return new Set(event.lines.map((line) => line.lot_code));
}

function toModelEvent(posted: PostedEvent): ModelEvent {
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
      quantity: toDecimal(line.quantity),
      unit: line.unit,
      // Kept for SELL only.
      customer_ref: isSell ? (line.customer_ref ?? null) : null,
      // Kept for what goes out with a SHIP only.
      consignee_ref:
        posted.event_type === 'SHIP' && line.direction === 'out'
          ? (line.consignee_ref ?? null)
          : null,
      channel: isSell ? (line.channel ?? null) : null,
      supplier_name: line.supplier_name ?? null,
      origin_facility: line.origin_facility ?? null,
      supplier_lot_code: line.supplier_lot_code ?? null,
    })),
  };
}
