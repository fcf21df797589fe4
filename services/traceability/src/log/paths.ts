// The strict paths below `/log/<epoch>/`: one spelling for each resource, all else is not there.
import { TILE_WIDTH, parseTilePath, tileWidthAt, type Tile } from '@lothub/chain/log';

/** Blocks of a tile of level 0, from `from` to the one before `below`. */
export interface TileOfBlocks {
  readonly from: number;
  readonly below: number;
}

const BLOCKS_PREFIX = /^blocks\//;

/**
 * The tile that a path names, when a tree of a size has as much of it.
 * @param path `tile/<L>/<N>[.p/<W>]`, `tile/entries/<N>[.p/<W>]` or `blocks/<N>[.p/<W>]`, which is cut as
 *   the entries are
 */
export function findTile(path: string, size: number): Tile | undefined {
  const tile = parseTilePath(path.replace(BLOCKS_PREFIX, 'tile/entries/'));
  if (tile === undefined) return undefined;
  return tile.width <= tileWidthAt(tile.level, tile.index, size) ? tile : undefined;
}

/** The blocks under a tile of level 0 or a bundle of entries. */
export function toBlockRange({ index, width }: Tile): TileOfBlocks {
  const from = index * TILE_WIDTH;
  return { from, below: from + width };
}

const WHOLE_NUMBER = /^(?:0|[1-9][0-9]{0,15})$/;

/** A whole number in its one spelling. */
export function wholeNumber(text: string): number | undefined {
  const value = WHOLE_NUMBER.test(text) ? Number(text) : undefined;
  return Number.isSafeInteger(value) ? value : undefined;
}
