// The elements of a drawing and of its table. Only those that change are made again, some in each frame.
import { at } from '@lothub/kit/present';
import type { Html } from '@lothub/kit/html';
import { buildLook, listClasses, nodeBox, translation } from '../../genealogy/drawing.ts';
import type {
  Drawing,
  DrawnLines,
  DrawingWords,
  Point,
  DrawingFormats,
} from '../../genealogy/drawing.ts';
import type { DrawnNode, Graph } from '../../genealogy/graph.ts';
import { lookOfRow, rowOrder, tableRow, type RowWords } from '../../genealogy/rows.ts';
import type { Asked } from '../../genealogy/steps.ts';
import { InFrames } from './in-frames.ts';

export type SceneWords = DrawingFormats & { readonly words: DrawingWords & RowWords };

interface Shown {
  readonly element: SVGGElement;
  node: DrawnNode;
  look: string;
  place: Point;
}

interface ShownRow {
  readonly element: HTMLTableRowElement;
  look: string;
}

interface ShownLink {
  readonly element: SVGGElement;
  lines: DrawnLines;
}

export class Scene {
  readonly #nodesAt: SVGGElement;
  readonly #linesAt: SVGGElement;
  readonly #rowsAt: HTMLElement;
  readonly #formats: SceneWords;
  readonly #path: string;
  readonly #nodes = new Map<string, Shown>();
  readonly #links = new Map<string, ShownLink>();
  readonly #rows = new Map<string, ShownRow>();
  readonly #frames = new InFrames();
  /** The keys of the links of each node, by its id. */
  #linksAt = new Map<string, string[]>();
  #marked: readonly SVGGElement[] = [];

  constructor(
    svg: SVGSVGElement,
    rowsAt: HTMLElement,
    { formats, path }: { readonly formats: SceneWords; readonly path: string },
  ) {
    this.#nodesAt = groupIn(svg, '.nodes');
    this.#linesAt = groupIn(svg, '.lines');
    this.#rowsAt = rowsAt;
    this.#formats = formats;
    this.#path = path;
  }

  /** Takes over the elements that the server drew; they are the same. */
  adopt(graph: Graph, drawing: Drawing): void {
    const elements = new Map<string, SVGGElement>();
    for (const element of this.#nodesAt.querySelectorAll<SVGGElement>('[data-node]')) {
      elements.set(element.dataset['node'] ?? '', element);
    }
    for (const [index, node] of graph.nodes.entries()) {
      const element = elements.get(node.id);
      if (element === undefined) continue;
      const place = at(drawing.places, index);
      this.#nodes.set(node.id, { element, node, look: buildLook(node), place });
    }
    for (const element of this.#linesAt.querySelectorAll<SVGGElement>('[data-link]')) {
      const key = element.dataset['link'] ?? '';
      const lines = drawing.links.get(key);
      if (lines !== undefined) this.#links.set(key, { element, lines });
    }
    const looks = new Map(graph.nodes.map((node) => [node.id, lookOfRow(node)]));
    for (const element of this.#rowsAt.querySelectorAll('tr')) {
      const id = element.dataset['row'] ?? '';
      this.#rows.set(id, { element, look: looks.get(id) ?? '' });
    }
    this.#setLinksAt(graph);
  }

  node(id: string): DrawnNode | undefined {
    return this.#nodes.get(id)?.node;
  }

  place(id: string): Point | undefined {
    return this.#nodes.get(id)?.place;
  }

