// Draws the genealogy of a case as inline SVG: boxes for lots, dots for their links, left to right.
// A drawing that is higher than a page is cut into sheets between two rows of boxes. Marks are
// letters, frames and dashes, which print in black and white. Pure.
import { html, type Html } from '@lothub/kit/html';
import { at } from '@lothub/kit/present';
import { cut, computeMiddle, listPieces, px, measureWidth } from '../../web/layered-drawing.ts';
import type { ColumnPlaces } from '../../web/layered-drawing.ts';
import { layOutLayers, type LayeredLayout, type Place } from '../../web/layered-layout.ts';
import type { DrawnGenealogy, DrawnNode } from './case-report.ts';

/** The space between the margins of A4 and of Letter, below a heading, in CSS pixels. */
const SHEET_WIDTH = 660;
const SHEET_HEIGHT = 760;

const ROW_HEIGHT = 28;
const BOX_HEIGHT = 23;
/** The space next to each column, in which the lines turn. */
const GAP = 13;
const DOT_RADIUS = 2.6;
/** Layers of lots and of dots alternate: a column of dots is as wide as a dot. */
const DOT_COLUMN = 2 * DOT_RADIUS;
const PADDING = 6;
const EDGE = 2;
const MARK_WIDTH = 9;
/** Widths of characters of the two lines of a box. */
const LABEL_CHAR = 5.6;
const DETAIL_CHAR = 4.4;
/** Characters of a label, at most; the first of these with which the drawing fits is taken. */
const LABEL_CHARS = [20, 16, 12, 9] as const;

export interface Sheet {
  readonly svg: Html;
  /** The number of the sheet, from 1. */
  readonly number: number;
  /** CSS pixels. */
  readonly height: number;
}

/** @returns one or more sheets, from the top to the bottom; none when there is nothing to draw */
export function drawGenealogy(genealogy: DrawnGenealogy): readonly Sheet[] {
  const { nodes, links } = genealogy;
  if (nodes.length === 0) return [];
  const layout = layOutLayers({
    nodeCount: nodes.length + links.length,
    lines: links.flatMap(({ ins, outs }, index) => {
      const dot = nodes.length + index;
      return [...ins.map((from) => ({ from, to: dot })), ...outs.map((to) => ({ from: dot, to }))];
    }),
  });
  const columns = fittingColumns(nodes, layout);
  const scale = Math.min(1, SHEET_WIDTH / columns.width);
  const rowsPerSheet = Math.max(1, Math.floor(SHEET_HEIGHT / scale / ROW_HEIGHT));
  const paths = listPieces(layout, { columns, nodeCount: nodes.length, rowHeight: ROW_HEIGHT });
  const count = Math.ceil(layout.rows / rowsPerSheet);
  return Array.from({ length: count }, (_, index): Sheet => {
    const firstRow = index * rowsPerSheet;
    const rows = Math.min(rowsPerSheet, layout.rows - firstRow);
    const isOn = ({ row }: Place): boolean => row >= firstRow && row < firstRow + rows;
    const [top, height] = [firstRow * ROW_HEIGHT, rows * ROW_HEIGHT];
    const shown = paths.filter((path) => path.bottom >= top && path.top <= top + height);
    const d = (isBack: boolean): string =>
      shown.flatMap((path) => (path.isBack === isBack ? [path.d] : [])).join('');
    const name = count === 1 ? 'Genealogy' : `Genealogy, sheet ${index + 1} of ${count}`;
    return {
      number: index + 1,
      height: height * scale,
      svg: html`<svg
        role="img"
        aria-label="${name}; the lots are listed in the tables"
        width="${px(columns.width * scale)}"
        height="${px(height * scale)}"
        viewBox="0 ${top} ${px(columns.width)} ${height}"
      >
        <path class="line" d="${d(false)}" />
        <path class="line back" d="${d(true)}" />
        ${layout.places.map((place, point) => {
          if (!isOn(place)) return null;
          const node = nodes[point];
          return node === undefined ? dot(place, columns) : box(node, place, columns);
        })}
      </svg>`,
    };
  });
}

interface Columns extends ColumnPlaces {
  readonly width: number;
  readonly labelChars: number;
}

