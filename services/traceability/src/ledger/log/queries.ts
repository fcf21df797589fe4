// Queries of the tree over the chain. Each walks a primary key, and at most through the rows of one tile.
import type { DatabaseReader } from '@lothub/kit/database';
import { inList } from '@lothub/kit/in-list';
import sql from 'sql-template-tag';

/** Heights or numbers of tiles: from the first one up to below the second. */
export interface Places {
  readonly from: number;
  readonly below: number;
}

/** Hashes of blocks as hex, in ascending order of their heights. */
export async function hashesOfBlocks(
  database: Pick<DatabaseReader, 'all'>,
  places: Places,
): Promise<readonly { readonly height: number; readonly hash: string }[]> {
  return await database.all(sql`
    select height, hash
    from blocks
    where height >= ${places.from} and height < ${places.below}
    order by height`);
}

/** Reads the stored ones of 1 to IN_LIST_MAX complete tiles of a level, in no order. */
export async function storedTiles(
  database: DatabaseReader,
  search: { readonly level: number; readonly tiles: readonly number[] },
): Promise<readonly { readonly tile: number; readonly hashes: Uint8Array }[]> {
  return await database.all(sql`
    select tile, hashes
    from log_tiles
    where level = ${search.level} and tile in (${inList(search.tiles)})`);
}

/** Roots of those tiles of a level that are stored, in ascending order. */
export async function rootsOfTiles(
  database: Pick<DatabaseReader, 'all'>,
  search: Places & { readonly level: number },
): Promise<readonly { readonly tile: number; readonly root: Uint8Array }[]> {
  return await database.all(sql`
    select tile, root
    from log_tiles
    where level = ${search.level} and tile >= ${search.from} and tile < ${search.below}
    order by tile`);
}

export interface TextSize {
  readonly height: number;
  /** Size of the text in UTF-8. */
  readonly bytes: number;
}

/**
 * Returns the sizes of the texts of 1 to IN_LIST_MAX blocks, in ascending order; the texts are not
 * read for it.
 */
export async function textSizes(
  database: DatabaseReader,
  heights: readonly number[],
): Promise<readonly TextSize[]> {
  return await database.all(sql`
    select height, octet_length(canonical) as bytes
    from blocks
    where height in (${inList(heights)})
    order by height`);
}