  nodes(): Iterable<DrawnNode & { readonly place: Point }> {
    return [...this.#nodes.values()].map(({ node, place }) => ({ ...node, place }));
  }

  element(id: string): SVGGElement | undefined {
    return this.#nodes.get(id)?.element;
  }

  /** Returns the element of a node that the keyboard opens. */
  box(id: string): SVGElement | undefined {
    return this.element(id)?.querySelector<SVGElement>('.box') ?? undefined;
  }

  /**
   * Draws what has changed.
   * @param done called when everything is drawn
   */
  update(
    {
      graph,
      drawing,
      asked,
    }: { readonly graph: Graph; readonly drawing: Drawing; readonly asked: Asked },
    done: () => void,
  ): void {
    const work: (() => void)[] = [];
    const ids = new Set(graph.nodes.map(({ id }) => id));
    for (const [id, { element }] of this.#nodes) {
      if (ids.has(id)) continue;
      this.#nodes.delete(id);
      work.push(() => {
        element.remove();
      });
    }
    for (const [key, { element }] of this.#links) {
      if (drawing.links.has(key)) continue;
      this.#links.delete(key);
      work.push(() => {
        element.remove();
      });
    }
    for (const [index, node] of graph.nodes.entries()) {
      const task = this.#nodeTask(node, at(drawing.places, index), asked);
      if (task !== undefined) work.push(task);
    }
    for (const [key, lines] of drawing.links) {
      const known = this.#links.get(key);
      if (known !== undefined && sameLines(known.lines, lines)) continue;
      work.push(() => {
        this.#drawLink(key, lines);
      });
    }
    work.push(() => {
      this.#setLinksAt(graph);
    });
    this.#pushRows(work, graph);
    this.#frames.start(work, done);
  }

  #nodeTask(node: DrawnNode, place: Point, asked: Asked): (() => void) | undefined {
    const known = this.#nodes.get(node.id);
    const look = buildLook(node);
    const formats = { ...this.#formats, asked, path: this.#path };
    if (known === undefined) {
      const element = svgGroup();
      this.#nodes.set(node.id, { element, node, look, place });
      return () => {
        element.dataset['node'] = node.id;
        element.setAttribute('class', `${listClasses(node)} new`);
        setPlace(element, place);
        fill(element, nodeBox(node, formats));
        leaveFocus(element);
        this.#nodesAt.append(element);
      };
    }
    const { element } = known;
    const hasMoved = known.place.x !== place.x || known.place.y !== place.y;
    const isOther = known.look !== look;
    Object.assign(known, { node, look, place });
    if (!hasMoved && !isOther) return undefined;
    return () => {
      if (hasMoved) setPlace(element, place);
      if (!isOther) return;
      const focused = element.contains(document.activeElement);
      const isCurrent = element.querySelector('.box')?.getAttribute('tabindex') === '0';
      fill(element, nodeBox(node, formats));
      leaveFocus(element);
      const box = element.querySelector<SVGElement>('.box');
      if (isCurrent) box?.setAttribute('tabindex', '0');
      if (focused) box?.focus({ preventScroll: true });
    };
  }

  #drawLink(key: string, lines: DrawnLines): void {
    const known = this.#links.get(key);
    const element = known?.element ?? svgGroup();
    if (known === undefined) {
      element.dataset['link'] = key;
      this.#linesAt.append(element);
      this.#links.set(key, { element, lines });
    } else {
      known.lines = lines;
    }
    const paths = [svgElement('path', { d: lines.onward })];
    if (lines.back !== '') paths.push(svgElement('path', { d: lines.back, class: 'back' }));
    if (lines.dot !== undefined) {
      const { x, y } = lines.dot;
      paths.push(svgElement('circle', { cx: String(x), cy: String(y), r: '3' }));
    }
    element.replaceChildren(...paths);
  }

  #pushRows(work: (() => void)[], { nodes }: Graph): void {
    const ids = new Set(nodes.map(({ id }) => id));
    for (const [id, { element }] of this.#rows) {
      if (ids.has(id)) continue;
      this.#rows.delete(id);
      work.push(() => {
        element.remove();
      });
    }
    let before: Element | null = null;
    for (const node of rowOrder(nodes)) {
      work.push(() => {
        const known = this.#rows.get(node.id);
        const look = lookOfRow(node);
        const element = known?.element ?? document.createElement('tr');
        if (known?.look !== look) {
          element.dataset['row'] = node.id;
          element.innerHTML = tableRow(node, this.#formats).text.replace(
            /^\s*<tr[^>]*>|<\/tr>\s*$/g,
            '',
          );
          this.#rows.set(node.id, { element, look });
        }
        const wanted: Element | null =
          before === null ? this.#rowsAt.firstElementChild : before.nextElementSibling;
        if (wanted !== element) this.#rowsAt.insertBefore(element, wanted);
        before = element;
      });
    }
  }

  #setLinksAt({ nodes, links }: Graph): void {
    const linksAt = new Map<string, string[]>();
    for (const { key, ins, outs } of links) {
      for (const number of [...ins, ...outs]) {
        const { id } = at(nodes, number);
        const known = linksAt.get(id);
        if (known === undefined) linksAt.set(id, [key]);
        else known.push(key);
      }
    }
    this.#linksAt = linksAt;
  }

  /** Marks the chosen node: the node and its lines are drawn stronger. */
  mark(id: string): void {
    for (const element of this.#marked) element.classList.remove('chosen', 'lit');
    const links = (this.#linksAt.get(id) ?? []).flatMap(
      (key) => this.#links.get(key)?.element ?? [],
    );
    const node = this.element(id);
    for (const element of links) element.classList.add('lit');
    node?.classList.add('chosen');
    this.#marked = node === undefined ? links : [...links, node];
  }
}

export function groupIn(svg: SVGSVGElement, selector: string): SVGGElement {
  const found = svg.querySelector<SVGGElement>(selector);
  if (found === null) throw new Error(`the drawing has no ${selector}`);
  return found;
}

const SVG = 'http://www.w3.org/2000/svg';

function svgGroup(): SVGGElement {
  return document.createElementNS(SVG, 'g');
}

function svgElement(
  name: 'path' | 'circle',
  attributes: Readonly<Record<string, string>>,
): SVGElement {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
}

function setPlace(element: SVGGElement, place: Point): void {
  element.setAttribute('transform', translation(place));
  element.style.transform = `translate(${place.x}px, ${place.y}px)`;
}

/** The markup is from this repository or from the hub, and is escaped already. */
function fill(element: SVGGElement, markup: Html): void {
  element.innerHTML = markup.text;
}

/**
 * Takes an element out of the order of Tab: Tab reaches one node of a drawing, and arrows lead to the others.
 */
export function leaveFocus(element: Element): void {
  for (const one of element.querySelectorAll('.box, .opener')) one.setAttribute('tabindex', '-1');
}

function sameLines(a: DrawnLines, b: DrawnLines): boolean {
  return (
    a.onward === b.onward && a.back === b.back && a.dot?.x === b.dot?.x && a.dot?.y === b.dot?.y
  );
}
