// The blocks of decisions about a lot, from all tables whose rows name the blocks that made and ended them.
import { askTogether } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { holdHeights } from './holds.ts';
import { recallHeights } from './recalls.ts';
import type { DecidedHeights, DecidedPage } from './source.ts';

/** Each returns only public blocks. */
const SOURCES: readonly DecidedHeights[] = [holdHeights, recallHeights];

/** Heights of the newest blocks of decisions about a lot below a height, newest first. */
export async function newestDecidedHeights(
  database: DatabaseReader,
  page: DecidedPage,
): Promise<readonly number[]> {
  const found = await askTogether(database, (one) =>
    Promise.all(SOURCES.map((source) => source(one, page))),
  );
  return [...new Set(found.flat())].sort((a, b) => b - a).slice(0, page.limit);
}
