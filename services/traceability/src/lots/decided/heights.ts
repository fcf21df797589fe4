// The blocks of decisions about a lot, from all tables whose rows name the blocks that made and ended them.
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';
import { recallHeights } from './recalls.ts';
import type { DecidedHeights, DecidedPage } from './source.ts';

/** The blocks that set and ended holds of a lot by hand. */
const holdHeights: DecidedHeights = async (database, { lotNo, below, limit }) => {
  const rows = await database.all<{ readonly height: number }>(sql`
    select height
    from (
      select held_height as height
      from lot_holds
      where lot_no = ${lotNo} and held_height is not null and held_height < ${below}
      order by held_height desc
      limit ${limit}
    ) as ends
    union all
    select height
    from (
      select released_height as height
      from lot_holds
      where lot_no = ${lotNo} and released_height is not null and released_height < ${below}
      order by released_height desc
      limit ${limit}
    ) as ends
    order by height desc`);
  return rows.map(({ height }) => height);
};

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
