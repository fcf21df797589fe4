// Reads the neighbours of lots: one hop towards the lots that they were made from, or towards those
// made from them. One lot with very many neighbours is read to its end; of many lots at once only
// as much as a drawing shows.
import type { DatabaseReader } from '@lothub/kit/database';
import type { WalkDirection } from '../../terms.ts';
import { PAGE_SIZES } from './link-reader.ts';
import { deliveriesInto, type Delivery, type SupplierLot } from './supplier-lots.ts';
import { LotWalk } from './walk.ts';

/** Neighbours of one lot: 10,000 take 30 ms. */
export const NEIGHBOURS_MAX = 10_000;
const OF_ONE = { lotsMax: NEIGHBOURS_MAX, eventsMax: 20_000, linesMax: 100_000 } as const;
/** The limits of all lots of a drawing together, in each direction. */
const OF_MANY = { lotsMax: 10_000, eventsMax: 5_000, linesMax: 40_000 } as const;
const DELIVERY_LINES_MAX = 5_000;
/** Maximum number of neighbours that are counted of each of many lots. */
export const NEIGHBOURS_COUNTED_MAX = 1_000;

export interface Neighbours {
  /** Newest first. */
  readonly lotNos: readonly number[];
  /** Upstream only, in the order in which they came in. */
  readonly supplierLots: readonly SupplierLot[];
  /** False when a bound was met: there may be more. */
  readonly isWhole: boolean;
}

interface From {
  readonly database: DatabaseReader;
  readonly tenantNo: number;
}

/** All neighbours of one lot in one direction. */
export async function readNeighbours(
  { database, tenantNo }: From,
  { lotNo, direction }: { readonly lotNo: number; readonly direction: WalkDirection },
): Promise<Neighbours> {
  const walk = new LotWalk({
    ...{ database, tenantNo, direction, ...OF_ONE },
    seeds: [lotNo],
    depthMax: 1,
    links: 'dropped',
  });
  await walk.run();
  const lotNos = [...walk.distances.keys()].filter((found) => found !== lotNo);
  const { list, unfinished } = await deliveriesFor(database, direction, [lotNo]);
  return {
    lotNos: lotNos.sort((a, b) => b - a),
    supplierLots: list.map(({ supplierLot }) => supplierLot),
    isWhole: !walk.isCut && unfinished.length === 0,
  };
}

/** The neighbours of many lots, in one direction. */
export interface NeighbourLots {
  /**
   * Numbers of the neighbours of each lot, up to NEIGHBOURS_COUNTED_MAX; a lot without any is missing.
   */
  readonly lotNos: ReadonlyMap<number, ReadonlySet<number>>;
  readonly deliveries: readonly Delivery[];
  /** Lots that may have more neighbours than these. */
  readonly unfinished: ReadonlySet<number>;
}

/** @param lotNos each once */
export async function readNeighbourLots(
  { database, tenantNo }: From,
  { lotNos, direction }: { readonly lotNos: readonly number[]; readonly direction: WalkDirection },
): Promise<NeighbourLots> {
  if (lotNos.length === 0) return { lotNos: new Map(), deliveries: [], unfinished: new Set() };
  const walk = new LotWalk({
    ...{ database, tenantNo, direction, ...OF_MANY },
    seeds: lotNos,
    depthMax: 1,
    links: 'kept',
  });
  await walk.run();
  const beside = new Map<number, Set<number>>();
  const unfinished = new Set(walk.unfinished());
  for (const { near, far, isRead } of walk.links()) {
    for (const lotNo of near) {
      const known = beside.get(lotNo) ?? new Set();
      beside.set(lotNo, known);
      if (!isRead) unfinished.add(lotNo);
      for (const other of far) {
        if (other === lotNo) continue;
        if (known.size >= NEIGHBOURS_COUNTED_MAX) {
          if (!known.has(other)) unfinished.add(lotNo);
          break;
        }
        known.add(other);
      }
    }
  }
  const deliveries = await deliveriesFor(database, direction, lotNos);
  for (const lotNo of deliveries.unfinished) unfinished.add(lotNo);
  return { lotNos: beside, deliveries: deliveries.list, unfinished };
}

/**
 * The other direction has none: only the delivery into the own lot is recorded of a supplier's lot.
 */
async function deliveriesFor(
  database: DatabaseReader,
  direction: WalkDirection,
  lotNos: readonly number[],
): Promise<Pick<Awaited<ReturnType<typeof deliveriesInto>>, 'list' | 'unfinished'>> {
  if (direction === 'downstream') return { list: [], unfinished: [] };
  return await deliveriesInto({
    database,
    lotNos,
    linesMax: DELIVERY_LINES_MAX,
    pages: PAGE_SIZES,
  });
}
