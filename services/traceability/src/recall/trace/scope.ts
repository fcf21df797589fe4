// Finds the lots that a recall covers: the lots that a lot was made from and those made from it, at
// any distance (docs/interface/traceability.md#scope-of-a-recall).
import type { DatabaseReader } from '@lothub/kit/database';
import { compareTexts } from '@lothub/kit/text-order';
import { Refusal } from '../../errors.ts';
import { PAGE_SIZES } from '../../lots/genealogy/link-reader.ts';
import { mergeRelations, type RelatedLot } from '../../lots/genealogy/links.ts';
import { findLot, findTenant } from '../../lots/queries.ts';
import { deliveriesOfCode } from '../../lots/genealogy/supplier-lots.ts';
import type { Delivery, DeliveryOverlay } from '../../lots/genealogy/supplier-lots.ts';
import { LotWalk } from '../../lots/genealogy/walk.ts';
import { WALK_DIRECTIONS } from '../../terms.ts';
import type { RecallDirection, SeedKind, WalkDirection } from '../../terms.ts';
import { NOTHING_BY_HAND, readLotsByHand, type LotsByHand } from '../edit/by-hand.ts';
import { NOW, type TraceSource } from './source.ts';

/** The limits of a recall in each direction: ten times what the largest measured recall needs. */
export const RECALL_WALK = { lotsMax: 100_000, eventsMax: 500_000, linesMax: 5_000_000 } as const;
/**
 * Maximum number of own lots that came in under one lot code of a supplier, and of lines that are
 * read to find them.
 */
const RECEIVED_LOTS_MAX = 10_000;
const DELIVERY_LINES_MAX = 100_000;

/** Where a recall begins: at an own lot, or at what came in under a supplier's lot code. */
export interface Seed {
  readonly tenantNo: number;
  readonly lotCode: string;
  readonly kind: SeedKind;
  /** The own lot; or the lots that came in under the supplier's code, in the order of their numbers. */
  readonly lotNos: readonly number[];
  /** Whether more lots came in under the supplier's code than are listed. */
  readonly isCut: boolean;
  /** Whose lot it is; null of an own one, and when no delivery names a supplier. */
  readonly supplierName: string | null;
}

export interface Scope {
  /** The lots by distance. */
  readonly lots: readonly RelatedLot[];
  /** True when a bound was met: there may be more lots than these. */
  readonly truncated: boolean;
}

/**
 * Finds the tenant's own lot of the code, or else the supplier's lot of that code; undefined when
 * there is neither.
 * @param asked with `supplierName` it finds that supplier's lot, even if an own lot has the code
 * @throws Refusal `supplier_needed` when several suppliers use the code and none of them is named
 */
export async function findSeed(
  database: DatabaseReader,
  asked: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly supplierName: string | undefined;
  },
  source = NOW,
): Promise<Seed | undefined> {
  const { lotCode, supplierName } = asked;
  const own = supplierName === undefined ? await findLot(database, asked) : undefined;
  if (own !== undefined && own.firstHeight <= source.atMost) {
    return {
      ...{ tenantNo: own.tenantNo, lotCode, kind: 'own', lotNos: [own.lotNo] },
      ...{ isCut: false, supplierName: null },
    };
  }
  const tenant = await findTenant(database, asked.tenantId);
  if (tenant === undefined) return undefined;
  const { tenantNo } = tenant;
  const received = { tenantNo, supplierLotCode: lotCode, supplierName: supplierName ?? null };
  const { lotNos, isCut, suppliers } = await receivedLots(database, received, source);
  if (supplierName === undefined && suppliers.length > 1) throw supplierNeeded(suppliers);
  if (supplierName !== undefined && !suppliers.includes(supplierName)) return undefined;
  if (lotNos.length === 0) return undefined;
  const whose = supplierName ?? suppliers[0] ?? null;
  return { tenantNo, lotCode, kind: 'supplier', lotNos, isCut, supplierName: whose };
}

/** Suppliers that a refusal names. */
const SUPPLIERS_NAMED_MAX = 20;

function supplierNeeded(suppliers: readonly string[]): Refusal {
  const message = 'Several suppliers use this lot code: name one of them as supplier_name';
  return new Refusal('supplier_needed', message, {
    suppliers: suppliers.slice(0, SUPPLIERS_NAMED_MAX),
  });
}

/**
 * The fields of a case that name the lot at which it begins; its opening settled which kind of lot
 * it is.
 */
interface BeginningOfCase {
  readonly tenantNo: number;
  readonly seedLotCode: string;
  /** Null: the lot code is a supplier's. */
  readonly seedLotNo: number | null;
  /** Null: any supplier's. */
  readonly seedSupplierName: string | null;
}

/** Finds the lots at which a case begins now. */
export async function seedOfCase(
  database: DatabaseReader,
  { tenantNo, seedLotCode: lotCode, seedLotNo, seedSupplierName: supplierName }: BeginningOfCase,
): Promise<Seed> {
  if (seedLotNo !== null) {
    return { tenantNo, lotCode, kind: 'own', lotNos: [seedLotNo], isCut: false, supplierName };
  }
  const asked = { tenantNo, supplierLotCode: lotCode, supplierName };
  const { lotNos, isCut } = await receivedLots(database, asked);
  return { tenantNo, lotCode, kind: 'supplier', lotNos, isCut, supplierName };
}

/**
 * The own lots that came in under a supplier's lot code. A delivery that names no supplier may be of any
 * of them: it counts as that of the requested supplier.
 */
