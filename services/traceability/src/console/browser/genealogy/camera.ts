// Which part of a drawing is seen, and how large: moved by drags, wheels and fingers, zoomed by wheels, fingers and
// buttons. Each frame sets one transform; nothing of the drawing is touched.
import type { Drawing } from '../../genealogy/drawing.ts';

const ZOOM_MIN = 0.15;
const ZOOM_MAX = 2.5;
/** Zoom of one press of a button or a key. */
const ZOOM_STEP = 1.25;
/** Zoom for each pixel of a wheel or a pinch. */
const WHEEL_ZOOM = 0.0025;
/** Shorter moves are clicks of an unsteady hand; pixels. */
const DRAG_MIN = 5;
/** At least this much of the drawing stays visible, however far it is moved; pixels. */
const SEEN_MIN = 80;
/** Pixels of a line, for wheels that count lines. */
const LINE = 18;
/** Texts are not smaller than this when all of a drawing is fitted for the first time. */
const READABLE_ZOOM = 0.75;

interface Spot {
  readonly x: number;
  readonly y: number;
}

export class Camera {
  readonly #view: HTMLElement;
  /** The whole drawing, in its own units. */
  readonly #world: SVGGElement;
  #bounds: Drawing['bounds'];
  /** Size of the view. It is kept, because reading it from the browser forces a layout of the page. */
  #size: { readonly clientWidth: number; readonly clientHeight: number };
  #zoom = 1;
  #left = 0;
  #top = 0;
  #isAsked = false;
  readonly #fingers = new Map<number, Spot>();
  #start: Spot | undefined;
  #isDragged = false;

  constructor(view: HTMLElement, world: SVGGElement, bounds: Drawing['bounds']) {
    this.#view = view;
    this.#world = world;
    this.#bounds = bounds;
    this.#size = { clientWidth: view.clientWidth, clientHeight: view.clientHeight };
    new ResizeObserver(() => {
      this.#size = { clientWidth: view.clientWidth, clientHeight: view.clientHeight };
    }).observe(view);
    view.addEventListener('wheel', (event) => {
      this.#turn(event);
    });
    view.addEventListener('pointerdown', (event) => {
      this.#press(event);
    });
    view.addEventListener('pointermove', (event) => {
      this.#move(event);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      view.addEventListener(end, (event) => {
        this.#release(event);
      });
    }
    // The end of a drag is no click.
    view.addEventListener(
      'click',
      (event) => {
        if (!this.#isDragged) return;
        event.preventDefault();
        event.stopPropagation();
      },
      { capture: true },
    );
    view.addEventListener('dragstart', (event) => {
      event.preventDefault();
    });
    // Browsers scroll to an element that gets the focus; here the drawing moves instead.
    view.addEventListener('scroll', () => {
      view.scrollTo(0, 0);
    });
  }

  set bounds(bounds: Drawing['bounds']) {
    this.#bounds = bounds;
  }

  /** Shows the whole drawing. */
  fit(zoomMin = ZOOM_MIN): void {
    const { width, height } = this.#bounds;
    const { clientWidth, clientHeight } = this.#size;
    const zoom = Math.min(1, clientWidth / width, clientHeight / height);
    this.#zoom = Math.max(zoomMin, zoom);
    this.#left = (clientWidth - width * this.#zoom) / 2 - this.#bounds.left * this.#zoom;
    this.#top = (clientHeight - height * this.#zoom) / 2 - this.#bounds.top * this.#zoom;
    this.#ask();
  }

  /** Shows the whole drawing if its texts can be read then, otherwise the surroundings of a place. */
  begin(around: Spot): void {
    this.fit(READABLE_ZOOM);
    const { width, height } = this.#bounds;
    const { clientWidth, clientHeight } = this.#size;
    if (width * this.#zoom > clientWidth) {
      this.#left = clientWidth / 2 - around.x * this.#zoom;
    }
    if (height * this.#zoom > clientHeight) {
      this.#top = clientHeight / 2 - around.y * this.#zoom;
    }
    this.#ask();
  }

  zoomIn(): void {
    this.#zoomAround(ZOOM_STEP, this.#middle());
  }

  zoomOut(): void {
    this.#zoomAround(1 / ZOOM_STEP, this.#middle());
  }

