// Reads the tree over the chain out of the database: tiles, roots and proofs of any size up to the newest
// one.
//
// Nothing here decides whether the tree is the one that was signed: a caller compares what a proof gives
// with a signed root.
import {
  TILE_HEIGHT,
  TILE_WIDTH,
  computeRoot,
  consistencyParts,
  foldSubtrees,
  inclusionParts,
  placeOfSubtree,
  subtreesBetween,
} from '@lothub/chain/log';
import type { Frontier, ProofPart, Subtree } from '@lothub/chain/log';
import { askTogether, type DatabaseReader } from '@lothub/kit/database';
import { cutSlices } from '@lothub/kit/in-list';
import { nextTurn } from '@lothub/kit/in-turns';
import { present } from '@lothub/kit/present';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { Places } from './queries.ts';
import { TileQuestion, buildTileName, readEntries, type HashTile } from './tiles/tile-contents.ts';
import { KeptNodes, TileNodes } from './tiles/tile-nodes.ts';

/** Leaves whose proofs are read together: as many tiles, 8 KiB each, are held at a time. */
const PROOFS_TOGETHER = 64;

/** Tiles at the right edge of the tree of one size. */
export type TreeEdge = Map<string, TileNodes>;

export function newEdge(): TreeEdge {
  return new Map();
}

export class TreeReader {
  readonly #database: DatabaseReader;
  readonly #computedMax: number | undefined;
  readonly #kept = new KeptNodes();

  /** @param options `computedMax` as in `TileQuestion` */
  constructor(options: { readonly database: DatabaseReader; readonly computedMax?: number }) {
    this.#database = options.database;
    this.#computedMax = options.computedMax;
  }

  /** The entries of heights in ascending order: the hashes of the blocks, 32 bytes each. */
  async entries(places: Places): Promise<Uint8Array> {
    return await readEntries(this.#database, places);
  }

  /**
   * The bytes of a tile as C2SP tlog-tiles publishes it.
   * @throws TreeReadError when there are fewer blocks
   */
  async tile(tile: HashTile): Promise<Uint8Array> {
    const contents = await this.#contents([tile]);
    return present(contents.get(buildTileName(tile)), buildTileName(tile));
  }

  /** The complete subtrees that make up the tree of a size, the largest first. */
  async frontier(size: number): Promise<Frontier> {
    const subtrees = subtreesBetween(0, size);
    if (subtrees.length === 0) return { size, hashes: [] };
    const nodes = await this.#nodes(subtrees, size, newEdge());
    return { size, hashes: subtrees.map((subtree) => nodes(subtree)) };
  }

  async rootAt(size: number): Promise<Uint8Array> {
    return computeRoot(await this.frontier(size), sha256Bytes);
  }

  /**
   * The proof that a leaf is in the tree of a size, from the leaf to the root.
   * @param edge of earlier calls with this size, so that the right edge of the tree is not read again
   */
  async inclusion(
    index: number,
    size: number,
    edge: TreeEdge = newEdge(),
  ): Promise<readonly Uint8Array[]> {
    return await this.#prove(inclusionParts(index, size), size, edge);
  }

  /**
   * Yields the proofs of several leaves, in their order. Nodes that several proofs share are read
   * once for some of them.
   * @param edge as of `inclusion`
   */
  async *inclusions(
    indexes: Iterable<number>,
    size: number,
    edge: TreeEdge = newEdge(),
  ): AsyncGenerator<readonly Uint8Array[]> {
    for (const some of cutSlices(indexes, PROOFS_TOGETHER)) {
      const proofs = some.map((index) => inclusionParts(index, size));
      const nodes = await this.#nodes(proofs.flat(2), size, edge);
      for (const parts of proofs) yield parts.map((part) => foldPart(part, nodes));
      await nextTurn();
    }
  }

  /** The proof that the tree of a size is the beginning of a larger one. */
  async consistency(from: number, to: number): Promise<readonly Uint8Array[]> {
    return await this.#prove(consistencyParts(from, to), to, newEdge());
  }

  /**
   * The proof that a complete tile is part of the tree of a size, from the tile's root to that of the tree.
   * It is an inclusion proof of one of the tiles of that level, each of them an entry.
   */
  async tileInclusion({ level, index }: HashTile, size: number): Promise<readonly Uint8Array[]> {
    const height = TILE_HEIGHT * (level + 1);
    const parts = inclusionParts(index * 2 ** height, size).slice(height);
    return await this.#prove(parts, size, newEdge());
  }

  async #prove(
    parts: readonly ProofPart[],
    size: number,
    edge: TreeEdge,
  ): Promise<readonly Uint8Array[]> {
    const nodes = await this.#nodes(parts.flat(), size, edge);
    return parts.map((part) => foldPart(part, nodes));
  }

  /**
   * Reads the tiles that hold some subtrees of a tree of a size.
   * @param edge tiles at the right edge that were read before; those that are read now are added
   */
  async #nodes(
    subtrees: readonly Subtree[],
    size: number,
    edge: TreeEdge,
  ): Promise<(subtree: Subtree) => Uint8Array> {
    const wanted = new Map<string, HashTile>();
    for (const subtree of subtrees) {
      const { tile } = placeOfSubtree({ ...subtree, size });
      if (!edge.has(buildTileName(tile))) wanted.set(buildTileName(tile), tile);
    }
    const contents = await this.#contents([...wanted.values()]);
    const tiles = new Map(edge);
    for (const [name, tile] of wanted) {
      const nodes = await this.#buildNodes(tile, present(contents.get(name), name));
      tiles.set(name, nodes);
      if (tile.width < TILE_WIDTH) edge.set(name, nodes);
    }
    return (subtree) => {
      const { tile, start, count } = placeOfSubtree({ ...subtree, size });
      return present(tiles.get(buildTileName(tile)), buildTileName(tile)).node(
        Math.log2(count),
        start / count,
      );
    };
  }

  #contents(tiles: readonly HashTile[]): Promise<ReadonlyMap<string, Uint8Array>> {
    return askTogether(this.#database, (database) =>
      new TileQuestion(database, this.#computedMax).contents(tiles),
    );
  }

  async #buildNodes(tile: HashTile, hashes: Uint8Array): Promise<TileNodes> {
    const name = buildTileName(tile);
    const kept = this.#kept.find(name, hashes);
    if (kept !== undefined) return kept;
    const nodes = new TileNodes(hashes);
    if (tile.width === TILE_WIDTH) this.#kept.keep(name, nodes);
    // 255 hashes are a third of a millisecond.
    await nextTurn();
    return nodes;
  }
}

function foldPart(part: ProofPart, nodes: (subtree: Subtree) => Uint8Array): Uint8Array {
  return foldSubtrees(part.map(nodes), sha256Bytes);
}
