// Draws a layered layout of boxes and dots: the lines between columns, and texts cut to the width
// of a box. Pure; browsers load it, too.
import { at } from '@lothub/kit/present';
import type { LayeredLayout, Place } from './layered-layout.ts';

/** Ways up and down between two columns. */
const LANES = 5;
const LANE_WIDTH = 2.2;
/** Height of a turn, in rows. */
const TURN_ROWS = 1.5;

/** The left edges and the widths of the columns of the layers. */
export interface ColumnPlaces {
  readonly lefts: readonly number[];
  readonly widths: readonly number[];
}

/** Returns the middle of a row. */
export function computeMiddle({ row }: Place, rowHeight: number): number {
  return (row + 0.5) * rowHeight;
}

/** A piece of a line, and its place. */
export interface Piece {
  readonly d: string;
  readonly top: number;
  readonly bottom: number;
  readonly isBack: boolean;
  /** The dot that it leads to or comes from, by its number. */
  readonly dot: number;
}

export interface DrawnColumns {
  readonly columns: ColumnPlaces;
  /** Points below this number are boxes, the others dots: a line goes from one kind to the other. */
  readonly nodeCount: number;
  readonly rowHeight: number;
}

/** Lists the pieces of all lines; a piece that several lines share is there once. */
export function listPieces(
  layout: LayeredLayout,
  { columns, nodeCount, rowHeight }: DrawnColumns,
): readonly Piece[] {
  const turnHeight = TURN_ROWS * rowHeight;
  const pieces = new Map<string, Piece>();
  for (const { from, to, bends, isBack } of layout.lines) {
    const dot = from < nodeCount ? to : from;
    const add = (d: string, ys: readonly number[], leadsBack: boolean): void => {
      const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
      pieces.set(`${leadsBack} ${d}`, { d, top, bottom, isBack: leadsBack, dot });
    };
    const [start, end] = [layout.places[from], layout.places[to]];
    if (start === undefined || end === undefined) continue;
    const stops = [start, ...bends, end];
    for (const [index, stop] of stops.entries()) {
      const next = stops[index + 1];
      if (index > 0 && next !== undefined) {
        const [left, y] = [at(columns.lefts, stop.layer), computeMiddle(stop, rowHeight)];
        add(`M${px(left)} ${px(y)}h${px(at(columns.widths, stop.layer))}`, [y], isBack);
      }
      if (next === undefined) continue;
      // A line back leaves a column on its left.
      const x1 = isBack ? leftEnd(stop, columns) : rightEnd(stop, columns);
      const x2 = isBack ? rightEnd(next, columns) : leftEnd(next, columns);
      const [y1, y2] = [computeMiddle(stop, rowHeight), computeMiddle(next, rowHeight)];
      // All long lines of one dot share one way up or down.
      const lane = (from < nodeCount ? end : start).row % LANES;
      const turn = (x1 + x2) / 2 + (lane - (LANES - 1) / 2) * LANE_WIDTH;
      add(
        curve({ x: x1, y: y1 }, { x: x2, y: y2 }, { x: turn, height: turnHeight }),
        [y1, y2],
        isBack,
      );
      if (index === stops.length - 2 && to < nodeCount) {
        const tip = isBack ? 4 : -4;
        add(`M${px(x2 + tip)} ${px(y2 - 2.6)}L${px(x2)} ${px(y2)}l${tip} 2.6`, [y2], false);
      }
    }
  }
  return [...pieces.values()];
}

interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * Draws a line from one column to the next; a long way up or down is straight, between two turns.
 */
function curve(
  from: Point,
  to: Point,
  turn: { readonly x: number; readonly height: number },
): string {
  const start = `M${px(from.x)} ${px(from.y)}`;
  const rise = to.y - from.y;
  if (Math.abs(rise) <= 2 * turn.height) {
    const middle = px((from.x + to.x) / 2);
    return `${start}C${middle} ${px(from.y)} ${middle} ${px(to.y)} ${px(to.x)} ${px(to.y)}`;
  }
  const [x, step] = [px(turn.x), Math.sign(rise) * turn.height];
  return (
    `${start}Q${x} ${px(from.y)} ${x} ${px(from.y + step)}` +
    `V${px(to.y - step)}Q${x} ${px(to.y)} ${px(to.x)} ${px(to.y)}`
  );
}

function leftEnd({ layer }: Place, columns: ColumnPlaces): number {
  return at(columns.lefts, layer);
}

function rightEnd({ layer }: Place, columns: ColumnPlaces): number {
  return at(columns.lefts, layer) + at(columns.widths, layer);
}

/** Two decimals are finer than any printer. */
export function px(length: number): string {
  return String(Math.round(length * 100) / 100);
}

/** Keeps as many characters of the beginning and the end as fit, because codes differ there. */
export function cut(text: string, charsMax: number): string {
  if (measureWidth(text) <= charsMax) return text;
  const characters = [...text];
  const ends = Math.floor((charsMax - 1) / 3);
  let end = characters.length;
  for (let width = 0; end > 0; end -= 1) {
    width += measureWidth(characters[end - 1] ?? '');
    if (width > ends) break;
  }
  let start = 0;
  for (let width = 0; start < end; start += 1) {
    width += measureWidth(characters[start] ?? '');
    if (width > charsMax - 1 - ends) break;
  }
  return `${characters.slice(0, start).join('')}…${characters.slice(end).join('')}`;
}

/** Signs that take no room, or give orders to those around them. */
const UNSEEN = /^[\p{Cc}\p{Cf}\p{Mn}]$/u;
/**
 * The first sign of East Asian writing; such signs, and few others from here on, are twice as wide.
 */
const WIDE_FROM = 0x1100;

/** Returns the width in characters of ordinary width. */
export function measureWidth(text: string): number {
  let width = 0;
  for (const character of text) {
    if (UNSEEN.test(character)) continue;
    width += (character.codePointAt(0) ?? 0) >= WIDE_FROM ? 2 : 1;
  }
  return width;
}