  /** Moves the drawing as little as necessary to show a box with some room around it. */
  show(box: {
    readonly left: number;
    readonly top: number;
    readonly width: number;
    readonly height: number;
  }): void {
    const room = 60;
    const left = this.#left + box.left * this.#zoom;
    const top = this.#top + box.top * this.#zoom;
    const { clientWidth, clientHeight } = this.#size;
    const right = left + box.width * this.#zoom;
    const bottom = top + box.height * this.#zoom;
    if (left < room) this.#left += room - left;
    else if (right > clientWidth - room)
      this.#left -= Math.min(right - clientWidth + room, left - room);
    if (top < room) this.#top += room - top;
    else if (bottom > clientHeight - room)
      this.#top -= Math.min(bottom - clientHeight + room, top - room);
    this.#ask();
  }

  #middle(): Spot {
    return { x: this.#size.clientWidth / 2, y: this.#size.clientHeight / 2 };
  }

  #zoomAround(factor: number, { x, y }: Spot): void {
    const zoom = Math.min(ZOOM_MAX, Math.max(ZOOM_MIN, this.#zoom * factor));
    const share = zoom / this.#zoom;
    this.#left = x - (x - this.#left) * share;
    this.#top = y - (y - this.#top) * share;
    this.#zoom = zoom;
    this.#ask();
  }

  #turn(event: WheelEvent): void {
    const pixels = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? LINE : 1;
    const [x, y] = [event.deltaX * pixels, event.deltaY * pixels];
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this.#zoomAround(Math.exp(-y * WHEEL_ZOOM), this.#toSpot(event));
      return;
    }
    const [left, top] = [this.#left, this.#top];
    if (event.shiftKey && x === 0) this.#left -= y;
    else {
      this.#left -= x;
      this.#top -= y;
    }
    this.#hold();
    // At its edge the page scrolls instead.
    if (left === this.#left && top === this.#top) return;
    event.preventDefault();
    this.#ask();
  }

  #press(event: PointerEvent): void {
    if (event.pointerType === 'mouse' && event.button !== 0) return;
    const spot = this.#toSpot(event);
    this.#fingers.set(event.pointerId, spot);
    if (this.#fingers.size === 1) {
      this.#start = spot;
      this.#isDragged = false;
    }
  }

  #move(event: PointerEvent): void {
    const before = this.#fingers.get(event.pointerId);
    if (before === undefined) return;
    const now = this.#toSpot(event);
    if (!this.#isDragged && this.#fingers.size === 1) {
      if (this.#start === undefined || apart(this.#start, now) < DRAG_MIN) return;
    }
    if (!this.#isDragged) {
      this.#isDragged = true;
      this.#view.classList.add('dragged');
    }
    this.#view.setPointerCapture(event.pointerId);
    const other = [...this.#fingers].find(([id]) => id !== event.pointerId)?.[1];
    this.#fingers.set(event.pointerId, now);
    const share = other === undefined ? 1 : 1 / this.#fingers.size;
    this.#left += (now.x - before.x) * share;
    this.#top += (now.y - before.y) * share;
    if (other !== undefined && apart(other, before) > 0) {
      const middle = { x: (other.x + now.x) / 2, y: (other.y + now.y) / 2 };
      this.#zoomAround(apart(other, now) / apart(other, before), middle);
    }
    this.#ask();
  }

  #release(event: PointerEvent): void {
    this.#fingers.delete(event.pointerId);
    if (this.#fingers.size > 0) return;
    this.#view.classList.remove('dragged');
    // The click that ends a drag comes after this event; the next press begins anew.
    setTimeout(() => {
      this.#isDragged = false;
    });
  }

  #toSpot({ clientX, clientY }: MouseEvent): Spot {
    const { left, top } = this.#view.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  }

  /** Keeps a part of the drawing visible. */
  #hold(): void {
    const { clientWidth, clientHeight } = this.#size;
    const left = this.#bounds.left * this.#zoom;
    const top = this.#bounds.top * this.#zoom;
    const right = left + this.#bounds.width * this.#zoom;
    const bottom = top + this.#bounds.height * this.#zoom;
    this.#left = Math.min(clientWidth - SEEN_MIN - left, Math.max(SEEN_MIN - right, this.#left));
    this.#top = Math.min(clientHeight - SEEN_MIN - top, Math.max(SEEN_MIN - bottom, this.#top));
  }

  /** Draws once a frame, however often it moves. */
  #ask(): void {
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => {
      this.#isAsked = false;
      this.#hold();
      this.#world.style.transform = `translate(${this.#left}px, ${this.#top}px) scale(${this.#zoom})`;
    });
  }
}

function apart(a: Spot, b: Spot): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
