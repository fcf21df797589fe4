// The lots that a case covers, read page by page.
import { setImmediate } from 'node:timers/promises';
import type { DatabaseReader } from '@lothub/kit/database';
import { lotsOfCase } from './lot-queries.ts';
import type { LotOfCase } from './lot-queries.ts';

/** Lots that are read in one query. */
const LOTS_PER_PAGE = 1_000;

/** By the number of the lot. */
export async function readLotsOfCase(
  database: DatabaseReader,
  caseId: number,
): Promise<Map<number, LotOfCase>> {
  const known = new Map<number, LotOfCase>();
  let after: number | undefined = 0;
  while (after !== undefined) {
    const page: readonly LotOfCase[] = await lotsOfCase(database, {
      caseId,
      after,
      limit: LOTS_PER_PAGE,
    });
    for (const row of page) known.set(row.lotNo, row);
    after = page.length < LOTS_PER_PAGE ? undefined : page.at(-1)?.lotNo;
    await setImmediate();
  }
  return known;
}
