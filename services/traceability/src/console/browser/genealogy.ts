// Makes the drawing of a genealogy something to work with: opening and closing, moving, zooming, going along its lines
// by keyboard, searching. Without it the page shows the same drawing, and links open more of it.
import {
  BOX_HEIGHT,
  BOX_WIDTH,
  drawGraph,
  drawLaid,
  filled,
  layOutGraph,
  spokenName,
} from '../genealogy/drawing.ts';
import type { Drawing } from '../genealogy/drawing.ts';
import { Known, after, buildGraph, type Graph, type Opener } from '../genealogy/graph.ts';
import { buildQuery, buildStepKey, formatStep, opened } from '../genealogy/steps.ts';
import type { Asked, Step } from '../genealogy/steps.ts';
import { aboutNode, foundList } from './genealogy/about-node.ts';
import { isAnswer, isFound, isStart, isWords, parsed, type Words } from './genealogy/answers.ts';
import { Camera } from './genealogy/camera.ts';
import { nextNode, type Arrow } from './genealogy/directions.ts';
import { nextFrame } from './genealogy/in-frames.ts';
import { ARROWS, elementIn, isModified, nodeIdAt, openerAt } from './genealogy/page-events.ts';
import { Scene, groupIn, leaveFocus } from './genealogy/scene.ts';

/** The session has ended: the hub answers with the log-in page. */
class LoggedOut extends Error {}

class Genealogy {
  readonly #root: HTMLElement;
  readonly #path: string;
  readonly #words: Words;
  readonly #number: (value: number) => string;
  readonly #known = new Known();
  readonly #seedId: string;
  #asked: Asked;
  #steps: readonly Step[];
  #graph: Graph;
  #drawing: Drawing;
  readonly #view: HTMLElement;
  readonly #svg: SVGSVGElement;
  readonly #scene: Scene;
  readonly #camera: Camera;
  #chosen: string;
  /** Arrows that were pressed since the last frame. */
  #arrows: Arrow[] = [];
  #isReading = false;
  #isAnnouncing = false;

