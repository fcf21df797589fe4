// Searches products and places by a typed text: in codes, numbers and names, whatever their case. A brand may
// have 100,000 of them, so a page reads a limited number and says where the next one begins.
import { nextTurn } from '@lothub/kit/in-turns';

/** Rows of one query: about a millisecond. */
const ROWS_PER_SLICE = 500;
/** Rows that one page reads. */
const LOOKED_AT_MAX = 5_000;

export interface Found<Row> {
  readonly rows: readonly Row[];
  /** `after` of the next page; null at the end. A page may be short, or empty, although there are more. */
  readonly next: string | null;
}

export async function searchProfiles<Row>(
  search: {
    /** The typed text; undefined: all rows. */
    readonly q: string | undefined;
    readonly after: string | undefined;
    readonly limit: number;
  },
  list: {
    readonly read: (after: string | undefined, limit: number) => Promise<readonly Row[]>;
    readonly getKey: (row: Row) => string;
    /** Returns the texts that are searched. */
    readonly listTexts: (row: Row) => readonly (string | null)[];
  },
): Promise<Found<Row>> {
  const { limit } = search;
  const wanted = search.q?.trim().toLowerCase() ?? '';
  const isWanted = (row: Row): boolean =>
    wanted === '' ||
    list.listTexts(row).some((text) => text?.toLowerCase().includes(wanted) === true);
  const sliceLimit = wanted === '' ? limit + 1 : ROWS_PER_SLICE;
  const rows: Row[] = [];
  let { after } = search;
  for (let lookedAt = 0; lookedAt < LOOKED_AT_MAX; lookedAt += sliceLimit) {
    const slice = await list.read(after, sliceLimit);
    for (const row of slice) {
      if (isWanted(row)) {
        if (rows.length === limit) return { rows, next: after ?? null };
        rows.push(row);
      }
      after = list.getKey(row);
    }
    if (slice.length < sliceLimit) return { rows, next: null };
    await nextTurn();
  }
  return { rows, next: after ?? null };
}
