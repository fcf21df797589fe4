// Walks through a list of rows along the heights of the blocks they belong to.

/** Takes the rows of one list height by height; callers pass ascending heights. */
export class RowCursor<Row extends { readonly height: number }> {
  readonly #rows: readonly Row[];
  #next = 0;

  constructor(rows: readonly Row[]) {
    this.#rows = rows;
  }

  /** The next row, if it is of this height. */
  peek(height: number): Row | undefined {
    const row = this.#rows[this.#next];
    return row?.height === height ? row : undefined;
  }

  take(height: number): Row | undefined {
    const row = this.peek(height);
    if (row !== undefined) this.#next += 1;
    return row;
  }

  /** All rows of this height that are left. */
  takeAll(height: number): readonly Row[] {
    const first = this.#next;
    while (this.peek(height) !== undefined) this.#next += 1;
    return first === this.#next ? [] : this.#rows.slice(first, this.#next);
  }
}
