// Places the nodes of a directed graph in layers from left to right: every line leads to a layer
// further right, except those that close a cycle. Pure and deterministic; 2,000 nodes take some
// milliseconds. Browsers load it, too.
import { at } from '@lothub/kit/present';

/** A line, from one node to another, by their numbers. */
export interface Line {
  readonly from: number;
  readonly to: number;
}

export interface LayeredGraph {
  /** Nodes are numbered from 0. */
  readonly nodeCount: number;
  readonly lines: readonly Line[];
  /**
   * Places of the nodes that were drawn before. These nodes stay near their places, and new ones
   * come between them. When absent, the rows are chosen so that few lines cross.
   */
  readonly before?: readonly (Place | undefined)[];
}

export interface Place {
  /** The number of the layer from 0, left to right. */
  readonly layer: number;
  /** The number of the row from 0, top to bottom; no two nodes of a layer have the same. */
  readonly row: number;
}

export interface RoutedLine extends Line {
  /** Leads back: without the lines that do, nothing leads to itself. */
  readonly isBack: boolean;
  /**
   * The places in the layers between its ends, in the order from `from` to `to`; empty when there
   * are too many layers.
   */
  readonly bends: readonly Place[];
}

export interface LayeredLayout {
  /** By node. */
  readonly places: readonly Place[];
  /** The lines in their given order; a line from a node to itself is left out. */
  readonly lines: readonly RoutedLine[];
  readonly layers: number;
  readonly rows: number;
}

/** Numbers of sweeps; further ones change little. */
const ORDER_SWEEPS = 4;
const PLACE_SWEEPS = 4;
/** Sweeps that place new points between existing rows; a bend needs the rows of its ends first. */
const KEEP_SWEEPS = 3;
/** Weight of an existing row, beside a new one. */
const KEPT_WEIGHT = 50;
/** A line over more layers than these is straight: no reader can follow it, and bends cost time. */
const LAYERS_BENT_MAX = 8;

export function layOutLayers(graph: LayeredGraph): LayeredLayout {
  const lines = graph.lines.filter(({ from, to }) => from !== to);
  const isBack = backLines(graph.nodeCount, lines);
  // From here on, a line that leads back has the opposite direction.
  const forward = lines.map(({ from, to }, index) =>
    isBack[index] === true ? { from: to, to: from } : { from, to },
  );
  const { before } = graph;
  const layerOf = listLayers(graph.nodeCount, forward, before);
  const { points, chains, neighbours } = withBends(graph.nodeCount, forward, layerOf);
  const rowOf =
    before === undefined
      ? placeRows(orderLayers(points, neighbours), neighbours)
      : keepRows(points, neighbours, before);
  const places = points.map((layer, point): Place => ({ layer, row: at(rowOf, point) }));
  return {
    places: places.slice(0, graph.nodeCount),
    lines: lines.map((line, index) => {
      const bends = at(chains, index).map((point) => at(places, point));
      const back = isBack[index] === true;
      return { ...line, isBack: back, bends: back ? bends.reverse() : bends };
    }),
    layers: 1 + points.reduce((max, layer) => Math.max(max, layer), -1),
    rows: 1 + rowOf.reduce((max, row) => Math.max(max, row), -1),
  };
}

/** Finds which lines close a cycle when the nodes are visited in the order of their numbers. */
function backLines(nodeCount: number, lines: readonly Line[]): readonly boolean[] {
  const out = listLines(nodeCount, lines, 'from');
  const isBack = new Array<boolean>(lines.length).fill(false);
  const state = new Array<'new' | 'open' | 'done'>(nodeCount).fill('new');
  // Sources first, so that a line back is one that leads back towards them.
  const hasParent = new Array<boolean>(nodeCount).fill(false);
  for (const { to } of lines) hasParent[to] = true;
  const numbers = [...hasParent.keys()];
  const roots = [
    ...numbers.filter((node) => hasParent[node] !== true),
    ...numbers.filter((node) => hasParent[node] === true),
  ];
  for (const root of roots) {
    if (state[root] !== 'new') continue;
    state[root] = 'open';
    const path = [{ node: root, next: 0 }];
    for (let step = path.at(-1); step !== undefined; step = path.at(-1)) {
      const index = out[step.node]?.[step.next];
      step.next += 1;
      if (index === undefined) {
        state[step.node] = 'done';
        path.pop();
        continue;
      }
      const to = lines[index]?.to ?? step.node;
      if (state[to] === 'open') isBack[index] = true;
      if (state[to] !== 'new') continue;
      state[to] = 'open';
      path.push({ node: to, next: 0 });
    }
  }
  return isBack;
}

/** Numbers of the lines at each node, in the order of the lines. */
function listLines(
  nodeCount: number,
  lines: readonly Line[],
  end: 'from' | 'to',
): readonly (readonly number[])[] {
  const ofNode: number[][] = Array.from({ length: nodeCount }, () => []);
  for (const [index, line] of lines.entries()) at(ofNode, line[end]).push(index);
  return ofNode;
}

