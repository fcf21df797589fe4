// A genealogy as a drawing: where its boxes and lines are, and the markup of each. Layers are steps of
// production, from left to right, and the newest lot of a layer is at its top. Days would be no good layers:
// lots of one day would be above each other, with lines in both directions. Pure; the server draws with it
// first, browsers continue.
import { html, type Html } from '@lothub/kit/html';
import { at } from '@lothub/kit/present';
import { cut, computeMiddle, listPieces, px } from '../../web/layered-drawing.ts';
import { layOutLayers, type LayeredLayout, type Place } from '../../web/layered-layout.ts';
import { after, type DrawnNode, type Graph, type Opener } from './graph.ts';
import { buildQuery, type Asked } from './steps.ts';

/** Lengths in pixels, before zooming. */
export const BOX_WIDTH = 176;
export const BOX_HEIGHT = 42;
const ROW_HEIGHT = 54;
const DOT_WIDTH = 6;
/** Room between a box and the dots beside it, for an opener and for the curves of lines. */
const GAP = 44;
const COLUMN = BOX_WIDTH + 2 * GAP + DOT_WIDTH;
const LABEL_CHARS = 18;
const DETAIL_CHARS = 22;
const MARK_WIDTH = 18;
const MARGIN = 48;

/** Words of a drawing, with `{lot}` and `{n}` in some of them. */
export interface DrawingWords {
  readonly openUp: string;
  readonly openDown: string;
  readonly closeUp: string;
  readonly closeDown: string;
  readonly openGroup: string;
  readonly closeGroup: string;
  readonly seed: string;
  readonly lotsOfGroup: string;
  readonly oneLotOfGroup: string;
  readonly moreOfGroup: string;
  readonly allShown: string;
  readonly heldOfGroup: string;
  readonly recalledOfGroup: string;
}

export interface DrawingFormats {
  readonly words: DrawingWords;
  readonly number: (value: number) => string;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Drawing {
  /** Upper left corners of the boxes, in the order of the nodes. */
  readonly places: readonly Point[];
  /** By key of a link: its lines forward and back, and its dot if it has one. */
  readonly links: ReadonlyMap<string, DrawnLines>;
  /** Places of nodes and links in layers, for the next drawing. */
  readonly layout: ReadonlyMap<string, Place>;
  readonly bounds: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  };
}

export interface DrawnLines {
  readonly onward: string;
  readonly back: string;
  readonly dot: Point | undefined;
}

/** A graph in layers and rows, before its boxes and lines have lengths. */
export interface LaidGraph {
  readonly layout: LayeredLayout;
  /** For each point of the layout the id of its node, or the key of its link; the newest nodes first. */
  readonly names: readonly string[];
  /** The point of each node, by its index. */
  readonly numberOf: readonly number[];
}

/** The current drawing: nodes stay where they are as far as possible. */
interface DrawnBefore {
  readonly layout: Drawing['layout'];
  /** The node that stays where it is in any case. */
  readonly anchor: string;
}

export function drawGraph(graph: Graph): Drawing {
  return drawLaid(graph, layOutGraph(graph));
}

/** The first half of a drawing: browsers do each half in a frame of its own. */
export function layOutGraph({ nodes, links }: Graph, before?: DrawnBefore): LaidGraph {
  // The newest first: nodes with the same neighbours stay in the order of their numbers.
  const order = [...nodes.keys()].sort(
    (a, b) => getOrder(at(nodes, b)) - getOrder(at(nodes, a)) || a - b,
  );
  const numberOf = new Array<number>(nodes.length).fill(0);
  for (const [number, index] of order.entries()) numberOf[index] = number;
  const names = [
    ...order.map((index) => at(nodes, index).id),
    ...links.map(({ key }) => `> ${key}`),
  ];
  const layout = layOutLayers({
    nodeCount: names.length,
    lines: links.flatMap(({ ins, outs }, index) => {
      const dot = nodes.length + index;
      return [
        ...ins.map((from) => ({ from: at(numberOf, from), to: dot })),
        ...outs.map((to) => ({ from: dot, to: at(numberOf, to) })),
      ];
    }),
    ...(before === undefined ? {} : { before: names.map((name) => before.layout.get(name)) }),
  });
  const shift = computeShift(names, layout, before);
  return { layout: shift === 0 ? layout : movedBy(layout, shift), names, numberOf };
}

/** The second half of a drawing. */
export function drawLaid(graph: Graph, { layout, names, numberOf }: LaidGraph): Drawing {
  const seed = at(layout.places, at(numberOf, 0));
  const columns = placeColumns(layout, seed.layer);
  const places = graph.nodes.map((_, index): Point => {
    const place = at(layout.places, at(numberOf, index));
    return {
      x: at(columns.lefts, place.layer),
      y: computeMiddle(place, ROW_HEIGHT) - BOX_HEIGHT / 2,
    };
  });
  return {
    places,
    links: mapLines(graph, layout, columns),
    layout: new Map(names.map((name, point) => [name, at(layout.places, point)])),
    bounds: measureBounds(places),
  };
}

