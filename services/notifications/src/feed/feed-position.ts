// How far the feed is: where whoever goes on live begins to listen.
import type { DatabaseReader } from '@lothub/kit/database';
import sql from 'sql-template-tag';

/** The newest position that was given; 0 before the first. */
export async function feedPosition(reader: Pick<DatabaseReader, 'first'>): Promise<number> {
  const row = await reader.first<{ readonly position: number }>(sql`
    select position
    from feed_head
    where id = 1`);
  if (row === undefined) throw new Error('the feed has no head: restore a backup');
  return row.position;
}
