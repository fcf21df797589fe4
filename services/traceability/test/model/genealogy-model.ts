// What the plain model says of the genealogy (docs/interface/traceability.md#genealogy): which lots lead to
// which, and what of it is shown at a depth. Every link is there as a pair, and every walk goes over all of
// them.
import type { ChainModel } from './chain-model.ts';
import type { Direction, RecordedEvent } from './records.ts';

/** One lot leads to another: by an event, or by a reference that two events share. */
export interface ModelEdge {
  readonly from: string | null;
  readonly to: string;
  readonly from_type: 'lot' | 'supplier_lot';
  readonly basis: 'event' | 'reference';
  readonly event_id: number;
  /** Of basis `reference`: the event on the side of what went in. */
  readonly in_event_id: number | null;
  readonly block_height: number;
  readonly event_type: string;
  readonly occurred_at: string;
  readonly reference: string;
}

/** Where a received lot came from, as a leaf above it. */
export interface SupplierLot {
  readonly supplier_name: string | null;
  readonly origin_facility: string | null;
  readonly supplier_lot_code: string | null;
}

interface Delivery {
  readonly supplierLot: SupplierLot;
  readonly lotCode: string;
  readonly productSku: string;
  readonly edge: ModelEdge;
}

export interface Graph {
  /** Without those from supplier lots. */
  readonly edges: readonly ModelEdge[];
  /** Lines that say where their lot came from, in the order of blocks and lines. */
  readonly provenances: readonly Delivery[];
  /** Those of a RECEIVE: they give the leaves of the genealogy. */
  readonly deliveries: readonly Delivery[];
}

const graphs = new WeakMap<readonly RecordedEvent[], Graph>();

/** All links and deliveries of a tenant. */
export function buildGraph(model: ChainModel, tenantId: string): Graph {
  const counting = model.listCountingEvents(tenantId);
  const known = graphs.get(counting);
  if (known !== undefined) return known;
  const events = counting.filter((event) => event.effective.event_type !== 'CORRECTION');
  const graph = {
    edges: [...events.flatMap(linksOfEvent), ...linksByReference(events)],
    provenances: events.flatMap(listDeliveries),
    deliveries: events
      .filter((event) => event.effective.event_type === 'RECEIVE')
      .flatMap(listDeliveries),
  };
  graphs.set(counting, graph);
  return graph;
}

/** Every in-lot leads to every out-lot of the same event, never to itself. */
function linksOfEvent(event: RecordedEvent): readonly ModelEdge[] {
  return pairs(listCodes(event, 'in'), listCodes(event, 'out')).map(([from, to]) => ({
    from,
    to,
    from_type: 'lot',
    basis: 'event',
    in_event_id: null,
    ...buildLabel(event),
  }));
}

/**
 * A CONSUME with only `in` lines and a PRODUCE or PACK with only `out` lines of one reference. However
 * many events say so, a pair of lots is linked once by a reference; the first event on each side is named.
 */
function linksByReference(events: readonly RecordedEvent[]): readonly ModelEdge[] {
  const consumes = events.filter(
    (event) => event.effective.event_type === 'CONSUME' && listCodes(event, 'out').size === 0,
  );
  const outputs = events.filter(
    (event) =>
      ['PRODUCE', 'PACK'].includes(event.effective.event_type) && listCodes(event, 'in').size === 0,
  );
  const edges = new Map<string, ModelEdge>();
  for (const output of outputs) {
    for (const consume of consumes) {
      const { reference } = output.effective;
      if (consume.effective.reference !== reference) continue;
      for (const [from, to] of pairs(listCodes(consume, 'in'), listCodes(output, 'out'))) {
        const key = JSON.stringify([from, to, reference]);
        if (edges.has(key)) continue;
        edges.set(key, {
          from,
          to,
          from_type: 'lot',
          basis: 'reference',
          in_event_id: consume.height,
          ...buildLabel(output),
        });
      }
    }
  }
  return [...edges.values()];
}

