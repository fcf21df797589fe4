// Which events of an ancestor are on a way to a lot: how the ancestor came to be, its moves before it was
// used, and the uses themselves (docs/interface/traceability.md#journey). Pure.
import { compareTexts } from '@lothub/kit/text-order';

/** One lot in one event. */
export interface LotEvent {
  readonly lotNo: number;
  readonly height: number;
  /** As `comparableInstant` makes it. */
  readonly instant: string;
}

/** An event, or all one-sided events of a reference, that makes lots out of others. */
export interface Transformation {
  readonly ins: readonly LotEvent[];
  readonly outs: readonly LotEvent[];
}

export interface EventsOfAncestors {
  readonly transformations: readonly Transformation[];
  /** Events in which a lot came to be without a lot that it was made of: it was received, for example. */
  readonly origins: readonly LotEvent[];
  readonly moves: readonly LotEvent[];
}

/** Later than every instant. */
const NEVER_OVER = '\uffff';

/**
 * Heights of the events on a way, by ancestor; an ancestor that is on none is absent.
 *
 * A lot that is made again and again, such as a sourdough, counts as it was when it was used last on the
 * way: what came into it afterwards is not in the lot that was made of it. The event in which it came to
 * be first counts even when it is later than its use: one of the two times is wrong then.
 */
export function findWay(
  lotNo: number,
  events: EventsOfAncestors,
): ReadonlyMap<number, readonly number[]> {
  const way = new Way(lotNo, events);
  way.walk();
  return way.heights();
}

class Way {
  readonly #start: number;
  readonly #events: EventsOfAncestors;
  /** When each lot came to be first. */
  readonly #bornAt = new Map<number, string>();
  /** The transformations that made each lot and are not on the way yet, the latest first. */
  readonly #madeBy = new Map<number, { readonly by: Transformation; readonly instant: string }[]>();
  /** When each lot was used last on the way. */
  readonly #usedLast: Map<number, string>;
  readonly #uses: LotEvent[] = [];
  /** The lot through which a transformation came onto the way; `several` after a second one did. */
  readonly #reachedFrom = new Map<Transformation, number | 'several'>();

  constructor(start: number, events: EventsOfAncestors) {
    this.#start = start;
    this.#events = events;
    this.#usedLast = new Map([[start, NEVER_OVER]]);
    for (const origin of events.origins) this.#addBirth(origin);
    for (const by of events.transformations) {
      for (const out of by.outs) {
        this.#addBirth(out);
        const own = this.#madeBy.get(out.lotNo);
        const entry = { by, instant: out.instant };
        if (own === undefined) this.#madeBy.set(out.lotNo, [entry]);
        else own.push(entry);
      }
    }
    for (const own of this.#madeBy.values()) own.sort((a, b) => compareTexts(b.instant, a.instant));
  }

  #addBirth({ lotNo, instant }: LotEvent): void {
    const known = this.#bornAt.get(lotNo);
    if (known === undefined || instant < known) this.#bornAt.set(lotNo, instant);
  }

  /** Walks from the lot to what it was made of, and again from a lot that turns out to be used later. */
  walk(): void {
    const open = [this.#start];
    for (let lotNo = open.pop(); lotNo !== undefined; lotNo = open.pop()) {
      const own = this.#madeBy.get(lotNo) ?? [];
      for (let next = own.at(-1); next !== undefined; next = own.at(-1)) {
        if (!this.#isBirth(lotNo, next.instant)) break;
        own.pop();
        for (const use of this.#usesFor(lotNo, next.by)) {
          this.#uses.push(use);
          const known = this.#usedLast.get(use.lotNo);
          if (known !== undefined && known >= use.instant) continue;
          this.#usedLast.set(use.lotNo, use.instant);
          open.push(use.lotNo);
        }
      }
    }
  }

  /** Uses of other lots for this one, without those that are on the way already. */
  #usesFor(lotNo: number, by: Transformation): readonly LotEvent[] {
    const first = this.#reachedFrom.get(by);
    if (first === undefined) {
      this.#reachedFrom.set(by, lotNo);
      return by.ins.filter((use) => use.lotNo !== lotNo);
    }
    if (first === 'several' || first === lotNo) return [];
    // The first lot may have gone in as well: it does not lead to itself, but it leads to this one.
    this.#reachedFrom.set(by, 'several');
    return by.ins.filter((use) => use.lotNo === first);
  }

  /** Whether a lot that came to be at this instant is the one that was used on the way. */
  #isBirth(lotNo: number, instant: string): boolean {
    const usedLast = this.#usedLast.get(lotNo);
    if (usedLast === undefined) return false;
    return instant <= usedLast || instant === this.#bornAt.get(lotNo);
  }

  heights(): ReadonlyMap<number, readonly number[]> {
    const found = new Map<number, Set<number>>();
    const add = ({ lotNo, height }: LotEvent): void => {
      if (lotNo === this.#start) return;
      const heights = found.get(lotNo);
      if (heights === undefined) found.set(lotNo, new Set([height]));
      else heights.add(height);
    };
    const { origins, transformations, moves } = this.#events;
    for (const use of this.#uses) add(use);
    for (const birth of [...origins, ...transformations.flatMap(({ outs }) => outs)]) {
      if (this.#isBirth(birth.lotNo, birth.instant)) add(birth);
    }
    for (const move of moves) {
      const usedLast = this.#usedLast.get(move.lotNo);
      if (usedLast !== undefined && move.instant <= usedLast) add(move);
    }
    return new Map([...found].map(([lotNo, heights]) => [lotNo, [...heights]]));
  }
}
