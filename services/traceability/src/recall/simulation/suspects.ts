// Finds which ancestor of a bad lot would widen the recall most if it were the cause: for each
// ancestor the lots made from it that the recall does not cover
// (docs/interface/traceability.md#simulation).
import type { DatabaseReader } from '@lothub/kit/database';
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import type { Link } from '../../lots/genealogy/link.ts';
import type { RelatedLot } from '../../lots/genealogy/links.ts';
import { LotWalk } from '../../lots/genealogy/walk.ts';
import type { RecallDirection } from '../../terms.ts';
import type { Seed } from '../trace/scope.ts';
import { NOW, type TraceSource } from '../trace/source.ts';

/** The limits of the search beyond the recall. */
export interface SuspectBounds {
  /** Ancestors that are judged, nearest first. */
  readonly ancestorsMax: number;
  /**
   * Maximum number of further lots that are found, and of linking events and lines that are read.
   */
  readonly lotsMax: number;
  readonly eventsMax: number;
  readonly linesMax: number;
  /** Steps from lot to lot, of all ancestors together. */
  readonly stepsMax: number;
}

/** Some milliseconds for a lot with a hundred relatives, some tens at worst. */
export const SUSPECT_BOUNDS: SuspectBounds = {
  ancestorsMax: 1_000,
  lotsMax: 2_000,
  eventsMax: 4_000,
  linesMax: 40_000,
  stepsMax: 500_000,
};
/** Steps between two turns of the event loop: about a millisecond. */
const STEPS_PER_TURN = 10_000;

export interface Suspect {
  readonly lotNo: number;
  readonly distance: number;
  /** Lots made from it that the recall does not cover; itself among them when it is not covered. */
  readonly furtherLots: number;
}

export interface Suspects {
  /** The suspects that would add the most lots come first; among equals the nearest. */
  readonly list: readonly Suspect[];
  /** True when a bound was met: ancestors are missing, or would add more lots than counted. */
  readonly truncated: boolean;
}

/**
 * @param recall.scope the lots that the recall covers
 */
export async function findSuspects(
  database: DatabaseReader,
  recall: {
    readonly seed: Seed;
    readonly direction: RecallDirection;
    readonly scope: readonly RelatedLot[];
  },
  { source = NOW, bounds = SUSPECT_BOUNDS }: SuspectOptions = {},
): Promise<Suspects> {
  const { seed, direction, scope } = recall;
  // The inputs of a supplier's lot are unknown.
  if (seed.kind === 'supplier') return { list: [], truncated: false };
  const startWalk = (from: Pick<LotWalkFrom, 'direction' | 'seeds' | 'lotsMax' | 'findWalked'>) =>
    new LotWalk({
      database,
      tenantNo: seed.tenantNo,
      depthMax: Infinity,
      eventsMax: bounds.eventsMax,
      linesMax: bounds.linesMax,
      links: 'kept',
      source: source.links,
      ...from,
    });
  const above = await readAncestors(recall, () =>
    startWalk({ direction: 'upstream', seeds: seed.lotNos, lotsMax: bounds.ancestorsMax }),
  );
  const ancestors = above.lots.slice(0, bounds.ancestorsMax);
  if (ancestors.length === 0) return { list: [], truncated: above.isCut };

  const covered = new Set(scope.map(({ lotNo }) => lotNo));
  // Lots made from a covered descendant are covered as well: the walk ends there.
  const ends = new Set(
    direction === 'upstream'
      ? []
      : scope
          .filter(({ relation, bothWays }) => relation !== 'upstream' || bothWays)
          .map(({ lotNo }) => lotNo),
  );
  const down = startWalk({
    direction: 'downstream',
    seeds: ancestors.map(({ lotNo }) => lotNo).filter((lotNo) => !ends.has(lotNo)),
    lotsMax: bounds.lotsMax,
    findWalked: (lotNos) => Promise.resolve(new Set(lotNos.filter((lotNo) => ends.has(lotNo)))),
  });
  await down.run();
  const count = new FurtherLots({ links: down.links(), covered, ends, stepsMax: bounds.stepsMax });
  const list: Suspect[] = [];
  for (const { lotNo, distance } of ancestors) {
    const furtherLots = await count.beyond(lotNo);
    if (furtherLots !== undefined) list.push({ lotNo, distance, furtherLots });
  }
  list.sort(
    (a, b) => b.furtherLots - a.furtherLots || a.distance - b.distance || a.lotNo - b.lotNo,
  );
  return { list, truncated: above.isCut || down.isCut || list.length < above.lots.length };
}

interface SuspectOptions {
  readonly source?: TraceSource;
  readonly bounds?: SuspectBounds;
}

type LotWalkFrom = ConstructorParameters<typeof LotWalk>[0];
type Ancestor = Pick<RelatedLot, 'lotNo' | 'distance'>;

/** Nearest first. A recall that goes upstream has found them already. */
async function readAncestors(
  recall: {
    readonly seed: Seed;
    readonly direction: RecallDirection;
    readonly scope: readonly RelatedLot[];
  },
  newWalk: () => LotWalk,
): Promise<{ readonly lots: readonly Ancestor[]; readonly isCut: boolean }> {
  if (recall.direction !== 'downstream') {
    const lots = recall.scope.filter(
      ({ relation, bothWays }) => relation === 'upstream' || bothWays,
    );
    return { lots, isCut: false };
  }
  const walk = newWalk();
  await walk.run();
  const covered = new Map(recall.scope.map(({ lotNo, distance }) => [lotNo, distance]));
  const lots = [...walk.distances]
    .filter(([, distance]) => distance > 0)
    .map(([lotNo, hops]) => {
      // One that is a descendant as well is as near as the nearer way.
      return { lotNo, distance: Math.min(hops, covered.get(lotNo) ?? hops) };
    });
  return { lots, isCut: walk.isCut };
}

/** Counts, from one lot after the other, the lots that follow and are not covered. */
class FurtherLots {
  readonly #linksOf = new Map<number, Link[]>();
  readonly #covered: ReadonlySet<number>;
  readonly #ends: ReadonlySet<number>;
  readonly #pace = new Pace(STEPS_PER_TURN);
  #stepsLeft: number;

  constructor(scope: {
    readonly links: Iterable<Link>;
    readonly covered: ReadonlySet<number>;
    readonly ends: ReadonlySet<number>;
    readonly stepsMax: number;
  }) {
    this.#covered = scope.covered;
    this.#ends = scope.ends;
    this.#stepsLeft = scope.stepsMax;
    for (const link of scope.links) {
      for (const lotNo of link.near) {
        const known = this.#linksOf.get(lotNo);
        if (known === undefined) this.#linksOf.set(lotNo, [link]);
        else known.push(link);
      }
    }
  }

  /** @returns undefined when the steps are used up */
  async beyond(lotNo: number): Promise<number | undefined> {
    const lots = new Set([lotNo]);
    const links = new Set<Link>();
    let further = 0;
    for (const one of lots) {
      if (!this.#covered.has(one)) further += 1;
      if (this.#ends.has(one)) continue;
      for (const link of this.#linksOf.get(one) ?? []) {
        if (links.has(link)) continue;
        links.add(link);
        this.#stepsLeft -= link.far.length + 1;
        if (this.#stepsLeft < 0) return undefined;
        for (const far of link.far) lots.add(far);
        if (this.#pace.isOver(link.far.length + 1)) await nextTurn();
      }
    }
    return further;
  }
}
