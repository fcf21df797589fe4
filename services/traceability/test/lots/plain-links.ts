// The genealogy by the plain words of docs/interface/traceability.md#links, for tests to compare with:
// every link is there as a pair of lots, and every walk goes over all of them. It takes nothing from the
// service, so that both cannot be wrong in the same way.
import fc from 'fast-check';
import type { EventInput } from '../../src/events/schema.ts';
import { makeEvent, makeLine } from '../ledger.ts';

export interface PlainEdge {
  readonly from: string;
  readonly to: string;
  readonly basis: 'event' | 'reference';
  /** Number of the event, from 1; of a reference that on the out-side. */
  readonly event: number;
  readonly inEvent?: number;
}

/** All links of the events: the product of both sides of each, and of those that share a reference. */
export function plainLinks(events: readonly EventInput[]): readonly PlainEdge[] {
  const edges: PlainEdge[] = [];
  const byReference = new Map<string, PlainEdge>();
  const numbered = events.map((event, index) => ({ ...event, number: index + 1 }));
  for (const event of numbered) {
    if (event.event_type === 'CORRECTION') continue;
    for (const [from, to] of pairs(codes(event, 'in'), codes(event, 'out'))) {
      edges.push({ from, to, basis: 'event', event: event.number });
    }
    const isOutput = event.event_type === 'PRODUCE' || event.event_type === 'PACK';
    if (!isOutput || codes(event, 'in').size > 0) continue;
    for (const other of numbered) {
      if (other.event_type !== 'CONSUME' || other.reference !== event.reference) continue;
      if (codes(other, 'out').size > 0) continue;
      for (const [from, to] of pairs(codes(other, 'in'), codes(event, 'out'))) {
        const key = JSON.stringify([from, to, event.reference]);
        const edge = { from, to, basis: 'reference', event: event.number } as const;
        if (!byReference.has(key)) byReference.set(key, { ...edge, inEvent: other.number });
      }
    }
  }
  return [...edges, ...byReference.values()];
}

/** That a line says where its lot came from: `from` names the supplier's lot as `supplierKey` does. */
export interface PlainDelivery extends PlainEdge {
  readonly supplierLotCode: string | undefined;
  readonly isLeaf: boolean;
}

export function plainDeliveries(events: readonly EventInput[]): readonly PlainDelivery[] {
  return events.flatMap((event, index) =>
    event.lines.flatMap((line): readonly PlainDelivery[] => {
      const { supplier_name, origin_facility, supplier_lot_code } = line;
      const facts = [supplier_name, origin_facility, supplier_lot_code];
      if (event.event_type === 'CORRECTION' || facts.every((text) => text === undefined)) return [];
      const delivery: PlainDelivery = {
        from: supplierKey(supplier_name, origin_facility, supplier_lot_code),
        to: line.lot_code,
        basis: 'event',
        event: index + 1,
        supplierLotCode: supplier_lot_code ?? undefined,
        isLeaf: event.event_type === 'RECEIVE',
      };
      return [delivery];
    }),
  );
}

export function supplierKey(...facts: readonly (string | null | undefined)[]): string {
  return `supplier ${facts.map((text) => text ?? '-').join(' ')}`;
}

export function reversed(edge: PlainEdge): PlainEdge {
  return { ...edge, from: edge.to, to: edge.from };
}

/** Hops from these lots along the edges to every lot; 0 of themselves. */
export function plainDistances(
  edges: readonly PlainEdge[],
  starts: readonly string[],
): Map<string, number> {
  const distances = new Map(starts.map((lot): [string, number] => [lot, 0]));
  for (const [lot, distance] of distances) {
    for (const { from, to } of edges) {
      if (from === lot && !distances.has(to)) distances.set(to, distance + 1);
    }
  }
  return distances;
}

/** Groups of two or more lots of which each leads to each other. */
export function plainCycles(edges: readonly PlainEdge[]): number {
  const lots = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const reached = new Map(lots.map((lot) => [lot, plainDistances(edges, [lot])]));
  const groups = lots.map((lot) =>
    lots.filter((other) => reached.get(lot)?.has(other) && reached.get(other)?.has(lot)),
  );
  return new Set(groups.filter((group) => group.length > 1).map(String)).size;
}

function codes(event: EventInput, direction: 'in' | 'out'): ReadonlySet<string> {
  const lines = event.lines.filter((line) => line.direction === direction);
  return new Set(lines.map((line) => line.lot_code));
}

function pairs(froms: ReadonlySet<string>, tos: ReadonlySet<string>): readonly [string, string][] {
  return [...froms].flatMap((from) =>
    [...tos].filter((to) => to !== from).map((to): [string, string] => [from, to]),
  );
}

const TYPES = ['RECEIVE', 'PRODUCE', 'CONSUME', 'PACK', 'TRANSFER', 'SELL', 'CORRECTION'] as const;
const LOTS = ['A', 'B', 'C', 'D', 'E', 'F', 'G'] as const;

/** A few suppliers with few lot codes, one of which an own lot has as well. */
const provenance = fc.constantFrom(
  {},
  {},
  {},
  { supplier_name: 'Mill', supplier_lot_code: 'S-1' },
  { supplier_name: 'Dairy', supplier_lot_code: 'S-1' },
  { origin_facility: 'Mill 2', supplier_lot_code: 'A' },
  { supplier_name: 'Mill' },
);

const line = fc
  .tuple(fc.constantFrom('in', 'out'), fc.constantFrom(...LOTS), provenance)
  .map(([direction, lot, from]) => makeLine(direction, lot, direction === 'in' ? from : {}));

/** Short chains of few lots: everything meets everything. */
export const plainSupplyChain: fc.Arbitrary<readonly EventInput[]> = fc.array(
  fc
    .record({
      type: fc.constantFrom(...TYPES),
      reference: fc.constantFrom('R-1', 'R-2'),
      lines: fc.array(line, { minLength: 1, maxLength: 4 }),
    })
    .map(({ type, reference, lines }) => makeEvent(type, lines, { reference })),
  { minLength: 1, maxLength: 10 },
);
