// What the plain model shows of a genealogy at a depth: nodes, edges, and where more follows.
import type { ChainModel } from './chain-model.ts';
import { buildGraph, distancesFrom } from './genealogy-model.ts';
import type { Graph, ModelEdge, SupplierLot } from './genealogy-model.ts';
import { lotItem } from './lots-model.ts';

export interface ModelGenealogy {
  readonly lot_code: string;
  readonly depth: number;
  readonly nodes: readonly ModelNode[];
  readonly upstream: readonly ModelNode[];
  readonly downstream: readonly ModelNode[];
  /** Those from a supplier's lot with all that is known of it. */
  readonly edges: readonly (ModelEdge & Partial<SupplierLot>)[];
  readonly truncated: boolean;
  readonly frontier: readonly string[];
  readonly cycles: number;
}

type Relation = 'self' | 'upstream' | 'downstream';

export interface ModelNode extends Partial<SupplierLot> {
  readonly lot_code: string | null;
  readonly product_sku: string;
  readonly type: 'lot' | 'supplier_lot';
  readonly relation: Relation;
  readonly distance: number;
  readonly status: string | null;
  readonly hold_status: string | null;
}

interface Place {
  readonly relation: Relation;
  readonly distance: number;
}

/** The genealogy of an own lot, or of a supplier's lot when the tenant has none of this code. */
export function buildGenealogy(
  model: ChainModel,
  tenantId: string,
  asked: { readonly lotCode: string; readonly depth: number },
): ModelGenealogy | undefined {
  const graph = buildGraph(model, tenantId);
  const lots = model.mapNamings(tenantId).has(asked.lotCode)
    ? placesAround(graph, asked)
    : placesBelow(graph, asked);
  if (lots.places.size === 0) return undefined;
  const isShown = (code: string | null): boolean => code !== null && lots.places.has(code);
  const between = graph.edges.filter(({ from, to }) => isShown(from) && isShown(to));
  // Only what leads to the lot, or away from it, over lots that are shown.
  const above = distancesFrom(between, lots.upFrom, 'upstream');
  const below = distancesFrom(between, lots.downFrom, 'downstream');
  const suppliers = findSuppliers(graph, { ...asked, ...lots, above });
  const stops = new Set(suppliers.stops);
  for (const { from, to } of graph.edges) {
    if (above.has(to) && !isShown(from)) stops.add(to);
    if (from !== null && below.has(from) && !isShown(to)) stops.add(from);
  }
  const inDirection = (relation: Relation, hops: ReadonlyMap<string, number>): ModelNode[] =>
    [...hops]
      .map(([code, distance]) => ({ code, distance: distance + lots.hopsOfStart }))
      .filter(({ distance }) => distance > 0)
      .map(({ code, distance }) => buildNode(model, tenantId, code, { relation, distance }));
  return {
    lot_code: asked.lotCode,
    depth: asked.depth,
    upstream: [
      ...inDirection('upstream', above),
      ...suppliers.nodes.filter((node) => node.relation === 'upstream'),
    ],
    downstream: inDirection('downstream', below),
    nodes: [
      ...[...lots.places].map(([code, place]) => buildNode(model, tenantId, code, place)),
      ...suppliers.nodes,
    ],
    edges: [
      ...between.filter(({ from, to }) => above.has(to) || (from !== null && below.has(from))),
      ...suppliers.edges,
    ],
    truncated: stops.size > 0,
    frontier: [...stops],
    cycles: countCycles(between, [...lots.places.keys()]),
  };
}

interface Lots {
  readonly places: ReadonlyMap<string, Place>;
  /** Lots that ancestors, and that descendants are shown of. */
  readonly upFrom: readonly string[];
  readonly downFrom: readonly string[];
  /** Hops from what was requested to these. */
  readonly hopsOfStart: number;
}

/** Where a lot is ancestor and descendant it counts where it is nearer, and upstream in a tie. */
function placesAround(
  { edges }: Graph,
  { lotCode, depth }: { readonly lotCode: string; readonly depth: number },
): Lots {
  const up = distancesFrom(edges, [lotCode], 'upstream');
  const down = distancesFrom(edges, [lotCode], 'downstream');
  const places = new Map<string, Place>();
  for (const code of new Set([...up.keys(), ...down.keys()])) {
    const [above, below] = [up.get(code) ?? Infinity, down.get(code) ?? Infinity];
    const distance = Math.min(above, below);
    if (distance > depth) continue;
    const relation = distance === 0 ? 'self' : above <= below ? 'upstream' : 'downstream';
    places.set(code, { relation, distance });
  }
  return { places, upFrom: [lotCode], downFrom: [lotCode], hopsOfStart: 0 };
}

