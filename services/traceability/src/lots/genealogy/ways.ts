// The nearest ways from a lot to others of its genealogy, lot by lot. Keeps which lots were reached: a person who searches
// asks the same genealogy again and again.
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { LINKS_BY_REFERENCE, LINKS_NOTHING } from '../../ledger/record/link-basis.ts';
import { searchable } from '../../ledger/record/lot-text.ts';
import type { ChainState } from '../../ledger/verify/chain-state.ts';
import type { WalkDirection } from '../../terms.ts';
import { LastingAnswers, type LastingAnswer } from '../lasting-answers.ts';
import { lotsHoldingText } from '../record-queries.ts';
import type { Link } from './link.ts';
import { LotWalk } from './walk.ts';

/** Lots of a genealogy that are searched, in each direction: 10,000 take some tenths of a second, in turns. */
export const SEARCHED_MAX = 10_000;
const WALK = { lotsMax: SEARCHED_MAX, eventsMax: 20_000, linesMax: 200_000 } as const;
/** Lots of links that are read between two turns of the event loop: about a millisecond. */
const LOTS_PER_TURN = 20_000;
/** Lots and references that are kept of all genealogies: about ten megabytes, five genealogies of the largest. */
const KEPT_MAX = 100_000;

/** Where ways begin. */
export interface WaysFrom {
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

/** The lots that are reached in one direction. */
interface Reached {
  readonly direction: WalkDirection;
  /** Hops of each; 0 of those where the ways begin. Nearest first. */
  readonly distances: ReadonlyMap<number, number>;
  /** Of each lot the one before it on the nearest way. */
  readonly before: ReadonlyMap<number, number>;
  /** There may be more lots. */
  readonly isCut: boolean;
}

export class LotWays {
  readonly #database: DatabaseReader;
  readonly #reached: LastingAnswers<readonly Reached[]>;

  constructor({
    database,
    state,
  }: {
    readonly database: DatabaseReader;
    readonly state: ChainState;
  }) {
    this.#database = database;
    this.#reached = new LastingAnswers({ database, state, weightMax: KEPT_MAX });
  }

  /**
   * Finds ways to the ancestors and descendants whose code, product or supplier contains a text.
   * @param wanted `skipped`: lots that are no hits
   */
  async findByText(
    from: WaysFrom,
    wanted: {
      readonly text: string;
      readonly limit: number;
      readonly skipped: ReadonlySet<number>;
    },
  ): Promise<FoundWays> {
    const { limit, skipped } = wanted;
    const { tenantNo } = from;
    const text = searchable(wanted.text);
    const directions = await this.#reach(from);
    const hits: { readonly lotNo: number; readonly reached: Reached; readonly hops: number }[] = [];
    const known = new Set<number>();
    for (const reached of directions) {
      for (const lotNos of cutSlices(reached.distances.keys())) {
        const holding = await lotsHoldingText(this.#database, { tenantNo, lotNos, text });
        for (const lotNo of holding) {
          if (known.has(lotNo) || skipped.has(lotNo)) continue;
          known.add(lotNo);
          const hops = present(reached.distances.get(lotNo), 'a lot of the walk');
          hits.push({ lotNo, reached, hops });
        }
        await nextTurn();
      }
    }
    const shown = hits.sort((a, b) => a.hops - b.hops || b.lotNo - a.lotNo).slice(0, limit);
    return {
      ways: shown.map(({ lotNo, reached }) => wayTo(lotNo, reached)),
      isCut: hits.length > limit || directions.some(({ isCut }) => isCut),
    };
  }

  /** The nearest way to one lot; undefined when it is neither an ancestor nor a descendant. */
  async find(from: WaysFrom, to: number): Promise<Way | undefined> {
    const directions = await this.#reach(from);
    const reached = directions.find(({ distances }) => distances.has(to));
    return reached && wayTo(to, reached);
  }

  async #reach(from: WaysFrom): Promise<readonly Reached[]> {
    const { tenantNo, lotNos, directions } = from;
    const key = `${directions.join(' ')} ${lotNos.join(' ')}`;
    return await this.#reached.get({ tenantNo, key }, () => walkFrom(this.#database, from));
  }
}

function wayTo(lotNo: number, { before }: Reached): Way {
  const way = [lotNo];
  for (let at = before.get(lotNo); at !== undefined; at = before.get(at)) way.unshift(at);
  return way;
}

async function walkFrom(
  database: DatabaseReader,
  { tenantNo, lotNos, directions }: WaysFrom,
): Promise<LastingAnswer<readonly Reached[]>> {
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
  const value: Reached[] = [];
  for (const walk of walks) {
    const { direction, distances, isCut } = walk;
    const before = await findBefore({ distances, links: walk.links() });
    value.push({ direction, distances, before, isCut });
  }
  const references = new Set(walks.flatMap((walk) => [...walk.references()]));
  const sizes = value.map(({ distances }) => distances.size);
  return {
    value,
    weight: sizes.reduce((sum, size) => sum + size, references.size),
    // An ancestor may get ancestors, and a descendant descendants.
    isChangedBy: ({ lotNo, side, linkBasis, reference }) => {
      if (linkBasis === LINKS_NOTHING) return false;
      if (linkBasis === LINKS_BY_REFERENCE && references.has(reference)) return true;
      return value.some(
        ({ direction, distances }) =>
          side === (direction === 'upstream' ? 'out' : 'in') && distances.has(lotNo),
      );
    },
  };
}

async function findBefore({
  distances,
  links,
}: {
  readonly distances: ReadonlyMap<number, number>;
  readonly links: Iterable<Link>;
}): Promise<ReadonlyMap<number, number>> {
  const pace = new Pace(LOTS_PER_TURN);
  const before = new Map<number, number>();
  for (const { near, far } of links) {
    const nearest = near.reduce<number | undefined>((best, lotNo) => {
      const hops = distances.get(lotNo);
      if (hops === undefined) return best;
      return best === undefined || hops < (distances.get(best) ?? Infinity) ? lotNo : best;
    }, undefined);
    if (nearest === undefined) continue;
    const hops = present(distances.get(nearest), 'the nearest lot of a walk') + 1;
    for (const lotNo of far) if (distances.get(lotNo) === hops) before.set(lotNo, nearest);
    if (pace.isOver(near.length + far.length + 1)) await nextTurn();
  }
  return before;
}