/**
 * Gives each node the layer of the longest way from any source; a source is in the layer right
 * before its first target. Nodes that were drawn before keep their layer if lines permit it.
 */
function listLayers(
  nodeCount: number,
  lines: readonly Line[],
  before: readonly (Place | undefined)[] = [],
): readonly number[] {
  const out = listLines(nodeCount, lines, 'from');
  const ordered = sortBySources(nodeCount, lines, out);
  const isSource = new Array<boolean>(nodeCount).fill(true);
  for (const { to } of lines) isSource[to] = false;
  const wanted = wantedLayers(ordered, lines, { out, before });
  const layerOf = new Array<number>(nodeCount).fill(-Infinity);
  for (const node of ordered) {
    const kept = before[node]?.layer ?? (at(isSource, node) ? (wanted[node] ?? 0) : -Infinity);
    layerOf[node] = Math.max(at(layerOf, node), kept);
    for (const index of at(out, node)) {
      const { to } = at(lines, index);
      layerOf[to] = Math.max(at(layerOf, to), at(layerOf, node) + 1);
    }
  }
  for (const node of ordered) {
    if (!at(isSource, node) || before[node] !== undefined) continue;
    const nearest = nearestAfter(node, layerOf, { out, lines });
    if (nearest !== undefined) layerOf[node] = nearest - 1;
  }
  return fromZero(layerOf);
}

/**
 * Finds the layer of each new node that leads to drawn ones: the layer before the nearest of them.
 */
function wantedLayers(
  ordered: readonly number[],
  lines: readonly Line[],
  {
    out,
    before,
  }: {
    readonly out: readonly (readonly number[])[];
    readonly before: readonly (Place | undefined)[];
  },
): readonly (number | undefined)[] {
  const wanted = ordered.map((_, node) => before[node]?.layer);
  for (const node of ordered.toReversed()) {
    const nearest = nearestAfter(node, wanted, { out, lines });
    if (nearest !== undefined) wanted[node] ??= nearest - 1;
  }
  return wanted;
}

/** The lowest layer that lines from a node lead to. */
function nearestAfter(
  node: number,
  layerOf: readonly (number | undefined)[],
  { out, lines }: { readonly out: readonly (readonly number[])[]; readonly lines: readonly Line[] },
): number | undefined {
  const layers = at(out, node)
    .map((index) => layerOf[at(lines, index).to])
    .filter((layer) => layer !== undefined);
  return layers.length === 0
    ? undefined
    : layers.reduce((least, layer) => Math.min(least, layer), Infinity);
}

/** Sorts nodes: each comes after all nodes that lead to it. The lines have no cycle. */
function sortBySources(
  nodeCount: number,
  lines: readonly Line[],
  out: readonly (readonly number[])[],
): readonly number[] {
  const waitsFor = new Array<number>(nodeCount).fill(0);
  for (const { to } of lines) waitsFor[to] = at(waitsFor, to) + 1;
  const ready = [...waitsFor.keys()].filter((node) => waitsFor[node] === 0);
  for (const node of ready) {
    for (const index of at(out, node)) {
      const { to } = at(lines, index);
      waitsFor[to] = at(waitsFor, to) - 1;
      if (waitsFor[to] === 0) ready.push(to);
    }
  }
  return ready;
}

/** The points right before and right after each point. */
interface Neighbours {
  readonly before: readonly (readonly number[])[];
  readonly after: readonly (readonly number[])[];
}

/**
 * Splits lines over several layers into pieces of one, by points in between. Lines from the same node
 * share their points, so that many of them take one row.
 */
function withBends(
  nodeCount: number,
  lines: readonly Line[],
  layerOf: readonly number[],
): {
  /** The layer of each point; the nodes come first. */
  readonly points: readonly number[];
  /** The points between the ends of each line. */
  readonly chains: readonly (readonly number[])[];
  readonly neighbours: Neighbours;
} {
  const points = [...layerOf];
  const before: number[][] = Array.from({ length: nodeCount }, () => []);
  const after: number[][] = Array.from({ length: nodeCount }, () => []);
  const shared = new Map<number, number[]>();
  const chains = lines.map(({ from, to }): readonly number[] => {
    const chain: number[] = [];
    const known = shared.get(from) ?? [];
    shared.set(from, known);
    let last = from;
    const first = at(layerOf, from) + 1;
    const end = at(layerOf, to);
    for (let layer = first; layer < end && end - first < LAYERS_BENT_MAX; layer += 1) {
      let point = known[layer - first];
      if (point === undefined) {
        point = points.push(layer) - 1;
        known.push(point);
        before.push([last]);
        after.push([]);
        at(after, last).push(point);
      }
      chain.push(point);
      last = point;
    }
    at(before, to).push(last);
    at(after, last).push(to);
    return chain;
  });
  return { points, chains, neighbours: { before, after } };
}