/** A supplier's lot code that no own lot has: the lots that it came into, and their descendants. */
function placesBelow(
  { edges, provenances }: Graph,
  { lotCode, depth }: { readonly lotCode: string; readonly depth: number },
): Lots {
  const into = new Set(
    provenances
      .filter(({ supplierLot }) => supplierLot.supplier_lot_code === lotCode)
      .map((one) => one.lotCode),
  );
  const places = new Map<string, Place>();
  for (const [code, hops] of distancesFrom(edges, into, 'downstream')) {
    if (hops < depth) places.set(code, { relation: 'downstream', distance: hops + 1 });
  }
  return { places, upFrom: [], downFrom: [...into], hopsOfStart: 1 };
}

function buildNode(model: ChainModel, tenantId: string, code: string, place: Place): ModelNode {
  const item = lotItem(model, tenantId, code);
  if (item === undefined) throw new Error(`no lot ${code}`);
  return {
    lot_code: code,
    product_sku: item.product_sku,
    type: 'lot',
    ...place,
    status: item.status,
    hold_status: item.hold_status,
  };
}

interface Suppliers {
  readonly nodes: readonly ModelNode[];
  readonly edges: readonly (ModelEdge & SupplierLot)[];
  /** Lots that came from supplier lots which are not shown. */
  readonly stops: readonly string[];
}

/** Supplier lots: one hop above the nearest lot they came into, or what was requested itself. */
function findSuppliers(
  graph: Graph,
  asked: Lots & {
    readonly lotCode: string;
    readonly depth: number;
    readonly above: ReadonlyMap<string, number>;
  },
): Suppliers {
  const isSeed = asked.upFrom.length === 0;
  const up = distancesFrom(graph.edges, asked.upFrom, 'upstream');
  const deliveries = isSeed
    ? graph.provenances.filter((one) => one.supplierLot.supplier_lot_code === asked.lotCode)
    : graph.deliveries.filter((one) => asked.above.has(one.lotCode));
  const nodes = new Map<string, ModelNode>();
  for (const key of new Set(deliveries.map(({ supplierLot }) => buildKey(supplierLot)))) {
    const [first, ...later] = deliveries.filter((one) => buildKey(one.supplierLot) === key);
    if (first === undefined) continue;
    const hops = [first, ...later].map((one) => up.get(one.lotCode) ?? Infinity);
    const place: Place = isSeed
      ? { relation: 'self', distance: 0 }
      : { relation: 'upstream', distance: 1 + Math.min(...hops) };
    if (place.distance > asked.depth) continue;
    nodes.set(key, {
      lot_code: first.supplierLot.supplier_lot_code,
      product_sku: first.productSku,
      type: 'supplier_lot',
      ...place,
      status: null,
      hold_status: null,
      ...first.supplierLot,
    });
  }
  const shown = deliveries.filter(({ supplierLot }) => nodes.has(buildKey(supplierLot)));
  const edges = new Map<string, ModelEdge & SupplierLot>();
  for (const { supplierLot, edge } of shown) {
    const key = JSON.stringify([buildKey(supplierLot), edge.to]);
    // Provenances come in the order of their blocks: the first delivery is the one that is shown.
    if (!edges.has(key)) edges.set(key, { ...edge, ...supplierLot });
  }
  return {
    nodes: [...nodes.values()],
    edges: [...edges.values()],
    stops: deliveries
      .filter(({ supplierLot }) => !nodes.has(buildKey(supplierLot)))
      .map((one) => one.lotCode),
  };
}

function buildKey({ supplier_name, origin_facility, supplier_lot_code }: SupplierLot): string {
  return JSON.stringify([supplier_name, origin_facility, supplier_lot_code]);
}

/** Groups of two or more lots of which each leads to each other. */
function countCycles(edges: readonly ModelEdge[], codes: readonly string[]): number {
  const reached = new Map(
    codes.map((code) => [code, new Set(distancesFrom(edges, [code], 'downstream').keys())]),
  );
  const groups = new Set(
    codes.map((code) => {
      const back = [...(reached.get(code) ?? [])].filter((one) => reached.get(one)?.has(code));
      return JSON.stringify(back.sort());
    }),
  );
  return [...groups].filter((group) => (JSON.parse(group) as unknown[]).length > 1).length;
}
