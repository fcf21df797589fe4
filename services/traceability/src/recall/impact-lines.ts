// The lines of lots, page by page.
import { setImmediate } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { slicesOf } from '@lothub/kit/in-list';
import { impactLines } from './impact-queries.ts';
import type { ImpactLineRow, LinePlace } from './impact-queries.ts';

/** Lines of one query: some milliseconds with SQLite. */
const LINES_PER_PAGE = 500;

/** Pages of the lines of lots, with turns for others in between; those of one lot come in one go. */
export async function* pagesOfLines(
  database: DatabaseReader,
  lotNos: readonly number[],
): AsyncGenerator<readonly ImpactLineRow[]> {
  for (const slice of slicesOf(lotNos)) {
    let after: LinePlace | undefined = { lotNo: 0, height: 0, lineNo: 0 };
    while (after !== undefined) {
      const page: readonly ImpactLineRow[] = await impactLines(database, {
        lotNos: slice,
        after,
        limit: LINES_PER_PAGE,
      });
      yield page;
      after = page.length < LINES_PER_PAGE ? undefined : page.at(-1);
      await setImmediate();
    }
  }
}
