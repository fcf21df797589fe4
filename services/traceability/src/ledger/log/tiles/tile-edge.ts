// The right edge of the stored tiles: what is needed to complete the next tile of each level. Pure.
import { appendLeaves, EMPTY_FRONTIER, TILE_LEVEL_MAX, TILE_WIDTH } from '@lothub/chain/log';
import type { Frontier } from '@lothub/chain/log';
import { at } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { LogTileRow } from '../../tables/log.ts';

/** The complete tiles of one level. */
export interface LevelTiles {
  readonly tiles: number;
  /** Roots of the last tiles, which no complete tile of the level above covers; fewer than 256. */
  readonly roots: readonly Uint8Array[];
}

interface Level {
  tiles: number;
  roots: Uint8Array[];
  /**
   * Frontier over these roots alone. It is extended with each root, so that no reader hashes all of
   * them again.
   */
  frontier: Frontier;
}

/** Levels that tiles can have. */
export const TILE_LEVELS = TILE_LEVEL_MAX + 1;

/** The first tile of a level that no complete tile of the level above covers. */
export function firstUncovered(tiles: number): number {
  return tiles - (tiles % TILE_WIDTH);
}

export class TileEdge {
  readonly #levels: Level[];

  /** @param levels from level 0 on; the levels above hold nothing */
  constructor(levels: readonly LevelTiles[]) {
    this.#levels = levels.map(({ tiles, roots }) => ({
      tiles,
      roots: [...roots],
      frontier: appendLeaves(EMPTY_FRONTIER, roots, sha256Bytes),
    }));
  }

  /** Height of the first block that no complete tile holds. */
  get nextHeight(): number {
    return (this.#levels[0]?.tiles ?? 0) * TILE_WIDTH;
  }

  /**
   * Adds the next 256 blocks.
   * @param leaves of these blocks
   * @param rootOfLeaves if it is already computed
   * @returns the tiles that they complete, the lowest first
   */
  complete(
    leaves: readonly Uint8Array[],
    rootOfLeaves = computeTileRoot(leaves),
  ): readonly LogTileRow[] {
    const rows: LogTileRow[] = [];
    let hashes = leaves;
    let root = rootOfLeaves;
    for (let number = 0; number < TILE_LEVELS && hashes.length === TILE_WIDTH; number += 1) {
      const level = (this.#levels[number] ??= { tiles: 0, roots: [], frontier: EMPTY_FRONTIER });
      rows.push({ level: number, tile: level.tiles, hashes: concatenated(hashes), root });
      level.tiles += 1;
      level.roots.push(root);
      level.frontier = appendLeaves(level.frontier, [root], sha256Bytes);
      hashes = level.roots;
      root = at(level.frontier.hashes, 0);
      if (hashes.length === TILE_WIDTH) [level.roots, level.frontier] = [[], EMPTY_FRONTIER];
    }
    return rows;
  }

  /** @param rest leaves of the blocks after the last complete tile, fewer than 256 */
  frontier(rest: readonly Uint8Array[]): Frontier {
    return this.frontierBehind(appendLeaves(EMPTY_FRONTIER, rest, sha256Bytes));
  }

  /** @param rest of the blocks behind the last complete tile alone, fewer than 256 */
  frontierBehind(rest: Frontier): Frontier {
    const levels = this.#levels.map(({ frontier }) => frontier).toReversed();
    return {
      size: this.nextHeight + rest.size,
      hashes: [...levels, rest].flatMap(({ hashes }) => hashes),
    };
  }
}

/**
 * The root over the leaves of one tile.
 * @param begun frontier of the first of these leaves alone, if it is already computed
 */
export function computeTileRoot(
  leaves: readonly Uint8Array[],
  begun: Frontier = EMPTY_FRONTIER,
): Uint8Array {
  return at(appendLeaves(begun, leaves.slice(begun.size), sha256Bytes).hashes, 0);
}

function concatenated(hashes: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(hashes);
}