function fittingColumns(nodes: readonly DrawnNode[], layout: LayeredLayout): Columns {
  let columns: Columns | undefined;
  for (const labelChars of LABEL_CHARS) {
    columns = placeColumns(nodes, layout, labelChars);
    if (columns.width <= SHEET_WIDTH) break;
  }
  return columns ?? placeColumns(nodes, layout, LABEL_CHARS[0]);
}

function placeColumns(
  nodes: readonly DrawnNode[],
  layout: LayeredLayout,
  labelChars: number,
): Columns {
  const widths = new Array<number>(layout.layers).fill(DOT_COLUMN);
  for (const [index, node] of nodes.entries()) {
    const layer = at(layout.places, index).layer;
    widths[layer] = Math.max(widths[layer] ?? 0, boxWidth(node, labelChars));
  }
  const lefts: number[] = [];
  let left = EDGE;
  for (const width of widths) {
    lefts.push(left);
    left += width + 2 * GAP;
  }
  return { lefts, widths, width: left - 2 * GAP + EDGE, labelChars };
}

function boxWidth(node: DrawnNode, labelChars: number): number {
  const { label, detail } = buildTexts(node, labelChars);
  const text = Math.max(measureWidth(label) * LABEL_CHAR, measureWidth(detail) * DETAIL_CHAR);
  return Math.ceil(text + 2 * PADDING + listMarks(node).length * MARK_WIDTH);
}

function buildTexts(
  node: DrawnNode,
  labelChars: number,
): { readonly label: string; readonly detail: string } {
  // The second line is set smaller.
  const detailChars = Math.floor((labelChars * LABEL_CHAR) / DETAIL_CHAR);
  return { label: cut(node.label, labelChars), detail: cut(node.detail, detailChars) };
}

/** Letters that say what a colour would. */
function listMarks(node: DrawnNode): readonly ('R' | 'H')[] {
  return [...(node.recalled > 0 ? ['R' as const] : []), ...(node.held > 0 ? ['H' as const] : [])];
}

function box(node: DrawnNode, place: Place, columns: Columns): Html {
  const { label, detail } = buildTexts(node, columns.labelChars);
  const width = at(columns.widths, place.layer);
  const left = at(columns.lefts, place.layer);
  const top = computeMiddle(place, ROW_HEIGHT) - BOX_HEIGHT / 2;
  const marks = listMarks(node);
  const textLeft = left + PADDING + marks.length * MARK_WIDTH;
  return html`<g class="${node.kind === 'supplier_lot' ? 'box foreign' : 'box'}">
    <title>${formatTitle(node)}</title>
    <rect x="${px(left)}" y="${px(top)}" width="${px(width)}" height="${BOX_HEIGHT}" />
    ${
      node.isSeed
        ? html`<rect
            x="${px(left + 2)}"
            y="${px(top + 2)}"
            width="${px(width - 4)}"
            height="${BOX_HEIGHT - 4}"
          />`
        : null
    }
    ${marks.map((mark, index) => {
      const markLeft = left + 4 + index * MARK_WIDTH;
      return html`<rect
          class="mark ${mark === 'R' ? 'full' : 'open'}"
          x="${px(markLeft)}"
          y="${px(top + 6.5)}"
          width="${MARK_WIDTH - 1}"
          height="10"
        />
        <text
          class="letter ${mark === 'R' ? 'on-full' : ''}"
          x="${px(markLeft + (MARK_WIDTH - 1) / 2)}"
          y="${px(top + 14.4)}"
        >
          ${mark}
        </text>`;
    })}
    <text class="label" x="${px(textLeft)}" y="${px(top + 10.5)}">${label}</text>
    <text class="detail" x="${px(textLeft)}" y="${px(top + 18.8)}">${detail}</text>
  </g>`;
}

function formatTitle(node: DrawnNode): string {
  const countShare = (count: number): string =>
    node.lots === 1 ? '' : ` (${count} of ${node.lots} lots)`;
  return [
    node.label,
    node.detail,
    ...(node.isSeed ? ['seed'] : []),
    ...(node.recalled > 0 ? [`recalled${countShare(node.recalled)}`] : []),
    ...(node.held > 0 ? [`on hold${countShare(node.held)}`] : []),
  ].join(', ');
}

function dot(place: Place, columns: Columns): Html {
  const x = at(columns.lefts, place.layer) + DOT_COLUMN / 2;
  return html`<circle
    cx="${px(x)}"
    cy="${px(computeMiddle(place, ROW_HEIGHT))}"
    r="${DOT_RADIUS}"
  />`;
}
