// The lots of a brand that a recall of its supplier reached: the lots received, and all that was made from them.
import type { DatabaseReader } from '@lothub/kit/database';
import { STORED_LINKS } from '../../lots/genealogy/link-reader.ts';
import { LotWalk } from '../../lots/genealogy/walk.ts';
import { toLotState } from '../../lots/state.ts';
import { RECALL_WALK } from '../trace/scope.ts';
import { impactLots } from '../trace/impact-queries.ts';
import type { Received } from './received.ts';
import type { OwnLot } from './schema.ts';

export interface OwnLots {
  /** Hops of each lot by its number; 0 for lots received. */
  readonly hops: ReadonlyMap<number, number>;
  /** True when a bound was met: there may be more lots than these. */
  readonly isCut: boolean;
}

export async function findOwnLots(
  database: DatabaseReader,
  { tenantNo, received }: { readonly tenantNo: number; readonly received: Received },
): Promise<OwnLots> {
  const walk = new LotWalk({
    database,
    tenantNo,
    direction: 'downstream',
    seeds: received.lotNos,
    depthMax: Infinity,
    links: 'dropped',
    source: STORED_LINKS,
    ...RECALL_WALK,
  });
  await walk.run();
  return { hops: walk.distances, isCut: received.isCut || walk.isCut };
}

export interface OwnLotsPage {
  readonly lots: readonly OwnLot[];
  /** Whether there are further lots after these. */
  readonly hasMore: boolean;
}

/** Lots with greater numbers, in the order in which they were recorded. */
export async function readOwnLots(
  database: DatabaseReader,
  { hops }: OwnLots,
  page: { readonly above: number; readonly limit: number },
): Promise<OwnLotsPage> {
  const behind = [...hops.keys()].filter((lotNo) => lotNo > page.above).sort((a, b) => a - b);
  const lotNos = behind.slice(0, page.limit);
  const rows = lotNos.length === 0 ? [] : await impactLots(database, lotNos);
  const known = new Map(rows.map((row) => [row.lotNo, row]));
  const lots = lotNos.flatMap((lotNo): readonly OwnLot[] => {
    const row = known.get(lotNo);
    const hop = hops.get(lotNo);
    if (row === undefined || hop === undefined) return [];
    const { status, holdStatus } = toLotState(row);
    return [
      {
        lot_code: row.lotCode,
        product_sku: row.productSku,
        distance: hop + 1,
        status,
        hold_status: holdStatus,
      },
    ];
  });
  return { lots, hasMore: behind.length > lotNos.length };
}
