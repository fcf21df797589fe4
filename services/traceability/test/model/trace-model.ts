// What the plain model says of a lot's chain: the events of the lot and of all lots related to it, as
// sealed and as they count, in the order in which they occurred
// (docs/interface/traceability.md#the-chain-of-a-lot).
import { byOccurrence, type ChainModel } from './chain-model.ts';
import type { AppliedCorrection, ModelEvent, RecordedEvent } from './records.ts';
import { toNumber } from './decimal.ts';
import { buildGraph, distancesFrom } from './genealogy-model.ts';

type View = Omit<ModelEvent, 'event_type' | 'lines'> & { readonly lines: readonly object[] };

export interface ModelTraced {
  readonly id: number;
  readonly event_type: string;
  readonly status: 'accepted' | 'corrected' | 'voided';
  readonly occurred_at: string;
  readonly block_height: number;
  readonly lot_codes: readonly string[];
  readonly original: View;
  readonly effective: View;
  readonly corrections: readonly (Omit<AppliedCorrection, 'height'> & {
    readonly id: number;
    readonly block_height: number;
  })[];
}

/** Also those that named a related lot until they were corrected, and those that did not happen. */
export function tracedEvents(
  model: ChainModel,
  tenantId: string,
  lotCode: string,
): readonly ModelTraced[] | undefined {
  const { edges, provenances } = buildGraph(model, tenantId);
  const isOwn = model.mapNamings(tenantId).has(lotCode);
  const received = provenances
    .filter(({ supplierLot }) => supplierLot.supplier_lot_code === lotCode)
    .map((one) => one.lotCode);
  const starts = isOwn ? [lotCode] : received;
  if (starts.length === 0) return undefined;
  const related = new Set(distancesFrom(edges, starts, 'downstream').keys());
  // The inputs of a supplier's lot are not known.
  if (isOwn) for (const code of distancesFrom(edges, starts, 'upstream').keys()) related.add(code);
  return model
    .listEvents(tenantId)
    .filter((event) => [...event.everNamed].some((code) => related.has(code)))
    .toSorted(byOccurrence)
    .map(tracedEvent);
}

export function tracedEvent(event: RecordedEvent): ModelTraced {
  return {
    id: event.height,
    event_type: event.effective.event_type,
    status: event.voided ? 'voided' : event.corrections.length > 0 ? 'corrected' : 'accepted',
    occurred_at: event.effective.occurred_at,
    block_height: event.height,
    lot_codes: [...new Set(event.effective.lines.map((line) => line.lot_code))],
    original: toView(event.sealed),
    effective: toView(event.effective),
    corrections: event.corrections.map(({ height, reason, changes }) => ({
      id: height,
      block_height: height,
      reason,
      changes,
    })),
  };
}

function toView({ occurred_at, location, reference, notes, lines }: ModelEvent): View {
  return {
    occurred_at,
    location,
    reference,
    notes,
    lines: lines.map((line) => ({ ...line, quantity: toNumber(line.quantity) })),
  };
}