function listDeliveries(event: RecordedEvent): readonly Delivery[] {
  return event.effective.lines.flatMap((line) => {
    const { supplier_name, origin_facility, supplier_lot_code, lot_code } = line;
    if ((supplier_name ?? origin_facility ?? supplier_lot_code) === null) return [];
    const edge: ModelEdge = {
      from: supplier_lot_code,
      to: lot_code,
      from_type: 'supplier_lot',
      basis: 'event',
      in_event_id: null,
      ...buildLabel(event),
    };
    const supplierLot = { supplier_name, origin_facility, supplier_lot_code };
    return [{ supplierLot, lotCode: lot_code, productSku: line.product_sku, edge }];
  });
}

/** Who uses a lot code, by name; those who are not named are nobody. */
export function suppliersUsing(
  { provenances }: Pick<Graph, 'provenances'>,
  supplierLotCode: string,
): readonly string[] {
  const using = provenances.filter(
    ({ supplierLot }) => supplierLot.supplier_lot_code === supplierLotCode,
  );
  return [...new Set(using.flatMap(({ supplierLot }) => supplierLot.supplier_name ?? []))].sort();
}

/** Own lots that came in under a lot code of a supplier, or of nobody who is named; null: of anybody. */
export function lotsReceived(
  { provenances }: Pick<Graph, 'provenances'>,
  received: { readonly supplierLotCode: string; readonly supplierName: string | null },
): ReadonlySet<string> {
  const meant = provenances.filter(
    ({ supplierLot: { supplier_lot_code: code, supplier_name: name } }) =>
      code === received.supplierLotCode &&
      (received.supplierName === null || name === null || name === received.supplierName),
  );
  return new Set(meant.map(({ lotCode }) => lotCode));
}

function buildLabel(
  event: RecordedEvent,
): Pick<ModelEdge, 'event_id' | 'block_height' | 'event_type' | 'occurred_at' | 'reference'> {
  const { event_type, occurred_at, reference } = event.effective;
  return {
    event_id: event.height,
    block_height: event.height,
    event_type,
    occurred_at,
    reference,
  };
}

function listCodes(event: RecordedEvent, direction: Direction): ReadonlySet<string> {
  const { lines } = event.effective;
  return new Set(lines.filter((line) => line.direction === direction).map((line) => line.lot_code));
}

function pairs(froms: ReadonlySet<string>, tos: ReadonlySet<string>): readonly [string, string][] {
  return [...froms].flatMap((from) =>
    [...tos].filter((to) => to !== from).map((to): [string, string] => [from, to]),
  );
}

/** Hops to all lots that lead to these (`upstream`) or that these lead to; 0 of themselves. */
export function distancesFrom(
  edges: readonly ModelEdge[],
  starts: Iterable<string>,
  direction: 'upstream' | 'downstream',
): ReadonlyMap<string, number> {
  const next = neighboursIn(edges)[direction];
  const distances = new Map([...starts].map((start): [string, number] => [start, 0]));
  for (const [lot, distance] of distances) {
    for (const there of next.get(lot) ?? []) {
      if (!distances.has(there)) distances.set(there, distance + 1);
    }
  }
  return distances;
}

type Neighbours = Readonly<Record<'upstream' | 'downstream', ReadonlyMap<string, Set<string>>>>;
const neighbours = new WeakMap<readonly ModelEdge[], Neighbours>();

function neighboursIn(edges: readonly ModelEdge[]): Neighbours {
  const known = neighbours.get(edges);
  if (known !== undefined) return known;
  const [upstream, downstream] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const { from, to } of edges) {
    if (from === null) continue;
    upstream.set(to, (upstream.get(to) ?? new Set<string>()).add(from));
    downstream.set(from, (downstream.get(from) ?? new Set<string>()).add(to));
  }
  const made = { upstream, downstream };
  neighbours.set(edges, made);
  return made;
}
