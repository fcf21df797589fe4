// Returns the contents of tiles: stored ones, and others computed from the level below, in the end
// from the hashes of the blocks. A tile is not stored at the right edge, nor while its maker is
// some tiles behind.
import { HASH_BYTES, TILE_WIDTH, leafHash, subtreeInTile, tilePath } from '@lothub/chain/log';
import type { Tile } from '@lothub/chain/log';
import type { DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import { at } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { hashesOfBlocks, rootsOfTiles, storedTiles, type Places } from '../queries.ts';

/** A tile of hashes, or the beginning of one; bundles of entries are none. */
export type HashTile = Tile & { readonly level: number };

/**
 * Complete tiles that one question may compute because they are not stored: those below one tile of level
 * 1, and what a maker is behind. Each is 256 rows and 511 hashes, about 2 ms.
 */
const COMPUTED_MAX = 300;

/**
 * `incomplete`: rows are missing that the tree is made of. `damaged`: a row does not have the form that this
 * service writes.
 */
export type TreeReadErrorCode = 'incomplete' | 'damaged';

export class TreeReadError extends Error {
  readonly code: TreeReadErrorCode;
  /** The first block below what could not be read. */
  readonly height: number;

  constructor(code: TreeReadErrorCode, message: string, height: number) {
    super(message);
    this.name = 'TreeReadError';
    this.code = code;
    this.height = height;
  }
}

/** One read of several tiles, whose queries are sent together. */
export class TileQuestion {
  readonly #database: DatabaseReader;
  readonly #computedMax: number;
  #computed = 0;

  /** @param computedMax complete tiles that may be computed because they are not stored */
  constructor(database: DatabaseReader, computedMax: number = COMPUTED_MAX) {
    this.#database = database;
    this.#computedMax = computedMax;
  }

  /** The hashes of tiles by their names: stored ones as they are, others from what is below. */
  async contents(spans: readonly HashTile[]): Promise<ReadonlyMap<string, Uint8Array>> {
    const complete = spans.filter((span) => span.width === TILE_WIDTH);
    const parts = spans.filter((span) => span.width < TILE_WIDTH);
    const [stored, made] = await Promise.all([
      readStored(this.#database, complete),
      Promise.all(parts.map((span) => this.#make(span))),
    ]);
    const contents = new Map(stored);
    for (const [index, span] of parts.entries()) contents.set(buildTileName(span), at(made, index));
    for (const span of complete) {
      if (stored.has(buildTileName(span))) continue;
      contents.set(buildTileName(span), await this.#makeMissing(span));
    }
    return contents;
  }

  /** @throws TreeReadError when more is missing than a maker can be behind */
  async #makeMissing(span: HashTile): Promise<Uint8Array> {
    this.#computed += 1;
    if (this.#computed > this.#computedMax) {
      throw new TreeReadError(
        'incomplete',
        `reading the log: more than ${this.#computedMax} of its tiles are not stored; ` +
          'stop the hub and run lothub rebuild, which makes them anew',
        span.index * TILE_WIDTH ** (span.level + 1),
      );
    }
    await nextTurn();
    return await this.#make(span);
  }

  /** The hashes of a tile out of the blocks, or out of the roots of the tiles below. */
  async #make({ level, index, width }: HashTile): Promise<Uint8Array> {
    const from = index * TILE_WIDTH;
    const below = from + width;
    if (level === 0) return hashEntries(await readEntries(this.#database, { from, below }));
    const rows = await rootsOfTiles(this.#database, { level: level - 1, from, below });
    const roots = new Map(rows.map((row) => [row.tile, row.root]));
    const hashes = new Uint8Array(width * HASH_BYTES);
    for (let child = from; child < below; child += 1) {
      const span = { level: level - 1, index: child, width: TILE_WIDTH };
      const root = roots.get(child) ?? (await this.#missingRoot(span));
      assertLength(root, HASH_BYTES, span);
      hashes.set(root, (child - from) * HASH_BYTES);
    }
    return hashes;
  }

  async #missingRoot(span: HashTile): Promise<Uint8Array> {
    const hashes = await this.#makeMissing(span);
    return subtreeInTile(hashes, { start: 0, count: TILE_WIDTH }, sha256Bytes);
  }
}

/** Returns the key of a tile in the results. */
export function buildTileName({ level, index, width }: HashTile): string {
  return tilePath(level, index, width);
}

/** Reads the stored ones of some complete tiles, by their names. */
async function readStored(
  database: DatabaseReader,
  spans: readonly HashTile[],
): Promise<ReadonlyMap<string, Uint8Array>> {
  const levels = Map.groupBy(spans, (span) => span.level);
  const slices = [...levels].flatMap(([level, some]) =>
    [...cutSlices(some.map((span) => span.index))].map((tiles) => ({ level, tiles })),
  );
  const found = await Promise.all(slices.map((slice) => storedTiles(database, slice)));
  const stored = new Map<string, Uint8Array>();
  for (const [index, rows] of found.entries()) {
    const { level } = at(slices, index);
    for (const { tile, hashes } of rows) {
      const span = { level, index: tile, width: TILE_WIDTH };
      assertLength(hashes, TILE_WIDTH * HASH_BYTES, span);
      stored.set(buildTileName(span), hashes);
    }
  }
  return stored;
}

/** @throws TreeReadError when there are fewer blocks */
export async function readEntries(
  database: DatabaseReader,
  { from, below }: Places,
): Promise<Uint8Array> {
  const rows = await hashesOfBlocks(database, { from, below });
  const entries = new Uint8Array((below - from) * HASH_BYTES);
  let height = from;
  for (const row of rows) {
    if (row.height !== height) break;
    const { read, written } = entries
      .subarray((height - from) * HASH_BYTES, (height - from + 1) * HASH_BYTES)
      .setFromHex(row.hash);
    if (read !== row.hash.length || written !== HASH_BYTES) {
      throw new TreeReadError(
        'damaged',
        `reading the log: the stored hash of block ${height} is none`,
        height,
      );
    }
    height += 1;
  }
  if (height === below) return entries;
  throw new TreeReadError('incomplete', `reading the log: block ${height} is not stored`, height);
}

function hashEntries(entries: Uint8Array): Uint8Array {
  const leaves = new Uint8Array(entries.length);
  for (let start = 0; start < entries.length; start += HASH_BYTES) {
    leaves.set(leafHash(entries.subarray(start, start + HASH_BYTES), sha256Bytes), start);
  }
  return leaves;
}

function assertLength(bytes: Uint8Array, length: number, span: HashTile): void {
  if (bytes.length === length) return;
  throw new TreeReadError(
    'damaged',
    `reading the log: a row of its tile ${span.level}/${span.index} has ${bytes.length} bytes, not ${length}; ` +
      'stop the hub and run lothub rebuild, which makes the tiles anew',
    span.index * TILE_WIDTH ** (span.level + 1),
  );
}
