// The next node for an arrow key: left and right follow the lines of the drawing, up and down stay in a
// layer.
import { at } from '@lothub/kit/present';
import type { Point } from '../../genealogy/drawing.ts';
import type { Graph } from '../../genealogy/graph.ts';

export type Arrow = 'left' | 'right' | 'up' | 'down';

interface Placed {
  readonly id: string;
  readonly place: Point;
}

/** @returns undefined where there is nothing on that side */
export function nextNode(
  nodes: readonly Placed[],
  graph: Graph,
  { from, arrow }: { readonly from: string; readonly arrow: Arrow },
): string | undefined {
  const start = nodes.find(({ id }) => id === from);
  if (start === undefined) return undefined;
  const { x, y } = start.place;
  if (arrow === 'up' || arrow === 'down') {
    const sign = arrow === 'up' ? -1 : 1;
    return nearest(
      nodes.filter(({ place }) => place.x === x && (place.y - y) * sign > 0),
      y,
    );
  }
  const beside = linked(graph, from, arrow);
  return nearest(
    nodes.filter(({ id }) => beside.has(id)),
    y,
  );
}

function linked({ nodes, links }: Graph, from: string, arrow: 'left' | 'right'): Set<string> {
  const number = nodes.findIndex(({ id }) => id === from);
  const [own, other] = arrow === 'left' ? (['outs', 'ins'] as const) : (['ins', 'outs'] as const);
  const numbers = links.flatMap((link) => (link[own].includes(number) ? link[other] : []));
  return new Set(numbers.filter((one) => one !== number).map((one) => at(nodes, one).id));
}

function nearest(nodes: readonly Placed[], y: number): string | undefined {
  const [first] = nodes.toSorted((a, b) => Math.abs(a.place.y - y) - Math.abs(b.place.y - y));
  return first?.id;
}