  constructor(root: HTMLElement) {
    this.#root = root;
    const { path = '', start = '{}', words = '{}' } = root.dataset;
    const began = parsed(start, isStart);
    this.#words = parsed(words, isWords);
    const formatter = new Intl.NumberFormat(document.documentElement.lang);
    this.#number = (value) => formatter.format(value);
    this.#path = path;
    this.#seedId = began.seedId;
    this.#chosen = began.seedId;
    this.#asked = began.asked;
    this.#steps = began.steps;
    this.#known.addLots(began.lots);
    for (const answer of began.answers) this.#known.add(answer);
    this.#graph = buildGraph(this.#known, this.#seedId, this.#steps);
    this.#drawing = drawGraph(this.#graph);
    this.#view = elementIn(root, '.genealogy-view');
    const svg = this.#view.querySelector('svg');
    if (svg === null) throw new Error('the page has no drawing');
    this.#svg = svg;
    const formats = { words: this.#words, number: this.#number };
    this.#scene = new Scene(svg, elementIn(document.body, '#genealogy-rows'), { formats, path });
    this.#scene.adopt(this.#graph, this.#drawing);
    this.#view.classList.add('live');
    this.#camera = new Camera(this.#view, groupIn(svg, '.world'), this.#drawing.bounds);
    const seed = this.#scene.place(this.#seedId) ?? { x: 0, y: 0 };
    this.#camera.begin({ x: seed.x + BOX_WIDTH / 2, y: seed.y + BOX_HEIGHT / 2 });
    this.#listen();
  }

  #listen(): void {
    leaveFocus(this.#svg);
    this.#view.tabIndex = -1;
    this.#setCurrent(this.#seedId);
    for (const hidden of this.#root.querySelectorAll<HTMLElement>(
      '.genealogy-zoom, .genealogy-keys',
    )) {
      hidden.hidden = false;
    }
    this.#root.addEventListener('click', (event) => {
      this.#click(event);
    });
    this.#view.addEventListener('dblclick', (event) => {
      const id = nodeIdAt(event);
      if (id !== undefined && openerAt(event) === undefined) this.#turn(id, false);
    });
    this.#view.addEventListener('focusin', (event) => {
      const id = nodeIdAt(event);
      if (id !== undefined) this.#choose(id);
    });
    this.#view.addEventListener('keydown', (event) => {
      this.#press(event);
    });
    document.addEventListener('keydown', (event) => {
      if (event.key !== '/' || event.target instanceof HTMLInputElement || isModified(event))
        return;
      event.preventDefault();
      this.#search.focus();
    });
    const form = this.#search.form;
    this.#search.addEventListener('input', () => {
      this.#mark();
    });
    this.#search.addEventListener('keydown', (event) => {
      if (event.key !== 'Escape') return;
      this.#search.value = '';
      this.#mark();
      this.#focus(this.#chosen);
    });
    form?.addEventListener('submit', (event) => {
      event.preventDefault();
      void this.#find(this.#search.value.trim());
    });
    const print = matchMedia('print');
    this.#frameFor(print.matches);
    print.addEventListener('change', () => {
      this.#frameFor(print.matches);
    });
  }

  get #search(): HTMLInputElement {
    const found = this.#root.querySelector<HTMLInputElement>('input[name=q]');
    if (found === null) throw new Error('the page has no search');
    return found;
  }

  /** Shows the whole drawing on paper; on the screen the camera shows a part. */
  #frameFor(isPrinted: boolean): void {
    const { left, top, width, height } = this.#drawing.bounds;
    if (isPrinted) {
      this.#svg.setAttribute('viewBox', `${left} ${top} ${width} ${height}`);
      this.#svg.setAttribute('width', String(width));
      this.#svg.setAttribute('height', String(height));
    } else {
      for (const name of ['viewBox', 'width', 'height']) this.#svg.removeAttribute(name);
    }
  }

  #click(event: MouseEvent): void {
    const { target } = event;
    if (!(target instanceof Element) || isModified(event)) return;
    const zoom = target.closest<HTMLElement>('[data-zoom]')?.dataset['zoom'];
    if (zoom !== undefined) {
      this.#zoom(zoom);
      return;
    }
    const hit = target.closest<HTMLElement>('[data-way]')?.dataset['way'];
    if (hit !== undefined) {
      void this.#openWay(hit);
      return;
    }
    const opener = target.closest<HTMLElement | SVGElement>('[data-opener]')?.dataset['opener'];
    const id =
      nodeIdAt(event) ?? (target.closest('.genealogy-chosen') === null ? undefined : this.#chosen);
    if (id === undefined) return;
    if (opener !== undefined) {
      event.preventDefault();
      const [does, side] = opener.split(' ');
      const wanted = this.#scene
        .node(id)
        ?.openers.find((one) => one.does === does && one.side === side);
      if (wanted !== undefined) void this.#use(id, wanted);
    } else if (target.closest('.box') !== null) {
      event.preventDefault();
      this.#focus(id);
    }
  }

  #press(event: KeyboardEvent): void {
    if (isModified(event)) return;
    const arrow = ARROWS[event.key];
    if (arrow !== undefined) {
      this.#arrows.push(arrow);
      if (this.#arrows.length === 1) {
        requestAnimationFrame(() => {
          this.#goAlong();
        });
      }
      event.preventDefault();
      return;
    }
    // Any other key applies to the node that earlier arrows lead to.
    this.#goAlong();
    if (event.key === 'Enter') {
      this.#turn(this.#chosen, event.shiftKey);
    } else if (event.key === '+' || event.key === '=') {
      this.#camera.zoomIn();
    } else if (event.key === '-' || event.key === '−') {
      this.#camera.zoomOut();
    } else if (event.key === '0') {
      this.#camera.fit();
    } else if (event.key === 'Escape') {
      this.#leave();
    } else {
      return;
    }
    event.preventDefault();
  }

  /**
   * Moves the focus once a frame, for all arrows that were pressed: browsers compute the styles again for
   * each move.
   */
  #goAlong(): void {
    const arrows = this.#arrows;
    if (arrows.length === 0) return;
    this.#arrows = [];
    const nodes = [...this.#scene.nodes()];
    const id = arrows.reduce(
      (from, arrow) => nextNode(nodes, this.#graph, { from, arrow }) ?? from,
      this.#chosen,
    );
    if (id !== this.#chosen) this.#focus(id);
  }

  #zoom(how: string): void {
    if (how === 'in') this.#camera.zoomIn();
    else if (how === 'out') this.#camera.zoomOut();
    else this.#camera.fit();
  }

  /** Moves the focus to what follows the drawing. */
  #leave(): void {
    const heading = document.querySelector<HTMLElement>('#genealogy-table');
    if (heading === null) return;
    heading.tabIndex = -1;
    heading.focus();
  }

  /**
   * Opens or closes the neighbours of a node, on the side away from the lot; with `isInward` on the side of
   * the lot.
   */
  #turn(id: string, isInward: boolean): void {
    const node = this.#scene.node(id);
    if (node === undefined) return;
    const outward = node.relation === 'upstream' ? 'up' : 'down';
    const inward = outward === 'up' ? 'down' : 'up';
    const first = isInward ? inward : outward;
    const openersOn = (side: string): readonly Opener[] =>
      node.openers.filter((one) => one.side === side);
    const [opener] =
      node.group === undefined
        ? [
            ...openersOn(first),
            ...(isInward ? [] : openersOn(inward).filter(({ does }) => does === 'open')),
          ]
        : node.openers.filter(({ does }) => does === (isInward ? 'close' : 'open'));
    if (opener !== undefined) void this.#use(id, opener);
  }

  async #use(id: string, opener: Opener): Promise<void> {
    const { step, does } = opener;
    if (does === 'open' && !(await this.#read(step))) return;
    const key = buildStepKey(step);
    const others = this.#steps.filter((one) => buildStepKey(one) !== key);
    const index = this.#steps.findIndex((one) => buildStepKey(one) === key);
    this.#steps =
      does === 'close' ? others : index < 0 ? [...others, step] : this.#steps.with(index, step);
    this.#asked = after(this.#asked, opener);
    await this.#redraw(id);
  }

  async #openWay(code: string): Promise<void> {
    const step = { kind: 'way', code } as const;
    if (!(await this.#read(step))) return;
    const key = buildStepKey(step);
    this.#steps = [...this.#steps.filter((one) => buildStepKey(one) !== key), step];
    this.#asked = opened(this.#asked, step);
    const found = this.#known.findLot(code);
    await this.#redraw(this.#chosen, found?.id);
  }

  /** @returns false when it cannot be read now; the page then says so */
  async #read(step: Step): Promise<boolean> {
    if (!this.#known.isMissing(step)) return true;
    if (this.#isReading) return false;
    const answer = await this.#ask('neighbours', { step: formatStep(step) }, isAnswer);
    if (answer !== undefined) this.#known.add(answer);
    return answer !== undefined;
  }

  async #ask<Got>(
    what: 'neighbours' | 'search',
    query: Readonly<Record<string, string>>,
    isGot: (value: unknown) => value is Got,
  ): Promise<Got | undefined> {
    this.#isReading = true;
    this.#view.setAttribute('aria-busy', 'true');
    this.#say(this.#words.reading);
    try {
      const answer = await fetch(`${this.#path}/${what}?${new URLSearchParams(query).toString()}`, {
        headers: { Accept: 'application/json' },
      });
      if (answer.redirected || answer.status === 401) throw new LoggedOut();
      if (!answer.ok) throw new Error(`${what} was answered with ${answer.status}`);
      const got = parsed(await answer.text(), isGot);
      this.#say('');
      this.#showMessage('');
      return got;
    } catch (error) {
      const { loggedOut, failed } = this.#words;
      this.#showMessage(error instanceof LoggedOut ? loggedOut : failed);
      this.#say('');
      return undefined;
    } finally {
      this.#isReading = false;
      this.#view.removeAttribute('aria-busy');
    }
  }

  /**
   * Draws what is open now, a part in each frame: all parts together take longer than one frame.
   * @param next the node that is chosen afterwards
   */
  async #redraw(anchor: string, next = anchor): Promise<void> {
    // The click itself has used a part of the current frame.
    await nextFrame();
    history.replaceState(null, '', `${this.#path}${buildQuery(this.#asked)}`);
    await nextFrame();
    const graph = buildGraph(this.#known, this.#seedId, this.#steps);
    await nextFrame();
    const laid = layOutGraph(graph, { layout: this.#drawing.layout, anchor });
    await nextFrame();
    this.#graph = graph;
    this.#drawing = drawLaid(graph, laid);
    this.#camera.bounds = this.#drawing.bounds;
    await nextFrame();
    this.#scene.update({ graph, drawing: this.#drawing, asked: this.#asked }, () => {
      this.#mark();
      if (this.#scene.node(next) === undefined) this.#choose(this.#seedId);
      else if (next === anchor) this.#choose(next);
      else this.#focus(next);
      this.#showMessage(graph.isFull ? this.#words.full : '');
      this.#say(filled(this.#words.opened, { n: this.#number(graph.nodes.length) }));
      this.#root.dataset['drawn'] = String(graph.nodes.length);
    });
  }

  #focus(id: string): void {
    const place = this.#scene.place(id);
    if (place === undefined) return;
    this.#camera.show({ left: place.x, top: place.y, width: BOX_WIDTH, height: BOX_HEIGHT });
    this.#scene.box(id)?.focus({ preventScroll: true });
  }

  #setCurrent(id: string): void {
    this.#scene.box(this.#chosen)?.setAttribute('tabindex', '-1');
    this.#scene.box(id)?.setAttribute('tabindex', '0');
  }

  /** The choice is announced once a frame, however fast the arrows are pressed. */
  #choose(id: string): void {
    if (this.#scene.node(id) === undefined) return;
    this.#setCurrent(id);
    this.#chosen = id;
    if (this.#isAnnouncing) return;
    this.#isAnnouncing = true;
    requestAnimationFrame(() => {
      this.#isAnnouncing = false;
      this.#announceChosen();
    });
  }

  #announceChosen(): void {
    const node = this.#scene.node(this.#chosen);
    if (node === undefined) return;
    this.#scene.mark(node.id);
    const bar = elementIn(this.#root, '.genealogy-chosen');
    bar.hidden = false;
    bar.innerHTML = aboutNode(node, { words: this.#words, number: this.#number }).text;
    const { relations, columns } = this.#words;
    this.#say(
      [
        spokenName(node, { words: this.#words, number: this.#number }),
        relations[node.relation],
        `${columns.distance} ${this.#number(node.distance)}`,
      ].join(', '),
    );
  }

  /** Marks the drawn nodes that have the searched text. */
  #mark(): void {
    const text = this.#search.value.trim().toLowerCase();
    this.#svg.classList.toggle('searching', text !== '');
    if (text === '') return;
    let count = 0;
    for (const node of this.#scene.nodes()) {
      const formats = { words: this.#words, number: this.#number };
      const isMatch = spokenName(node, formats).toLowerCase().includes(text);
      if (isMatch) count += 1;
      this.#scene.element(node.id)?.classList.toggle('match', isMatch);
    }
    this.#say(filled(this.#words.found, { n: this.#number(count) }));
  }

  /** Searches the whole genealogy, on the hub. */
  async #find(text: string): Promise<void> {
    if (text === '' || this.#isReading) return;
    const found = await this.#ask('search', { q: text }, isFound);
    if (found === undefined) return;
    elementIn(this.#root, '#genealogy-found').innerHTML = foundList(found, this.#words).text;
    this.#root.querySelector<HTMLElement>('.genealogy-hits button, .genealogy-hits a')?.focus();
  }

  #say(words: string): void {
    elementIn(this.#root, '#genealogy-said').textContent = words;
  }

  /** Shows a message, which is not only read out. */
  #showMessage(words: string): void {
    elementIn(this.#root, '#genealogy-found').textContent = words;
  }
}

const root = document.querySelector<HTMLElement>('#genealogy');
if (root !== null) new Genealogy(root);
