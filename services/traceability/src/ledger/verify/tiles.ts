// The stored tree over the chain against its blocks: complete tiles and signed trees as the walk reaches
// them, the frontier at the end.
import { frontierBytes, sameBytes, TILE_WIDTH, type TreeHead } from '@lothub/chain/log';
import { selectList } from '@lothub/kit/rows/stored-table';
import sql from 'sql-template-tag';
import { TILE_LEVELS } from '../log/tiles/tile-edge.ts';
import type { HeadRow } from '../tables/chain.ts';
import { LOG_TILES, type LogTileRow } from '../tables/log.ts';
import { frontierDiffers } from '../log/log-mismatches.ts';
import type { LogRecordReading } from '../log/log-record.ts';
import { TreeWalk } from '../log/tree-walk.ts';
import type { Findings, LedgerMismatch } from './mismatch.ts';
import type { HeightRange, SnapshotReader } from './snapshot-reader.ts';

/** The stored tiles of one level that end in a range of blocks. */
export interface StoredTiles {
  readonly level: number;
  readonly rows: readonly LogTileRow[];
  /** The last one of the level; -1 without any. */
  readonly last: number;
}

interface TilePlace {
  readonly level: number;
  readonly tile: number;
}

/** Blocks below one tile of each level. */
const BLOCKS_OF_TILE: readonly number[] = Array.from(
  { length: TILE_LEVELS },
  (_, level) => TILE_WIDTH ** (level + 1),
);

/** Reads the tiles that end in a range; none when no tile ends there. */
export async function readTiles(
  { all }: Pick<SnapshotReader, 'all'>,
  { after, through }: HeightRange,
): Promise<readonly StoredTiles[]> {
  const found: StoredTiles[] = [];
  for (const [level, blocks] of BLOCKS_OF_TILE.entries()) {
    const from = Math.floor((after + 1) / blocks);
    const below = Math.floor((through + 1) / blocks);
    if (below <= from) break;
    const rows = await all<LogTileRow>(sql`
      select ${selectList(LOG_TILES)}
      from log_tiles
      where level = ${level} and tile >= ${from} and tile < ${below}`);
    const [end] = await all<{ readonly tile: number | null }>(sql`
      select max(tile) as tile
      from log_tiles
      where level = ${level}`);
    found.push({ level, rows, last: end?.tile ?? -1 });
  }
  return found;
}

/** Finds tiles with missing blocks, by level; the walk has compared all others. */
export async function findStrayTiles(
  { all }: Pick<SnapshotReader, 'all'>,
  tipHeight: number,
): Promise<readonly LedgerMismatch[]> {
  const found: LedgerMismatch[] = [];
  for (const [level, blocks] of BLOCKS_OF_TILE.entries()) {
    const complete = Math.floor((tipHeight + 1) / blocks);
    const rows = [
      ...(await all<TilePlace>(sql`
        select level, tile
        from log_tiles
        where level = ${level} and tile < 0
        limit 1`)),
      ...(await all<TilePlace>(sql`
        select level, tile
        from log_tiles
        where level = ${level} and tile >= ${complete}
        limit 1`)),
    ];
    for (const { tile } of rows) found.push(tileExtra(level, tile, tipHeight));
  }
  // Two queries, so that each reads its own end of the index.
  const foreign = [
    ...(await all<TilePlace>(sql`
      select level, tile
      from log_tiles
      where level < 0
      limit 1`)),
    ...(await all<TilePlace>(sql`
      select level, tile
      from log_tiles
      where level >= ${TILE_LEVELS}
      limit 1`)),
  ];
  for (const { level, tile } of foreign) found.push(tileExtra(level, tile, tipHeight));
  return found;
}

export class TreeVerification {
  readonly #walk: TreeWalk;

  constructor(record: LogRecordReading) {
    this.#walk = new TreeWalk(record);
  }

  /** As `TreeWalk.expect`. */
  expect(heads: readonly TreeHead[]): void {
    this.#walk.expect(heads);
  }

  /** Takes the leaves of the next good blocks, and the tiles that are stored for them. */
  take(leaves: Iterable<Uint8Array>, stored: readonly StoredTiles[], findings: Findings): void {
    for (const leaf of leaves) {
      for (const tile of this.#walk.takeLeaf(leaf)) {
        const mismatch = findTileMismatch(tile, stored[tile.level]);
        if (mismatch !== undefined) findings.add(mismatch);
      }
    }
  }

  /** Compares the stored frontier, at the newest block. */
  compareEnd(head: HeadRow | undefined, findings: Findings): void {
    const { frontier } = this.#walk;
    const height = frontier.size - 1;
    const stored = head?.height === height ? head.frontier : null;
    // Null while the tree of an older hub is being built.
    if (stored !== null && !sameBytes(stored, frontierBytes(frontier))) {
      findings.add(frontierDiffers(height));
    }
  }

  /**
   * Compares the tree with the signed heads, at the newest block.
   * @param shared as of `TreeWalk.findMismatches`
   */
  compareSigned(shared: ReadonlyMap<string, number>, findings: Findings): void {
    for (const mismatch of this.#walk.findMismatches(shared)) findings.add(mismatch);
  }
}

function findTileMismatch(
  expected: LogTileRow,
  stored: StoredTiles | undefined,
): LedgerMismatch | undefined {
  const { level, tile } = expected;
  const row = stored?.rows.find((one) => one.tile === tile);
  const height = firstBlock(level, tile);
  if (row === undefined) {
    // The last tiles may not be made yet.
    if (tile > (stored?.last ?? -1)) return undefined;
    return { height, code: 'tile_missing', message: `tile ${level}/${tile} is not stored` };
  }
  if (sameBytes(row.hashes, expected.hashes) && sameBytes(row.root, expected.root))
    return undefined;
  const message = `tile ${level}/${tile} is not what its blocks make up`;
  return { height, code: 'tile_differs', message };
}

function tileExtra(level: number, tile: number, tipHeight: number): LedgerMismatch {
  return {
    height: Math.min(tipHeight, firstBlock(level, tile)),
    code: 'tile_extra',
    message: `tile ${level}/${tile} is stored, of which there are not all blocks`,
  };
}

/** Returns the height of the first block below a tile; 0 for a tile that cannot exist. */
function firstBlock(level: number, tile: number): number {
  return Math.max(0, tile * (BLOCKS_OF_TILE[level] ?? 0));
}
