/**
 * Tiles (c2sp.org/tlog-tiles): the tree in pieces of eight levels, each 256 hashes wide when full.
 *
 * Tile N of level L holds the hashes of the complete subtrees of 256^L leaves from N * 256 on. The
 * levels between are hashed again by the reader of a tile.
 */
import { sha256 } from '../sha256.ts';
import { LogError } from './log-error.ts';
import type { ReadSubtree } from './proofs.ts';
import { appendLeaves, EMPTY_FRONTIER, HASH_BYTES, computeRoot, type HashBytes } from './tree.ts';

/** Levels of the tree in one tile. */
export const TILE_HEIGHT = 8;
/** Hashes in a full tile. */
export const TILE_WIDTH = 256;
/** Highest level of a tile: 256^7 leaves are more than a whole number of 53 bits counts. */
export const TILE_LEVEL_MAX = 7;

/** The level of a tile, or the bundles of entries, which are cut as level 0 is. */
export type TileLevel = number | 'entries';

/** A tile, as far as `width` of its hashes are there or wanted. */
export interface Tile {
  readonly level: TileLevel;
  /** N: which tile of its level. */
  readonly index: number;
  /** 1 to 256; 256 is a full tile. */
  readonly width: number;
}

const DIGITS_PER_PART = 3;
/** `001` or `x001/x234/067`. */
const INDEX_PATH = /^(?:x[0-9]{3}\/)*[0-9]{3}$/;
const TILE_PATH = /^tile\/(entries|[0-9])\/([x0-9/]+?)(?:\.p\/([1-9][0-9]{0,2}))?$/;

/** The path below a log's prefix, such as `tile/0/x001/234.p/5`. */
export function tilePath(level: TileLevel, index: number, width: number): string {
  assertTile({ level, index, width });
  const suffix = width === TILE_WIDTH ? '' : `.p/${width}`;
  return `tile/${level}/${tileIndexPath(index)}${suffix}`;
}

/** N of a path in groups of three digits, all but the last with an `x`: `x001/x234/067`. */
export function tileIndexPath(index: number): string {
  const digits = String(index);
  const padded = digits.padStart(Math.ceil(digits.length / DIGITS_PER_PART) * DIGITS_PER_PART, '0');
  return padded.replace(/[0-9]{3}(?=[0-9])/g, 'x$&/');
}

/** The tile that a path below a log's prefix names; `undefined` when it is not the path of one. */
export function parseTilePath(path: string): Tile | undefined {
  const parts = TILE_PATH.exec(path);
  const [, level, indexPath, width] = parts ?? [];
  if (level === undefined || indexPath === undefined || !INDEX_PATH.test(indexPath))
    return undefined;
  const tile: Tile = {
    level: level === 'entries' ? level : Number(level),
    index: Number(indexPath.replaceAll(/[x/]/g, '')),
    width: width === undefined ? TILE_WIDTH : Number(width),
  };
  // Made again, the path is the same one, or it has leading zeros or a width that is none.
  return isTile(tile) && tilePath(tile.level, tile.index, tile.width) === path ? tile : undefined;
}

/**
 * How many hashes tile `index` of a level has in a tree of `size` leaves: 0 to 256.
 */
export function tileWidthAt(level: TileLevel, index: number, size: number): number {
  const hashes = Math.floor(size / TILE_WIDTH ** (level === 'entries' ? 0 : level));
  return Math.min(Math.max(hashes - index * TILE_WIDTH, 0), TILE_WIDTH);
}

/** Where in the tiles the leaves of a complete subtree are. */
export interface SubtreePlace {
  /** The level and index of the tile, and how much of it a tree of `size` leaves has. */
  readonly tile: Tile & { readonly level: number };
  /** The hashes of the tile from this one on… */
  readonly start: number;
  /** …this many, a power of two: hashed together they are the subtree. */
  readonly count: number;
}

/**
 * Which tile holds a complete subtree in a tree of `size` leaves.
 *
 * @throws {LogError} `range_invalid` when the tree does not hold the whole subtree
 */
export function placeOfSubtree(subtree: {
  readonly level: number;
  readonly index: number;
  readonly size: number;
}): SubtreePlace {
  const { level, index, size } = subtree;
  const tileLevel = Math.floor(level / TILE_HEIGHT);
  const count = 2 ** (level % TILE_HEIGHT);
  const first = index * count;
  const tileIndex = Math.floor(first / TILE_WIDTH);
  const start = first % TILE_WIDTH;
  const width = tileWidthAt(tileLevel, tileIndex, size);
  if (start + count > width) {
    throw new LogError(
      'range_invalid',
      `A tree of ${size} leaves has no complete subtree ${index} of level ${level}.`,
    );
  }
  return { tile: { level: tileLevel, index: tileIndex, width }, start, count };
}

/**
 * The hash of `count` hashes of a tile from `start` on: a complete subtree when `count` is a power
 * of two that divides `start`; the root of a full tile with 0 and 256.
 *
 * @throws {LogError} `tile_invalid` when the bytes end before
 */
export function subtreeInTile(
  bytes: Uint8Array,
  place: { readonly start: number; readonly count: number },
  hash: HashBytes,
): Uint8Array {
  const hashes = hashesOfTile(bytes).slice(place.start, place.start + place.count);
  if (hashes.length !== place.count) {
    throw new LogError('tile_invalid', `A tile of ${bytes.length} bytes is too short.`);
  }
  return computeRoot(appendLeaves(EMPTY_FRONTIER, hashes, hash), hash);
}

/**
 * The hashes of a tile.
 *
 * @throws {LogError} `tile_invalid` when the bytes are not 1 to 256 hashes
 */
export function hashesOfTile(bytes: Uint8Array): readonly Uint8Array[] {
  const width = bytes.length / HASH_BYTES;
  if (!Number.isInteger(width) || width < 1 || width > TILE_WIDTH) {
    throw new LogError('tile_invalid', `A tile is 1 to 256 hashes, not ${bytes.length} bytes.`);
  }
  return Array.from({ length: width }, (_, index) =>
    bytes.subarray(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
}

/** The bytes of a tile, at least as many hashes as its width says. */
export type ReadTile = (
  tile: Tile & { readonly level: number },
) => Promise<Uint8Array> | Uint8Array;

/**
 * What proofs in a tree of `size` leaves are made from, out of its tiles. Each tile is read once,
 * and kept as long as the function is.
 */
export function subtreesFromTiles(tiles: {
  readonly size: number;
  readonly readTile: ReadTile;
  readonly hash?: HashBytes;
}): ReadSubtree {
  const { size, readTile, hash = sha256 } = tiles;
  const read = new Map<string, Promise<Uint8Array>>();
  return async (level, index) => {
    const { tile, start, count } = placeOfSubtree({ level, index, size });
    const path = tilePath(tile.level, tile.index, tile.width);
    const known = read.get(path);
    const bytes = known ?? Promise.resolve(readTile(tile));
    if (known === undefined) read.set(path, bytes);
    return subtreeInTile(await bytes, { start, count }, hash);
  };
}

function isTile({ level, index, width }: Tile): boolean {
  return (
    (level === 'entries' || (Number.isInteger(level) && level >= 0 && level <= TILE_LEVEL_MAX)) &&
    Number.isSafeInteger(index) &&
    index >= 0 &&
    Number.isInteger(width) &&
    width >= 1 &&
    width <= TILE_WIDTH
  );
}

function assertTile(tile: Tile): void {
  if (isTile(tile)) return;
  throw new LogError(
    'range_invalid',
    `There is no tile ${tile.index} of level ${tile.level} that is ${tile.width} hashes wide.`,
  );
}
