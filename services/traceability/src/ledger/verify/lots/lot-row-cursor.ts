// Walks through a list of rows along the lots that they belong to.

const NONE: readonly never[] = [];

/** Takes the rows of one list lot by lot. The rows are in the order of their lots; callers pass ascending numbers. */
export class LotRowCursor<Row extends { readonly lot_no: number }> {
  readonly #rows: readonly Row[];
  #next = 0;
  #isPassed = false;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** All rows of a lot; rows of lots before it that nobody took are passed over. */
  takeAll(lotNo: number): readonly Row[] {
    while ((this.#rows[this.#next]?.lot_no ?? lotNo) < lotNo) {
      this.#isPassed = true;
      this.#next += 1;
    }
    const first = this.#next;
    while (this.#rows[this.#next]?.lot_no === lotNo) this.#next += 1;
    return first === this.#next ? NONE : this.#rows.slice(first, this.#next);
  }

  /** Whether there are rows that nobody took. */
  get isAnyLeft(): boolean {
    return this.#isPassed || this.#next < this.#rows.length;
  }
}
