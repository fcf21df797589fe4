// Makes nodes and edges of a genealogy from the results of walks: sorted, bounded, and in turns so
// that a large one does not stop other requests.
import { askForEach, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import type { WalkDirection } from '../../terms.ts';
import { Pace, nextTurn } from '@lothub/kit/in-turns';
import { countCycles } from './cycles.ts';
import { joinEdges, type LinkJunction, type NumberedEdge } from './edges.ts';
import { NodeTable } from './nodes.ts';
import type { GraphNode, LotNode, NodeEntry, ShownNodes } from './nodes.ts';
import { eventLabels, type EventLabel } from './queries.ts';
import type { Link } from './link.ts';
import type { Delivery } from './supplier-lots.ts';
import type { LotWalk } from './walk.ts';

/** Lots of links gone through between two turns of the event loop: about a millisecond. */
const LOTS_PER_TURN = 2_000;

/** The lots that are shown, as the walks found them. */
export interface Trace extends ShownNodes {
  readonly walks: readonly LotWalk[];
  /** Hops from the seed of each lot that is shown, in each direction in which it was reached. */
  readonly hops: Readonly<Record<WalkDirection, ReadonlyMap<number, number>>>;
  /** The deliveries of the supplier lots that are shown. */
  readonly deliveries: readonly Delivery[];
  /** Lots at which more follows that is not shown. */
  readonly stops: ReadonlySet<number>;
  /** True when the seed is a supplier's lot that came into more lots than are shown. */
  readonly seedIsCut: boolean;
}

export interface GraphEdge {
  readonly from: GraphNode;
  readonly to: LotNode;
  /** The label of the event; of the event on the out-side for a link by reference. */
  readonly event: EventLabel;
  /** The event on the in-side of a link by reference; undefined when one event links. */
  readonly inHeight: number | undefined;
}

export interface Graph {
  /** By distance, then by lot code in the order of UTF-16 code units. */
  readonly nodes: readonly GraphNode[];
  /** The ancestors among the nodes, and the descendants; a lot that is both is in each list. */
  readonly upstream: readonly GraphNode[];
  readonly downstream: readonly GraphNode[];
  /**
   * The edges by the height of their event, then by their lots' codes. They may be many, so each is
   * made when it is read.
   */
  readonly edges: Iterable<GraphEdge>;
  /** Codes of lots at which more follows that is not shown, nearest first. */
  readonly frontier: readonly string[];
  /** True when there are more edges between these nodes than are returned. */
  readonly edgesAreCut: boolean;
  /** Groups of two or more of the lots that lead back to themselves. */
  readonly cycles: number;
}

export async function buildGraph(
  database: DatabaseReader,
  trace: Trace,
  { edgesMax }: { readonly edgesMax: number },
): Promise<Graph> {
  const table = await NodeTable.of(trace);
  const junctions = await joinJunctions(trace, table);
  const { edges, isCut } = await joinEdges({
    junctions,
    deliveries: trace.deliveries.flatMap((delivery) => {
      const from = table.numberOfSupplierLot(delivery.supplierLot);
      const to = table.numberOfLot(delivery.lotNo);
      return from === undefined || to === undefined ? [] : [{ from, to, height: delivery.height }];
    }),
    edgesMax,
  });
  const events = await readLabels(database, edges);
  const nearestFirst = table.nearestFirst();
  return {
    nodes: nearestFirst.map(({ node }) => node),
    upstream: table.inDirection('upstream', trace.hops.upstream),
    downstream: table.inDirection('downstream', trace.hops.downstream),
    edges: { [Symbol.iterator]: () => labelled(edges, table, events) },
    frontier: listFrontier(nearestFirst, trace),
    edgesAreCut: isCut,
    cycles: await countCycles(table.size, junctions),
  };
}

function* labelled(
  edges: readonly NumberedEdge[],
  table: NodeTable,
  events: ReadonlyMap<number, EventLabel>,
): Generator<GraphEdge> {
  for (const edge of edges) {
    const event = events.get(edge.height);
    const [from, to] = [table.node(edge.from), table.node(edge.to)];
    if (event === undefined || from === undefined || to === undefined) continue;
    // No edge leads to a supplier's lot.
    if (to.supplierLot !== undefined) continue;
    yield { from, to, event, inHeight: edge.inHeight };
  }
}

/** The links between shown lots, with the numbers of their nodes. */
async function joinJunctions(trace: Trace, table: NodeTable): Promise<readonly LinkJunction[]> {
  const pace = new Pace(LOTS_PER_TURN);
  const junctions: LinkJunction[] = [];
  for (const walk of trace.walks) {
    for (const link of walk.links()) {
      const near = pickShown(table, link, 'near');
      const far = pickShown(table, link, 'far');
      const [ins, outs] = walk.direction === 'upstream' ? [far, near] : [near, far];
      if (ins.numbers.length > 0 && outs.numbers.length > 0) {
        junctions.push({
          basis: link.basis,
          height: link.height,
          ins: ins.numbers,
          outs: outs.numbers,
          inHeights: ins.heights,
          outHeights: outs.heights,
        });
      }
      if (pace.isOver(link.near.length + link.far.length + 1)) await nextTurn();
    }
  }
  return junctions;
}

function pickShown(
  table: NodeTable,
  link: Link,
  side: 'near' | 'far',
): { readonly numbers: readonly number[]; readonly heights: readonly number[] } {
  const numbers: number[] = [];
  const heights: number[] = [];
  const linkHeights = side === 'near' ? link.nearHeights : link.farHeights;
  for (const [index, lotNo] of link[side].entries()) {
    const number = table.numberOfLot(lotNo);
    if (number === undefined) continue;
    numbers.push(number);
    const height = linkHeights[index];
    if (height !== undefined) heights.push(height);
  }
  return { numbers, heights };
}

/** Reads the labels of the edges' events, by height. */
async function readLabels(
  database: DatabaseReader,
  edges: readonly NumberedEdge[],
): Promise<ReadonlyMap<number, EventLabel>> {
  const slices = cutSlices([...new Set(edges.map((edge) => edge.height))]);
  const labels = await askForEach(database, slices, eventLabels);
  return new Map(labels.flat().map((label) => [label.height, label]));
}

function listFrontier(nearestFirst: readonly NodeEntry[], trace: Trace): readonly string[] {
  const codes = new Set<string>();
  for (const { node, lotNo } of nearestFirst) {
    const isStop =
      lotNo === undefined ? node.relation === 'self' && trace.seedIsCut : trace.stops.has(lotNo);
    if (isStop && node.lotCode !== null) codes.add(node.lotCode);
  }
  return [...codes];
}
