// Pages of lists: a page is read with one row more than it shows, which says that another page follows.

export interface CutPage<Row> {
  /** At most `limit`. */
  readonly rows: readonly Row[];
  /** The last of `rows`, behind which the next page begins; undefined when no page follows. */
  readonly last: Row | undefined;
}

/** @param found the rows behind the cursor, read with `limit + 1` */
export function cutPage<Row>(found: readonly Row[], limit: number): CutPage<Row> {
  const rows = found.slice(0, limit);
  return { rows, last: found.length > limit ? rows.at(-1) : undefined };
}
