// Finds rows of decisions whose heights no block can have. No slice of heights reaches them, so a round looks
// for them when it begins.
import sql from 'sql-template-tag';
import type { Sql } from 'sql-template-tag';
import type { HeightRange, SnapshotReader } from '../snapshot-reader.ts';

/** @param column of the height of the block that made a row, indexed */
export async function findRowsOutside(
  reader: SnapshotReader,
  { after }: HeightRange,
  { table, column }: { readonly table: Sql; readonly column: Sql },
): Promise<boolean> {
  if (after >= 0) return false;
  const outside = await reader.all(sql`
    select 1 as found
    where exists (select 1 from ${table} where ${column} < 1)
      or exists (
        select 1
        from ${table}
        where ${column} > (select height from head where id = 1)
      )`);
  return outside.length > 0;
}
