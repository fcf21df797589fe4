// The lots that are related to a lot: its ancestors, its descendants, and how far they are away
// (docs/interface/traceability.md#links).
import type { DatabaseReader } from '@lothub/kit/database';
import { WALK_DIRECTIONS } from '../../terms.ts';
import type { RecallDirection, Relation, WalkDirection } from '../../terms.ts';
import type { LinkReaderOptions } from './link-reader.ts';
import { LotWalk, type LotWalkOptions } from './walk.ts';

/** The limits of a walk that anybody may request: some tens of milliseconds at worst. */
export const PUBLIC_WALK = { lotsMax: 1_000, eventsMax: 10_000, linesMax: 100_000 } as const;

export interface RelatedLot {
  readonly lotNo: number;
  readonly relation: Relation;
  /** Hops from the lot that was requested. */
  readonly distance: number;
  /** An ancestor and a descendant at once, as on a cycle; `relation` is that of the nearer way. */
  readonly bothWays: boolean;
}

export interface RelatedLots {
  /** The lot itself first, then by distance. */
  readonly lots: readonly RelatedLot[];
  /** References by which these lots may be linked, to lots that are related to them then. */
  readonly references: ReadonlySet<string>;
  /** True when a bound was met: there may be more related lots than these. */
  readonly truncated: boolean;
}

/** The bounds hold for each direction. */
export interface RelatedLotsOptions
  extends
    Pick<LotWalkOptions, 'lotsMax'>,
    Pick<LinkReaderOptions, 'tenantNo' | 'eventsMax' | 'linesMax'> {
  readonly database: DatabaseReader;
  readonly lotNo: number;
  readonly direction: RecallDirection;
}

/** Ancestors, descendants, or both (not siblings), and the lot itself. */
export async function relatedLots(options: RelatedLotsOptions): Promise<RelatedLots> {
  const { lotNo, ...bounds } = options;
  const directions: readonly WalkDirection[] =
    options.direction === 'both' ? WALK_DIRECTIONS : [options.direction];
  const walks = directions.map(
    (direction) =>
      new LotWalk({ ...bounds, direction, seeds: [lotNo], depthMax: Infinity, links: 'dropped' }),
  );
  await Promise.all(walks.map((walk) => walk.run()));
  return {
    lots: mergeRelations(walks),
    references: new Set(walks.flatMap((walk) => [...walk.references()])),
    truncated: walks.some((walk) => walk.isCut),
  };
}

/**
 * Merges the results of walks from the same seeds into one list, by distance. A lot that is
 * ancestor and descendant counts where it is nearer, and in the first of the walks when both are
 * the same: upstream.
 */
export function mergeRelations(
  walks: readonly Pick<LotWalk, 'direction' | 'distances'>[],
): readonly RelatedLot[] {
  const lots = new Map<number, RelatedLot>();
  for (const { direction, distances } of walks) {
    for (const [lotNo, distance] of distances) {
      const known = lots.get(lotNo);
      const bothWays = known !== undefined && distance > 0;
      if (known !== undefined && known.distance <= distance) {
        lots.set(lotNo, { ...known, bothWays });
        continue;
      }
      lots.set(lotNo, { lotNo, relation: distance === 0 ? 'self' : direction, distance, bothWays });
    }
  }
  return [...lots.values()].sort((a, b) => a.distance - b.distance);
}
