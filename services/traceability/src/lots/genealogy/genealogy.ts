// The genealogy of a lot: everything it was made from and everything made from it, up to a depth
// (docs/interface/traceability.md#genealogy). This file decides what is shown and where more follows;
// genealogy/graph.ts makes nodes and edges of it.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import type { WalkDirection } from '../../terms.ts';
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import { buildGraph, type Graph, type Trace } from './graph.ts';
import type { ShownSupplierLot } from './nodes.ts';
import { PAGE_SIZES, type PageSizes } from './link-reader.ts';
import { mergeRelations, type RelatedLot } from './links.ts';
import { findLot, findTenant } from '../queries.ts';
import { readStandings, type StandingRow } from '../record-queries.ts';
import { deliveriesInto, deliveriesOfCode } from './supplier-lots.ts';
import type { Delivery, SupplierLot } from './supplier-lots.ts';
import { LotWalk } from './walk.ts';

/** The limits of one answer. */
export interface GenealogyBounds {
  /**
   * Lots that are found, linking events that are read, and lines of lots and events that are read:
   * in each direction.
   */
  readonly lotsMax: number;
  readonly eventsMax: number;
  readonly linesMax: number;
  /** Supplier lots that are shown, and lines that are read to find them. */
  readonly supplierLotsMax: number;
  readonly deliveryLinesMax: number;
  /** Edges shown, those of the lowest blocks first. */
  readonly edgesMax: number;
  readonly pages: PageSizes;
}

/**
 * Few genealogies reach these bounds; a trace up to them takes about a second, in slices of some
 * milliseconds.
 */
export const GENEALOGY_BOUNDS: GenealogyBounds = {
  lotsMax: 10_000,
  eventsMax: 50_000,
  linesMax: 500_000,
  supplierLotsMax: 10_000,
  deliveryLinesMax: 100_000,
  edgesMax: 50_000,
  pages: PAGE_SIZES,
};
/** Lots of links that are read between two turns of the event loop: about a millisecond. */
const LOTS_PER_TURN = 20_000;

export interface Genealogy extends Graph {
  readonly lotCode: string;
  readonly depth: number;
}

export interface GenealogyOptions {
  readonly database: DatabaseReader;
  readonly tenantId: string;
  /** The genealogy of a lot of the tenant, or of a supplier's lot when the tenant has none with this code. */
  readonly lotCode: string;
  /** Hops that are shown, 1 or more. */
  readonly depth: number;
}

/**
 * Finds the genealogy of a tenant's lot, or of a supplier's; undefined when the tenant has neither.
 */
export async function findGenealogy(
  options: GenealogyOptions,
  bounds = GENEALOGY_BOUNDS,
): Promise<Genealogy | undefined> {
  const { database, tenantId, lotCode, depth } = options;
  const trace = await findTrace({ database, depth, bounds }, { lotCode, tenantId });
  return trace && { lotCode, depth, ...(await buildGraph(database, trace, bounds)) };
}

async function findTrace(
  around: Omit<Around, 'tenantNo'>,
  asked: { readonly tenantId: string; readonly lotCode: string },
): Promise<Trace | undefined> {
  const lot = await findLot(around.database, asked);
  if (lot !== undefined) return await traceOfLot({ ...around, ...lot });
  const tenant = await findTenant(around.database, asked.tenantId);
  if (tenant === undefined) return undefined;
  const { tenantNo } = tenant;
  return await traceOfSupplierLot({ ...around, tenantNo, supplierLotCode: asked.lotCode });
}

interface Around {
  readonly database: DatabaseReader;
  readonly tenantNo: number;
  readonly depth: number;
  readonly bounds: GenealogyBounds;
}

async function traceOfLot(options: Around & { readonly lotNo: number }): Promise<Trace> {
  const { lotNo, depth } = options;
  const up = newWalk(options, { direction: 'upstream', seeds: [lotNo], depthMax: depth });
  const down = newWalk(options, { direction: 'downstream', seeds: [lotNo], depthMax: depth });
  const walks = [up, down];
  await Promise.all(walks.map((walk) => walk.run()));
  const lots = mergeRelations(walks);
  await nextTurn();
  const stops = await findStops(walks, new Set(lots.map((shown) => shown.lotNo)));
  const [suppliers, standings] = await askTogether(options.database, (database) =>
    Promise.all([suppliersAbove({ ...options, database }, up), loadStandings(database, lots)]),
  );
  for (const stop of suppliers.stops) stops.add(stop);
  const hops = { upstream: mapHops(up), downstream: mapHops(down) };
  return { lots, standings, walks, hops, stops, seedIsCut: false, ...suppliers.shown };
}