async function receivedLots(
  database: DatabaseReader,
  received: {
    readonly tenantNo: number;
    readonly supplierLotCode: string;
    /** Null: of any supplier. */
    readonly supplierName: string | null;
  },
  source = NOW,
): Promise<{
  readonly lotNos: readonly number[];
  readonly isCut: boolean;
  /** The suppliers that use the code, by name. */
  readonly suppliers: readonly string[];
}> {
  const { list, isCut } = await deliveriesOfCode({
    database,
    ...received,
    lotsMax: RECEIVED_LOTS_MAX,
    linesMax: DELIVERY_LINES_MAX,
    pages: PAGE_SIZES,
    ...pickOverlay(source),
  });
  const isMeant = ({ supplierLot: { supplier_name: name } }: Delivery): boolean =>
    received.supplierName === null || name === null || name === received.supplierName;
  const meant = list.filter(isMeant).map(({ lotNo }) => lotNo);
  const names = list.flatMap(({ supplierLot }) => supplierLot.supplier_name ?? []);
  return {
    lotNos: [...new Set(meant)].sort((a, b) => a - b),
    isCut,
    suppliers: [...new Set(names)].sort(compareTexts),
  };
}

/**
 * Finds the lots of a recall and how they are related to its seed. An own seed is one of them
 * (`self`, 0), and so is each lot that was added by hand. The inputs of a supplier's lot are
 * unknown: its scope is the lots that came in under its code (`downstream`, 1) and, unless the
 * direction is upstream, the lots made from them.
 */
export async function findScope(
  database: DatabaseReader,
  recall: {
    readonly seed: Seed;
    readonly direction: RecallDirection;
    /** Absent: no lot was added or excluded by hand. */
    readonly byHand?: LotsByHand;
  },
  source = NOW,
): Promise<Scope> {
  const { seed, byHand = NOTHING_BY_HAND } = recall;
  const directions = listDirections({ seedKind: seed.kind, direction: recall.direction });
  const walk = async (lotNos: readonly number[]): Promise<readonly LotWalk[]> => {
    const walks = directions.map(
      (direction) =>
        new LotWalk({
          database,
          tenantNo: seed.tenantNo,
          direction,
          seeds: lotNos,
          depthMax: Infinity,
          links: 'dropped',
          source: source.links,
          ...RECALL_WALK,
        }),
    );
    await Promise.all(walks.map((one) => one.run()));
    return walks;
  };
  const isOwn = seed.kind === 'own';
  const walks = await walk(isOwn ? [...new Set([...seed.lotNos, ...byHand.added])] : seed.lotNos);
  const ofAdded = isOwn || byHand.added.size === 0 ? [] : await walk([...byHand.added]);
  const lots = isOwn
    ? mergeRelations(walks)
    : withAdded(receivedScope(seed, walks), byHand, ofAdded);
  return {
    lots: lots.filter(({ lotNo }) => !byHand.excluded.has(lotNo)),
    truncated: seed.isCut || [...walks, ...ofAdded].some((one) => one.isCut),
  };
}

/** Lists the lots that came in under a supplier's lot code, and the lots made from them. */
function receivedScope(seed: Seed, walks: readonly LotWalk[]): readonly RelatedLot[] {
  const distances = walks[0]?.distances ?? new Map(seed.lotNos.map((lotNo) => [lotNo, 0]));
  return [...distances].map(([lotNo, hops]) => {
    return { lotNo, relation: 'downstream', distance: hops + 1, bothWays: false };
  });
}

/**
 * Adds the lots that were added by hand to a case on a supplier's lot, each at its nearest
 * distance.
 */
function withAdded(
  received: readonly RelatedLot[],
  { added }: LotsByHand,
  walks: readonly LotWalk[],
): readonly RelatedLot[] {
  const lots = new Map(received.map((lot) => [lot.lotNo, lot]));
  const distances = walks[0]?.distances ?? new Map([...added].map((lotNo) => [lotNo, 0]));
  for (const [lotNo, distance] of distances) {
    const known = lots.get(lotNo);
    if (known !== undefined && known.distance <= distance) continue;
    const relation = distance === 0 ? 'self' : 'downstream';
    lots.set(lotNo, { lotNo, relation, distance, bothWays: false });
  }
  return [...lots.values()].sort((a, b) => a.distance - b.distance);
}

/** Searches again what a case covers. */
export async function findScopeOfCase(
  database: DatabaseReader,
  recallCase: BeginningOfCase & { readonly caseId: number; readonly direction: RecallDirection },
): Promise<Scope> {
  const byHand = await readLotsByHand(database, recallCase.caseId);
  const seed = await seedOfCase(database, recallCase);
  return await findScope(database, { seed, direction: recallCase.direction, byHand });
}

/** Returns the overlay for the readers of deliveries; without one they read what counts now. */
export function pickOverlay(source: TraceSource): { readonly overlay?: DeliveryOverlay } {
  return source.deliveries === undefined ? {} : { overlay: source.deliveries };
}

/** The directions in which lots beyond a lot of the scope are in the scope as well. */
export function listDirections(recall: {
  readonly seedKind: SeedKind;
  readonly direction: RecallDirection;
}): readonly WalkDirection[] {
  const { seedKind, direction } = recall;
  if (direction !== 'both') {
    return seedKind === 'supplier' && direction === 'upstream' ? [] : [direction];
  }
  return seedKind === 'own' ? WALK_DIRECTIONS : ['downstream'];
}
