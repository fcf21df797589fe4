// A set of row numbers that takes little memory, for the millions of lots and blocks of a round.
import { at } from '@lothub/kit/present';

/** Numbers of one page of the set; 4 KiB of memory. */
const PAGE_BITS = 32_768;
const WORD_BITS = 32;
const NO_NUMBERS = new Uint32Array(PAGE_BITS / WORD_BITS);

interface NumberRange {
  readonly after: number;
  readonly through: number;
}

/**
 * A set of row numbers, one bit each where they are dense. A million lots take 125 KB; a Set of them
 * takes forty times as much.
 */
export class NumberSet {
  readonly #pages: Map<number, Uint32Array>;

  /** @param pages as `pages` has them, in another thread perhaps */
  constructor(pages: ReadonlyMap<number, Uint32Array> = new Map()) {
    this.#pages = new Map(pages);
  }

  /** The set as plain values. */
  get pages(): ReadonlyMap<number, Uint32Array> {
    return this.#pages;
  }

  /** @returns false when the sets have a number in common */
  addAll(other: NumberSet): boolean {
    let isApart = true;
    for (const [pageNo, words] of other.#pages) {
      const page = this.#pageAt(pageNo);
      for (const [index, bits] of words.entries()) {
        const known = at(page, index);
        if ((known & bits) !== 0) isApart = false;
        page[index] = known | bits;
      }
    }
    return isApart;
  }

  hasAll(other: NumberSet): boolean {
    for (const [pageNo, words] of other.#pages) {
      const page = this.#pages.get(pageNo) ?? NO_NUMBERS;
      if (words.some((bits, index) => (bits & ~at(page, index)) !== 0)) return false;
    }
    return true;
  }

  /** Its numbers greater than `after`, up to and including `through`, and some beside them. */
  around({ after, through }: NumberRange): NumberSet {
    const isNear = (pageNo: number): boolean =>
      (pageNo + 1) * PAGE_BITS > after && pageNo * PAGE_BITS <= through;
    return new NumberSet(new Map([...this.#pages].filter(([pageNo]) => isNear(pageNo))));
  }

  /** @returns false when the number was in the set before */
  add(value: number): boolean {
    const page = this.#getPage(value);
    const { word, bit } = findBit(value);
    const bits = page[word] ?? 0;
    if ((bits & bit) !== 0) return false;
    page[word] = bits | bit;
    return true;
  }

  has(value: number): boolean {
    const page = this.#pages.get(Math.floor(value / PAGE_BITS));
    if (page === undefined) return false;
    const { word, bit } = findBit(value);
    return ((page[word] ?? 0) & bit) !== 0;
  }

  #getPage(value: number): Uint32Array {
    return this.#pageAt(Math.floor(value / PAGE_BITS));
  }

  #pageAt(pageNo: number): Uint32Array {
    let page = this.#pages.get(pageNo);
    if (page === undefined) {
      page = new Uint32Array(PAGE_BITS / WORD_BITS);
      this.#pages.set(pageNo, page);
    }
    return page;
  }
}

function findBit(value: number): { readonly word: number; readonly bit: number } {
  const offset = value - Math.floor(value / PAGE_BITS) * PAGE_BITS;
  return { word: Math.floor(offset / WORD_BITS), bit: 1 << (offset % WORD_BITS) };
}
