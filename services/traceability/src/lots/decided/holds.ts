// The blocks that set and ended holds of a lot by hand.
import sql from 'sql-template-tag';
import type { DecidedHeights } from './source.ts';

export const holdHeights: DecidedHeights = async (database, { lotNo, below, limit }) => {
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
