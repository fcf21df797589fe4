// The blocks of decisions about a lot, from all tables whose rows name the blocks that made and ended them.
import type { DatabaseReader } from '@lothub/kit/database';
import { holdHeights } from './holds.ts';
import type { DecidedHeights, DecidedPage } from './source.ts';

/** Each names only what the public may see. */
const SOURCES: readonly DecidedHeights[] = [holdHeights];

/** Heights of the newest blocks of decisions about a lot below a height, newest first. */
export async function newestDecidedHeights(
  database: DatabaseReader,
  page: DecidedPage,
): Promise<readonly number[]> {
  const heights = new Set<number>();
  for (const source of SOURCES) {
    for (const height of await source(database, page)) heights.add(height);
  }
  return [...heights].sort((a, b) => b - a).slice(0, page.limit);
}