function getOrder(node: DrawnNode): number {
  return node.group === undefined ? node.lot.order : Number.MAX_SAFE_INTEGER;
}

/** Returns the number of rows by which everything moves down, so that the anchor stays in its place. */
function computeShift(
  names: readonly string[],
  layout: LayeredLayout,
  before: DrawnBefore | undefined,
): number {
  if (before === undefined) return 0;
  const was = before.layout.get(before.anchor)?.row;
  const number = names.indexOf(before.anchor);
  return was === undefined || number < 0 ? 0 : was - at(layout.places, number).row;
}

function movedBy(layout: LayeredLayout, shift: number): LayeredLayout {
  const down = <Placed extends { readonly row: number }>(place: Placed): Placed => ({
    ...place,
    row: place.row + shift,
  });
  return {
    ...layout,
    places: layout.places.map(down),
    lines: layout.lines.map((line) => ({ ...line, bends: line.bends.map(down) })),
  };
}

/** Places the layers. Layers of boxes and of dots alternate, and the lot itself is at the origin. */
function placeColumns(
  { layers }: LayeredLayout,
  seedLayer: number,
): { readonly lefts: readonly number[]; readonly widths: readonly number[] } {
  const numbers = Array.from({ length: layers }, (_, layer) => layer - seedLayer);
  return {
    lefts: numbers.map((layer) => {
      const start = Math.floor(layer / 2) * COLUMN;
      return layer % 2 === 0 ? start : start + BOX_WIDTH + GAP;
    }),
    widths: numbers.map((layer) => (layer % 2 === 0 ? BOX_WIDTH : DOT_WIDTH)),
  };
}

function mapLines(
  { nodes, links }: Graph,
  layout: LayeredLayout,
  columns: { readonly lefts: readonly number[]; readonly widths: readonly number[] },
): ReadonlyMap<string, DrawnLines> {
  const pieces = Map.groupBy(
    listPieces(layout, { columns, nodeCount: nodes.length, rowHeight: ROW_HEIGHT }),
    ({ dot }) => dot,
  );
  return new Map(
    links.map(({ key, ins, outs }, index) => {
      const number = nodes.length + index;
      const place = at(layout.places, number);
      const own = pieces.get(number) ?? [];
      const join = (isBack: boolean): string =>
        own.map((piece) => (piece.isBack === isBack ? piece.d : '')).join('');
      // A link between only two lots needs no dot.
      const isSeen = ins.length > 1 || outs.length > 1;
      const x = at(columns.lefts, place.layer) + DOT_WIDTH / 2;
      const y = computeMiddle(place, ROW_HEIGHT);
      const through = isSeen ? '' : `M${px(x - DOT_WIDTH / 2)} ${px(y)}h${DOT_WIDTH}`;
      const dot = isSeen ? { x, y } : undefined;
      return [key, { onward: join(false) + through, back: join(true), dot }];
    }),
  );
}

function measureBounds(places: readonly Point[]): Drawing['bounds'] {
  let [left, right, top, bottom] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const { x, y } of places) {
    left = Math.min(left, x);
    right = Math.max(right, x + BOX_WIDTH);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y + BOX_HEIGHT);
  }
  return {
    left: left - MARGIN,
    top: top - MARGIN / 2,
    width: right - left + 2 * MARGIN,
    height: bottom - top + MARGIN,
  };
}

/** Replaces `{name}` in a text such as `2 of {lot}` by the value of this name. */
export function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

export function getLabel(node: DrawnNode): string {
  return node.group === undefined ? node.lot.label : node.group.label;
}

/** Returns the text of a node that is read out. */
export function spokenName(node: DrawnNode, { words, number }: DrawingFormats): string {
  if (node.group === undefined) {
    return node.relation === 'self' ? `${node.lot.spoken}, ${words.seed}` : node.lot.spoken;
  }
  const { group } = node;
  return [
    `${group.label}: ${formatRest(group, { words, number })}`,
    ...(group.held > 0 ? [filled(words.heldOfGroup, { n: number(group.held) })] : []),
    ...(group.recalled > 0 ? [filled(words.recalledOfGroup, { n: number(group.recalled) })] : []),
  ].join(', ');
}

function formatRest(
  { rest, count }: { readonly rest: number; readonly count: number },
  { words, number }: DrawingFormats,
): string {
  if (rest === 0) return words.allShown;
  if (rest < count) return filled(words.moreOfGroup, { n: number(rest) });
  return count === 1 ? words.oneLotOfGroup : filled(words.lotsOfGroup, { n: number(count) });
}

/** Everything that the drawing of a node shows. While it is the same, the node is not drawn again. */
export function buildLook(node: DrawnNode): string {
  return JSON.stringify([
    node.relation === 'self',
    node.group?.rest,
    node.openers.map(({ does, side, count, isCut }) => [does, side, count, isCut]),
  ]);
}

/**
 * Writes one box with its openers, without its place. Their titles are their names, because the text in a box
 * may be cut.
 * @param formats `asked`: what is open now, for the addresses of openers
 */
