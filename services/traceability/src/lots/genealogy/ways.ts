// The nearest way from a lot to others of its genealogy, lot by lot.
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { searchable } from '../../ledger/record/lot-text.ts';
import type { WalkDirection } from '../../terms.ts';
import { lotsHoldingText } from '../record-queries.ts';
import { LotWalk } from './walk.ts';

/** Lots of a genealogy that are searched, in each direction: 10,000 take some tenths of a second, in turns. */
export const SEARCHED_MAX = 10_000;
const WALK = { lotsMax: SEARCHED_MAX, eventsMax: 20_000, linesMax: 200_000 } as const;
/** Lots of links that are read between two turns of the event loop: about a millisecond. */
const LOTS_PER_TURN = 20_000;

interface From {
  readonly database: DatabaseReader;
  readonly tenantNo: number;
  /** One own lot, or those that a supplier's lot came in as. */
  readonly lotNos: readonly number[];
  readonly directions: readonly WalkDirection[];
}

/** A lot that was looked for, and the way to it from one of those that it was looked for at; both are on it. */
export type Way = readonly number[];

export interface FoundWays {
  /** The nearest first; a lot that is an ancestor and a descendant once. */
  readonly ways: readonly Way[];
  /** There may be more. */
  readonly isCut: boolean;
}

/**
 * Finds ways to the ancestors and descendants whose code, product or supplier contains a text.
 * @param wanted `skipped`: lots that are no hits
 */
export async function findWaysByText(
  from: From,
  wanted: {
    readonly text: string;
    readonly limit: number;
    readonly skipped: ReadonlySet<number>;
  },
): Promise<FoundWays> {
  const { limit, skipped } = wanted;
  const { database, tenantNo } = from;
  const text = searchable(wanted.text);
  const walks = await walksFrom(from);
  const hits: { readonly lotNo: number; readonly walk: LotWalk; readonly hops: number }[] = [];
  const known = new Set<number>();
  for (const walk of walks) {
    for (const lotNos of slicesOf([...walk.distances.keys()])) {
      const holding = await lotsHoldingText(database, { tenantNo, lotNos, text });
      for (const lotNo of holding) {
        if (known.has(lotNo) || skipped.has(lotNo)) continue;
        known.add(lotNo);
        hits.push({ lotNo, walk, hops: present(walk.distances.get(lotNo), 'a lot of the walk') });
      }
      await nextTurn();
    }
  }
  const shown = hits.sort((a, b) => a.hops - b.hops || b.lotNo - a.lotNo).slice(0, limit);
  const ways = new Map<number, Way>();
  for (const [walk, ones] of Map.groupBy(shown, (hit) => hit.walk)) {
    for (const way of await waysIn(
      walk,
      ones.map(({ lotNo }) => lotNo),
    )) {
      const end = way.at(-1);
      if (end !== undefined) ways.set(end, way);
    }
  }
  return {
    ways: shown.flatMap(({ lotNo }) => {
      const way = ways.get(lotNo);
      return way === undefined ? [] : [way];
    }),
    isCut: hits.length > limit || walks.some((walk) => walk.isCut),
  };
}

/** The nearest way to one lot; undefined when it is neither an ancestor nor a descendant. */
export async function findWay(from: From, to: number): Promise<Way | undefined> {
  for (const walk of await walksFrom(from)) {
    const [way] = await waysIn(walk, [to]);
    if (way !== undefined) return way;
  }
  return undefined;
}

async function walksFrom(from: From): Promise<readonly LotWalk[]> {
  const { database, tenantNo, lotNos, directions } = from;
  const walks = directions.map(
    (direction) =>
      new LotWalk({
        ...{ database, tenantNo, direction, ...WALK },
        seeds: lotNos,
        depthMax: Infinity,
        links: 'kept',
      }),
  );
  await Promise.all(walks.map((walk) => walk.run()));
  return walks;
}

/** Ways to those of some lots that a walk found. */
async function waysIn(walk: LotWalk, lotNos: readonly number[]): Promise<readonly Way[]> {
  const pace = new Pace(LOTS_PER_TURN);
  const found = lotNos.filter((lotNo) => walk.distances.has(lotNo));
  const before = new Map<number, number>();
  if (found.length === 0) return [];
  for (const { near, far } of walk.links()) {
    const nearest = near.reduce<number | undefined>((best, lotNo) => {
      const hops = walk.distances.get(lotNo);
      if (hops === undefined) return best;
      return best === undefined || hops < (walk.distances.get(best) ?? Infinity) ? lotNo : best;
    }, undefined);
    if (nearest === undefined) continue;
    const hops = present(walk.distances.get(nearest), 'the nearest lot of a walk') + 1;
    for (const lotNo of far) if (walk.distances.get(lotNo) === hops) before.set(lotNo, nearest);
    if (pace.isOver(near.length + far.length + 1)) await nextTurn();
  }
  return found.map((lotNo) => {
    const way = [lotNo];
    for (let at = before.get(lotNo); at !== undefined; at = before.get(at)) way.unshift(at);
    return way;
  });
}