/** Rows of points of which some have rows already: those weigh more than what comes between them. */
function keepRows(
  points: readonly number[],
  { before, after }: Neighbours,
  placesBefore: readonly (Place | undefined)[],
): number[] {
  const wanted = points.map((_, point) => placesBefore[point]?.row);
  for (let sweep = 0; sweep < KEEP_SWEEPS; sweep += 1) {
    for (const point of points.keys()) {
      if (placesBefore[point] !== undefined) continue;
      const beside = [...at(before, point), ...at(after, point)];
      const rows = beside.map((other) => wanted[other]).filter((row) => row !== undefined);
      if (rows.length > 0) wanted[point] = rows.reduce((sum, row) => sum + row, 0) / rows.length;
    }
  }
  const rowOf: number[] = [];
  for (const layer of pointsByLayer(points)) {
    const sorted = layer.sort((a, b) => (wanted[a] ?? 0) - (wanted[b] ?? 0) || a - b);
    const rows = spacedRows(
      sorted.map((point) => wanted[point] ?? 0),
      sorted.map((point) => (placesBefore[point] === undefined ? 1 : KEPT_WEIGHT)),
    );
    for (const [index, row] of rows.entries()) rowOf[at(sorted, index)] = row;
  }
  return fromZero(rowOf);
}

function pointsByLayer(points: readonly number[]): number[][] {
  const layers: number[][] = [];
  for (const [point, layer] of points.entries()) {
    while (layers.length <= layer) layers.push([]);
    at(layers, layer).push(point);
  }
  return layers;
}

/** Orders the points of each layer, top to bottom, so that few lines cross. */
function orderLayers(points: readonly number[], neighbours: Neighbours): readonly number[][] {
  const layers = pointsByLayer(points);
  const position = new Array<number>(points.length).fill(0);
  const number = (layer: readonly number[]): void => {
    for (const [index, point] of layer.entries()) position[point] = index;
  };
  layers.forEach(number);
  const weight = new Array<number>(points.length).fill(0);
  for (let sweep = 0; sweep < ORDER_SWEEPS; sweep += 1) {
    const isRightward = sweep % 2 === 0;
    const beside = isRightward ? neighbours.before : neighbours.after;
    for (const layer of isRightward ? layers : layers.toReversed()) {
      for (const point of layer) {
        weight[point] = computeMean(at(beside, point), position) ?? at(position, point);
      }
      layer.sort((a, b) => at(weight, a) - at(weight, b) || a - b);
      number(layer);
    }
  }
  return layers;
}

/** Finds the row of each point: near those of its neighbours, in the order of its layer. */
function placeRows(layers: readonly (readonly number[])[], neighbours: Neighbours): number[] {
  const rowOf: number[] = [];
  for (const layer of layers) for (const [index, point] of layer.entries()) rowOf[point] = index;
  for (let sweep = 0; sweep < PLACE_SWEEPS; sweep += 1) {
    const isRightward = sweep % 2 === 0;
    const beside = isRightward ? neighbours.before : neighbours.after;
    for (const layer of isRightward ? layers : layers.toReversed()) {
      const wanted = layer.map(
        (point) => computeMean(at(beside, point), rowOf) ?? at(rowOf, point),
      );
      for (const [index, row] of spacedRows(wanted).entries()) rowOf[at(layer, index)] = row;
    }
  }
  return fromZero(rowOf);
}

function fromZero(rowOf: readonly number[]): number[] {
  const least = rowOf.reduce((min, row) => Math.min(min, row), Infinity);
  return rowOf.map((row) => row - least);
}

function computeMean(points: readonly number[], values: readonly number[]): number | undefined {
  if (points.length === 0) return undefined;
  let sum = 0;
  for (const point of points) sum += at(values, point);
  return sum / points.length;
}

/**
 * Finds different whole rows in the given order, as near to the wanted ones as the order permits.
 * Runs of rows that would collide are moved together to their mean.
 * @param weights of each in such a mean; all equal when absent
 */
function spacedRows(wanted: readonly number[], weights?: readonly number[]): readonly number[] {
  const runs: { sum: number; weight: number; count: number }[] = [];
  for (const [index, row] of wanted.entries()) {
    const weight = weights === undefined ? 1 : at(weights, index);
    let run = { sum: (row - index) * weight, weight, count: 1 };
    for (
      let above = runs.at(-1);
      above !== undefined && above.sum / above.weight >= run.sum / run.weight;
      above = runs.at(-1)
    ) {
      run = {
        sum: run.sum + above.sum,
        weight: run.weight + above.weight,
        count: run.count + above.count,
      };
      runs.pop();
    }
    runs.push(run);
  }
  return runs
    .flatMap(({ sum, weight, count }) => new Array<number>(count).fill(Math.round(sum / weight)))
    .map((row, index) => row + index);
}