export function nodeBox(
  node: DrawnNode,
  formats: DrawingFormats & { readonly asked: Asked; readonly path: string },
): Html {
  const { lot, group } = node;
  const marks = listMarks(node);
  const room = marks.length * MARK_WIDTH;
  const textX = 12 + room;
  const chars = Math.ceil(room / 7);
  const label = cut(getLabel(node), LABEL_CHARS - chars);
  const detail = cut(
    node.group === undefined ? node.lot.detail : formatRest(node.group, formats),
    DETAIL_CHARS - chars,
  );
  const name = spokenName(node, formats);
  const box = html`<title>${name}</title>
    ${group === undefined ? '' : html`<rect class="behind" x="4" y="4" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6" />`}
    <rect class="frame-line" width="${BOX_WIDTH}" height="${BOX_HEIGHT}" rx="6" />
    ${marks.map((mark, index) => html`<g transform="translate(${10 + index * MARK_WIDTH} 13)">${MARKS[mark]}</g>`)}
    <text class="label" x="${textX}" y="${detail === '' ? 26 : 18}">${label}</text>
    ${detail === '' ? '' : html`<text class="detail" x="${textX}" y="33">${detail}</text>`}`;
  const path = lot?.path ?? null;
  const open = node.openers.find(({ does }) => does === 'open');
  const href = path ?? (open === undefined ? null : buildHref(open, formats));
  return html`${
    href === null
      ? html`<g class="box" tabindex="0" role="img" aria-label="${name}">${box}</g>`
      : html`<a class="box" href="${href}">${box}</a>`
  }${node.openers.map((opener) => openerMark(node, opener, formats))}`;
}

/** Classes of the group that holds a node. */
export function listClasses(node: DrawnNode): string {
  return [
    'node',
    ...(node.group === undefined ? [] : ['group']),
    node.group === undefined ? node.lot.kind : `of-${node.group.kind}`,
    ...(node.relation === 'self' ? ['seed'] : []),
    ...listMarks(node),
  ].join(' ');
}

type Mark = 'recalled' | 'held';

function listMarks(node: DrawnNode): readonly Mark[] {
  const isRecalled = node.group === undefined ? node.lot.isRecalled : node.group.recalled > 0;
  const isHeld = node.group === undefined ? node.lot.isHeld : node.group.held > 0;
  return [...(isRecalled ? ['recalled' as const] : []), ...(isHeld ? ['held' as const] : [])];
}

/** On a field of 16 by 16: an octagon and a disc, so that they differ without colour, too. */
export const MARKS: Readonly<Record<Mark, Html>> = {
  recalled: html`<path class="mark-recalled" d="M5 0h6l5 5v6l-5 5H5l-5-5V5z" /><path
      class="mark-sign"
      d="M8 3.500v5.500m0 3v.200"
    />`,
  held: html`<circle class="mark-held" cx="8" cy="8" r="7.500" /><path
      class="mark-sign"
      d="M6 5v6m4-6v6"
    />`,
};

function openerMark(
  node: DrawnNode,
  opener: Opener,
  formats: DrawingFormats & { readonly asked: Asked; readonly path: string },
): Html {
  const text = openerText(opener, formats);
  const width = Math.max(24, 12 + text.length * 7.2);
  const left = opener.side === 'up' ? -width - 2 : BOX_WIDTH + 2;
  const name = openerName(node, opener, formats);
  return html`<a
    class="opener ${opener.does}"
    href="${buildHref(opener, formats)}"
    data-opener="${opener.does} ${opener.side}"
    ><title>${name}</title
    ><rect class="touch" x="${left - 4}" y="0" width="${width + 8}" height="${BOX_HEIGHT}" /><rect
      x="${left}"
      y="${BOX_HEIGHT / 2 - 10}"
      width="${width}"
      height="20"
      rx="10"
    /><text x="${left + width / 2}" y="${BOX_HEIGHT / 2 + 4}">${text}</text></a
  >`;
}

/** A large number is written with few digits, such as `+4k`. */
function openerText({ does, count, isCut }: Opener, { number }: DrawingFormats): string {
  if (does === 'close') return '−';
  if (count === 0) return '+';
  return `+${count >= 1_000 ? `${number(Math.floor(count / 1_000))}k` : number(count)}${isCut ? '…' : ''}`;
}

export function openerName(
  node: DrawnNode,
  opener: Opener,
  { words, number }: DrawingFormats,
): string {
  const { does, side, count, isCut } = opener;
  const lot = getLabel(node);
  const isUp = side === 'up';
  const ofLot =
    does === 'open'
      ? isUp
        ? words.openUp
        : words.openDown
      : isUp
        ? words.closeUp
        : words.closeDown;
  const ofGroup = does === 'open' ? words.openGroup : words.closeGroup;
  const many = `${number(count)}${isCut ? '+' : ''}`;
  return filled(node.group === undefined ? ofLot : ofGroup, { lot, n: many });
}

function buildHref(
  opener: Opener,
  { asked, path }: { readonly asked: Asked; readonly path: string },
): string {
  return `${path}${buildQuery(after(asked, opener))}`;
}

/** The place of a node, as a value of the attribute `transform` of SVG. */
export function translation({ x, y }: Point): string {
  return `translate(${px(x)} ${px(y)})`;
}
