// Makes edges between the nodes of a genealogy from links, each of which means many edges. They are
// in order, each once, and no more than are requested, so that an event of 500 lots in and 500 out
// costs only the edges that are shown.
import { Pace, nextTurn, sortInTurns } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import type { Junction } from './cycles.ts';

/** Edges made between two turns of the event loop: about a millisecond. */
const EDGES_PER_TURN = 1_000;

/** One event, or the one-sided events of one reference, between lots as numbers. */
export interface LinkJunction extends Junction {
  readonly basis: 'event' | 'reference';
  /** The height of the event. */
  readonly height: number;
  /** The first event that names each lot of a reference; empty for an event. */
  readonly inHeights: readonly number[];
  readonly outHeights: readonly number[];
}

export interface NumberedEdge {
  readonly from: number;
  readonly to: number;
  /** For a link by reference, the event on its out-side. */
  readonly height: number;
  /** The event on the in-side of a link by reference. */
  readonly inHeight: number | undefined;
}

/** @returns the edges by height, from and to; of those that there are the first `edgesMax` */
export async function joinEdges(options: {
  /** The same event may come twice, from the walks in both directions. */
  readonly junctions: readonly LinkJunction[];
  readonly deliveries: readonly Omit<NumberedEdge, 'inHeight'>[];
  readonly edgesMax: number;
}): Promise<{ readonly edges: readonly NumberedEdge[]; readonly isCut: boolean }> {
  const fans = await fansByHeight(options.junctions);
  for (const { from, to, height } of options.deliveries) {
    addFan(fans, height, { ins: [from], outs: [to], inHeightOf: undefined });
  }
  const heights = await sortInTurns([...fans.keys()], (a, b) => a - b);
  const pace = new Pace(EDGES_PER_TURN);
  const edges: NumberedEdge[] = [];
  for (const height of heights) {
    for (const { from, outs, inHeight } of spread(fans.get(height) ?? [])) {
      for (const to of outs) {
        if (to === from) continue;
        if (edges.length >= options.edgesMax) return { edges, isCut: true };
        edges.push({ from, to, height, inHeight });
      }
      if (pace.isOver(outs.length)) await nextTurn();
    }
  }
  return { edges, isCut: false };
}

/** Edges from each of `ins` to each of `outs` by the same event; both ascending. */
interface Fan {
  readonly ins: readonly number[];
  readonly outs: readonly number[];
  /** The event on the in-side for each of `ins` of a link by reference. */
  readonly inHeightOf: ReadonlyMap<number, number> | undefined;
}

async function fansByHeight(junctions: readonly LinkJunction[]): Promise<Map<number, Fan[]>> {
  const pace = new Pace(EDGES_PER_TURN);
  const fans = new Map<number, Fan[]>();
  for (const junction of junctions) {
    const ins = junction.ins.toSorted((a, b) => a - b);
    if (junction.basis === 'event') {
      const outs = junction.outs.toSorted((a, b) => a - b);
      addFan(fans, junction.height, { ins, outs, inHeightOf: undefined });
    } else {
      // The edges of a reference belong to the events on its out-side, each of which names some lots.
      const inHeightOf = new Map(
        junction.ins.map((lot, index) => [lot, at(junction.inHeights, index)]),
      );
      for (const [height, outs] of lotsByHeight(junction.outs, junction.outHeights)) {
        addFan(fans, height, { ins, outs: outs.sort((a, b) => a - b), inHeightOf });
      }
    }
    if (pace.isOver(junction.ins.length + junction.outs.length)) await nextTurn();
  }
  return fans;
}

function addFan(fans: Map<number, Fan[]>, height: number, fan: Fan): void {
  const known = fans.get(height);
  if (known === undefined) fans.set(height, [fan]);
  else known.push(fan);
}

function lotsByHeight(
  lots: readonly number[],
  heights: readonly number[],
): ReadonlyMap<number, number[]> {
  const byHeight = new Map<number, number[]>();
  for (const [index, lot] of lots.entries()) {
    const height = at(heights, index);
    const known = byHeight.get(height);
    if (known === undefined) byHeight.set(height, [lot]);
    else known.push(lot);
  }
  return byHeight;
}

/** The edges of one height, lot by lot, ascending. */
function* spread(fans: readonly Fan[]): Generator<{
  readonly from: number;
  readonly outs: readonly number[];
  readonly inHeight: number | undefined;
}> {
  const [only] = fans;
  if (only !== undefined && fans.length === 1) {
    for (const from of only.ins) {
      yield { from, outs: only.outs, inHeight: only.inHeightOf?.get(from) };
    }
    return;
  }
  const fansOf = new Map<number, Fan[]>();
  for (const fan of fans) for (const from of fan.ins) addFan(fansOf, from, fan);
  for (const from of [...fansOf.keys()].sort((a, b) => a - b)) {
    const own = fansOf.get(from) ?? [];
    const outs = [...new Set(own.flatMap((fan) => fan.outs))].sort((a, b) => a - b);
    yield { from, outs, inHeight: own[0]?.inHeightOf?.get(from) };
  }
}
