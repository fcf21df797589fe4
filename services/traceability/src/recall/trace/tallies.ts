// Sums and counts over hundreds of thousands of lines. Pure.
import Big from 'big.js';

/** Most quantities have no more places: their sums are whole numbers of the last of them. */
const PLACES = 6;
const UNITS_OF_ONE = 10 ** PLACES;
/** Numbers below it are rounded to the right whole number; sums stay far below 2^53. */
const UNITS_MAX = 2 ** 49;

/** An exact sum of decimal texts, ten times as fast as adding all of them up with Big. */
export class DecimalSum {
  /** The sum of small amounts with few decimal places, in units of the last place. */
  #units = 0;
  #others: Big | undefined;

  /** @param text without an exponent, as on the chain; below zero where goods count less than before */
  add(text: string): void {
    const point = text.indexOf('.');
    if (point < 0 || text.length - point - 1 <= PLACES) {
      const units = Math.round(Number(text) * UNITS_OF_ONE);
      if (Math.abs(units) < UNITS_MAX && Math.abs(this.#units) < UNITS_MAX) {
        this.#units += units;
        return;
      }
    }
    this.#others = (this.#others ?? new Big(0)).plus(text);
  }

  /** Decimal text. */
  text(): string {
    const sum = new Big(this.#units).div(UNITS_OF_ONE);
    return (this.#others === undefined ? sum : sum.plus(this.#others)).toFixed();
  }
}

/** Numbers that are remembered before those that came several times are left out. */
const REMEMBERED_MIN = 64;

/**
 * Counts lots, each once. It remembers each number that is added, and leaves out the repeated ones later, all
 * together: to look each one up in a set takes five times as long when thousands of counts take turns.
 */
export class LotCount {
  /** In the order in which they were added; at most twice as many as there are lots, or a few. */
  #lotNos: number[] = [];
  #rememberedMax = REMEMBERED_MIN;

  add(lotNo: number): void {
    if (this.#lotNos.length >= this.#rememberedMax) this.#leaveOutRepeated();
    this.#lotNos.push(lotNo);
  }

  get count(): number {
    return this.#leaveOutRepeated().length;
  }

  /** The first of them, in the order in which they were added. */
  first(countMax: number): readonly number[] {
    return this.#leaveOutRepeated().slice(0, countMax);
  }

  #leaveOutRepeated(): readonly number[] {
    if (this.#lotNos.length > 1) this.#lotNos = [...new Set(this.#lotNos)];
    this.#rememberedMax = Math.max(REMEMBERED_MIN, 2 * this.#lotNos.length);
    return this.#lotNos;
  }
}
