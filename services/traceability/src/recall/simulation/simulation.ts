// A recall that is only simulated: its lots and its recipients, now or at an earlier
// block (docs/interface/traceability.md#simulation). Nothing is written but the entry of the audit.
import { FieldsRefusal } from '../../errors.ts';
import type { LedgerReader } from '../../ledger/read.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { noSuchLot } from '../../lots/similar-codes.ts';
import { findTenant } from '../../lots/queries.ts';
import type { RecallDirection } from '../../terms.ts';
import { findScope, findSeed, traceImpact, listProducts } from '../trace/impact.ts';
import type { Impact, ImpactLot, Seed } from '../trace/impact.ts';
import { pastSource } from '../past/source.ts';
import { findSuspects, type Suspect, type Suspects } from './suspects.ts';
import { NOW, type TraceSource } from '../trace/source.ts';

/** Suspects that are shown. */
const SUSPECTS_SHOWN_MAX = 100;

export interface Simulation {
  readonly seed: Seed;
  /** The newest block that the simulation read. */
  readonly chain: { readonly height: number; readonly tipHash: string };
  /** The seed first, then by distance. */
  readonly affectedLots: readonly ImpactLot[];
  readonly affectedProducts: readonly string[];
  readonly excludedDisposed: number;
  /** The impact of all lots that the walk found, also of those that are not shown. */
  readonly impact: Impact;
  readonly suspects: readonly NamedSuspect[];
  readonly suspectsTruncated: boolean;
  readonly truncated: boolean;
}

export interface NamedSuspect extends Suspect {
  readonly lotCode: string;
  readonly productSku: string;
}

/**
 * @throws Refusal `not_found` when the tenant has no lot of this code; FieldsRefusal when there is
 * no such block yet
 */
export async function simulateRecall(
  reader: LedgerReader,
  asked: {
    readonly tenantId: string;
    readonly lotCode: string;
    /** Undefined: an own lot, or that of the one supplier who uses the code. */
    readonly supplierName: string | undefined;
    readonly direction: RecallDirection;
    readonly disposed: 'shown' | 'left_out';
    /** undefined: the present state. */
    readonly asOfHeight: number | undefined;
  },
): Promise<Simulation> {
  const { database } = reader;
  const { direction } = asked;
  const { chain, source } = await openSource(reader, asked);
  const seed = await findSeed(database, asked, source);
  if (seed === undefined) throw await noSuchLot(database, asked);
  const scope = await findScope(database, { seed, direction }, source);
  const lots = scope.lots.toSorted(byDistance);
  const impact = await traceImpact(reader, { tenantNo: seed.tenantNo, lots }, source);
  const suspects = await findSuspects(database, { seed, direction, scope: lots }, { source });
  const isShown = (lot: ImpactLot): boolean =>
    asked.disposed === 'shown' || lot.quantityStatus !== 'disposed';
  const affectedLots = impact.lots.filter(isShown);
  return {
    seed,
    chain,
    affectedLots,
    affectedProducts: affectedProducts(affectedLots, impact),
    excludedDisposed: impact.lots.length - affectedLots.length,
    impact,
    suspects: await named(reader, { suspects, impact, source }),
    suspectsTruncated: suspects.truncated || suspects.list.length > SUSPECTS_SHOWN_MAX,
    truncated: scope.truncated || impact.truncated,
  };
}

function byDistance(a: RelatedLot, b: RelatedLot): number {
  return a.distance - b.distance || a.lotNo - b.lotNo;
}

async function openSource(
  reader: LedgerReader,
  asked: {
    readonly tenantId: string;
    readonly lotCode: string;
    readonly asOfHeight: number | undefined;
  },
): Promise<{ readonly chain: Simulation['chain']; readonly source: TraceSource }> {
  const head = await reader.head();
  const { asOfHeight: height } = asked;
  if (height === undefined) {
    return { chain: { height: head.height, tipHash: head.hash }, source: NOW };
  }
  const block = height > head.height ? undefined : await reader.findBlock(height);
  if (block === undefined) {
    throw FieldsRefusal.of(
      ['body', 'as_of_height'],
      `Input should be less than or equal to ${head.height}, the height of the chain`,
      'less_than_equal',
    );
  }
  const tenant = await findTenant(reader.database, asked.tenantId);
  if (tenant === undefined) throw await noSuchLot(reader.database, asked);
  const { tenantNo } = tenant;
  const moment = block.payload.recorded_at;
  return {
    chain: { height, tipHash: block.hash },
    source: await pastSource(reader, { tenantNo, height, moment }),
  };
}

/** Includes the amounts that customers have of a lot whose rest was disposed of. */
function affectedProducts(shown: readonly ImpactLot[], impact: Impact): readonly string[] {
  if (shown.length === impact.lots.length) return impact.products;
  const out = impact.lots
    .filter((lot) => lot.quantityStatus === 'disposed')
    .flatMap((lot) => {
      const quantities = lot.quantities.filter(
        ({ shipped, sold }) => shipped !== '0' || sold !== '0',
      );
      const [first] = quantities;
      return first === undefined ? [] : [{ ...lot, productSku: first.productSku, quantities }];
    });
  return listProducts([...shown, ...out]);
}

async function named(
  reader: LedgerReader,
  simulated: { readonly suspects: Suspects; readonly impact: Impact; readonly source: TraceSource },
): Promise<readonly NamedSuspect[]> {
  const shown = simulated.suspects.list.slice(0, SUSPECTS_SHOWN_MAX);
  if (shown.length === 0) return [];
  // A recall that goes downstream alone has not read its ancestors.
  const { ofLots } = await simulated.source.standings(
    reader,
    shown.map(({ lotNo }) => lotNo),
  );
  return shown.flatMap((suspect) => {
    const lot = ofLots.get(suspect.lotNo);
    if (lot === undefined) return [];
    return [{ ...suspect, lotCode: lot.lotCode, productSku: lot.productSku }];
  });
}
