// Pages through the events of many lots, so that a lot with any number of lines costs no more than a page.
import type { DatabaseReader } from '@lothub/kit/database';
import { IN_LIST_MAX } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import type { LotEventRow, LotEvents } from './queries.ts';

/** Lines looked at in one query, and of one lot at most: about a millisecond. */
const LINES_PER_PAGE = 1_000;
/** Lines looked at of all lots. */
const LINES_MAX = 50_000;

type Query = (
  database: DatabaseReader,
  page: { readonly lotNos: readonly number[]; readonly linesMax: number },
) => Promise<LotEvents>;

/** The events that the query finds, and whether lines were left out. */
export async function readLotEvents(
  database: DatabaseReader,
  lotNos: readonly number[],
  query: Query,
): Promise<{ readonly events: readonly LotEventRow[]; readonly isCut: boolean }> {
  const events: LotEventRow[] = [];
  let isCut = false;
  let open = lotNos.toSorted((a, b) => a - b);
  for (let lines = 0; open.length > 0; lines += LINES_PER_PAGE) {
    if (lines >= LINES_MAX) return { events, isCut: true };
    const page = open.slice(0, IN_LIST_MAX);
    const found = await query(database, { lotNos: page, linesMax: LINES_PER_PAGE });
    const end = found.end?.lotNo;
    // A lot in whose lines the page ended begins the next page, unless it has filled this one alone.
    const isAlone = end === page[0];
    isCut ||= isAlone;
    events.push(...found.events.filter(({ lotNo }) => isAlone || lotNo !== end));
    if (end === undefined) open = open.slice(page.length);
    else open = open.filter((lotNo) => (isAlone ? lotNo > end : lotNo >= end));
    await nextTurn();
  }
  return { events, isCut };
}