/** Hops of the lots that a walk from an own lot has reached; that lot is not among them. */
function mapHops(walk: LotWalk): ReadonlyMap<number, number> {
  return new Map([...walk.reached()].filter(([, hops]) => hops > 0));
}

/** Traces from a supplier's lot, whose inputs are unknown. */
async function traceOfSupplierLot(
  options: Around & { readonly supplierLotCode: string },
): Promise<Trace | undefined> {
  const { depth, bounds } = options;
  const { list: deliveries, isCut } = await deliveriesOfCode({
    ...options,
    lotsMax: bounds.lotsMax,
    linesMax: bounds.deliveryLinesMax,
    pages: bounds.pages,
  });
  if (deliveries.length === 0) return undefined;
  const seeds = [...new Set(deliveries.map((delivery) => delivery.lotNo))];
  const down = newWalk(options, { direction: 'downstream', seeds, depthMax: depth - 1 });
  await down.run();
  const lots = [...down.distances].map(([lotNo, hops]): RelatedLot => {
    return { lotNo, relation: 'downstream', distance: hops + 1, bothWays: false };
  });
  return {
    lots,
    standings: await loadStandings(options.database, lots),
    walks: [down],
    hops: {
      upstream: new Map(),
      downstream: new Map(lots.map(({ lotNo, distance }) => [lotNo, distance])),
    },
    stops: await findStops([down], down.distances),
    seedIsCut: isCut,
    deliveries,
    supplierLots: [...new Set(deliveries.map((delivery) => delivery.supplierLot))].map(
      (supplierLot) => ({ supplierLot, relation: 'self', distance: 0 }),
    ),
  };
}

function loadStandings(
  database: DatabaseReader,
  lots: readonly RelatedLot[],
): Promise<ReadonlyMap<number, StandingRow>> {
  return readStandings(
    database,
    lots.map((lot) => lot.lotNo),
  );
}

function newWalk(
  { database, tenantNo, bounds }: Around,
  from: {
    readonly direction: WalkDirection;
    readonly seeds: readonly number[];
    readonly depthMax: number;
  },
): LotWalk {
  return new LotWalk({ database, tenantNo, ...bounds, ...from, links: 'kept' });
}

/** Lots that link to lots that are not shown, in the direction in which they were reached. */
async function findStops(
  walks: readonly LotWalk[],
  shown: { has(lotNo: number): boolean },
): Promise<Set<number>> {
  const pace = new Pace(LOTS_PER_TURN);
  const stops = new Set<number>();
  for (const walk of walks) {
    await walk.lookBeyond((lotNo) => shown.has(lotNo));
    for (const lotNo of walk.unfinished()) stops.add(lotNo);
    for (const link of walk.links()) {
      if (!link.isRead || link.far.some((lotNo) => !shown.has(lotNo))) {
        for (const lotNo of link.near) stops.add(lotNo);
      }
      if (pace.isOver(link.far.length + 1)) await nextTurn();
    }
  }
  return stops;
}

/**
 * Finds the supplier lots of everything upstream: leaves, one hop above the nearest lot they came
 * into.
 */
async function suppliersAbove(
  { database, depth, bounds }: Around,
  upstream: LotWalk,
): Promise<{
  readonly shown: Pick<Trace, 'supplierLots' | 'deliveries'>;
  readonly stops: readonly number[];
}> {
  const { list, unfinished } = await deliveriesInto({
    database,
    lotNos: [...upstream.reached()].map(([lotNo]) => lotNo),
    linesMax: bounds.deliveryLinesMax,
    pages: bounds.pages,
  });
  const distances = new Map<SupplierLot, number>();
  for (const { supplierLot, lotNo } of list) {
    const distance = 1 + (upstream.distances.get(lotNo) ?? Infinity);
    distances.set(supplierLot, Math.min(distance, distances.get(supplierLot) ?? Infinity));
  }
  const supplierLots = [...distances]
    .filter(([, distance]) => distance <= depth)
    .sort(([, a], [, b]) => a - b)
    .slice(0, bounds.supplierLotsMax)
    .map(([supplierLot, distance]): ShownSupplierLot => {
      return { supplierLot, relation: 'upstream', distance };
    });
  const shown = new Set(supplierLots.map((one) => one.supplierLot));
  const isShown = ({ supplierLot }: Delivery): boolean => shown.has(supplierLot);
  return {
    shown: { supplierLots, deliveries: list.filter(isShown) },
    stops: [
      ...unfinished,
      ...list.filter((one) => !isShown(one)).map((delivery) => delivery.lotNo),
    ],
  };
}
