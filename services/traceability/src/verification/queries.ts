// The neighbours of blocks: what their links are checked against.
import { askForEach } from '@lothub/kit/database';
import type { DatabaseReader } from '@lothub/kit/database';
import { inList, slicesOf } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

export interface LinkRow {
  readonly height: number;
  readonly prevHash: string;
  readonly hash: string;
}

/** Hashes and links of the blocks at these heights; heights that do not exist are left out. */
export async function linksAt(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly LinkRow[]> {
  const rows = await askForEach(database, slicesOf(heights), (reader, slice) =>
    reader.all<LinkRow>(sql`
      select height, prev_hash as "prevHash", hash
      from blocks
      where height in (${inList(slice)})`),
  );
  return rows.flat();
}
