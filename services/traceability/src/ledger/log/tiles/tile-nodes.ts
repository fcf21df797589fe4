// The nodes above the hashes of a tile, and those of the tiles that were needed last.
import { HASH_BYTES, nodeHash } from '@lothub/chain/log';
import { RecentlyUsed } from '@lothub/kit/serving/recently-used';
import { sha256Bytes } from '@lothub/kit/secrets/hash';

/** A tile and the nodes above its hashes, as far as its width completes them. */
export class TileNodes {
  readonly #hashes: Uint8Array;
  /** The lowest level is the hashes themselves; each level is half as wide as the one below. */
  readonly #levels: readonly Uint8Array[];

  /** @param hashes 1 to TILE_WIDTH of them, one after the other */
  constructor(hashes: Uint8Array) {
    const levels = [hashes];
    let below = hashes;
    while (below.length >= 2 * HASH_BYTES) {
      below = levelAbove(below);
      levels.push(below);
    }
    this.#hashes = hashes;
    this.#levels = levels;
  }

  /** @throws RangeError for a node that the width of the tile does not complete */
  node(level: number, index: number): Uint8Array {
    const nodes = this.#levels[level];
    const start = index * HASH_BYTES;
    if (nodes === undefined || start + HASH_BYTES > nodes.length) {
      throw new RangeError(`a tile has no node ${index} at its level ${level}`);
    }
    return nodes.subarray(start, start + HASH_BYTES);
  }

  isSame(hashes: Uint8Array): boolean {
    return Buffer.compare(this.#hashes, hashes) === 0;
  }
}

function levelAbove(below: Uint8Array): Uint8Array {
  const count = Math.floor(below.length / (2 * HASH_BYTES));
  const level = new Uint8Array(count * HASH_BYTES);
  for (let index = 0; index < count; index += 1) {
    const start = 2 * index * HASH_BYTES;
    const middle = start + HASH_BYTES;
    const [left, right] = [
      below.subarray(start, middle),
      below.subarray(middle, middle + HASH_BYTES),
    ];
    level.set(nodeHash(left, right, sha256Bytes), index * HASH_BYTES);
  }
  return level;
}

/** Tiles whose nodes are kept: 16 KiB each, so 8 MiB. */
const KEPT_MAX = 512;

/**
 * Nodes of the complete tiles that were needed last. The stored tile is read every time and
 * compared with the one that the nodes were made of, so the cache only saves hashing and never
 * hides a change of the database.
 */
export class KeptNodes {
  readonly #kept = new RecentlyUsed<string, TileNodes>(KEPT_MAX);

  /** @param name of the tile; `hashes`: what is stored of it now */
  find(name: string, hashes: Uint8Array): TileNodes | undefined {
    const kept = this.#kept.get(name);
    return kept?.isSame(hashes) === true ? kept : undefined;
  }

  keep(name: string, nodes: TileNodes): void {
    this.#kept.set(name, nodes);
  }
}
