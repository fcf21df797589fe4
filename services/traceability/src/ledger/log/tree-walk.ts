// The tree over a chain that is walked from its first block on: its complete tiles and its
// frontier, and a comparison with the signed tree at each size that was signed. Pure.
import assert from 'node:assert/strict';
import {
  appendLeaves,
  computeRoot,
  EMPTY_FRONTIER,
  sameBytes,
  TILE_WIDTH,
} from '@lothub/chain/log';
import type { Frontier, TreeHead } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { LogTileRow } from '../tables/log.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import { toLeaf } from './leaf.ts';
import type { LogRecordReading } from './log-record.ts';
import { forked, recordUnreadable, rolledBack } from './log-mismatches.ts';
import { computeTileRoot, TileEdge } from './tiles/tile-edge.ts';

export class TreeWalk {
  readonly #edge = new TileEdge([]);
  readonly #record: LogRecordReading;
  /** Trees that were signed, the smallest first, and how many of them were compared. */
  #signed: readonly TreeHead[] = [];
  #compared = 0;
  /** Leaves behind the last complete tile, and the frontier of the first of them alone. */
  #rest: Uint8Array[] = [];
  #begun = EMPTY_FRONTIER;
  readonly #forked: TreeHead[] = [];

  /** @param record of what was signed last, read before the chain: it may be behind, never ahead */
  constructor(record: LogRecordReading) {
    this.#record = record;
    this.expect(record.kind === 'read' ? [record.value] : []);
  }

  /** Takes further signed trees, which were read before the chain. Call it before the first block. */
  expect(heads: readonly TreeHead[]): void {
    assert(this.size === 0, 'signed trees are expected before the first block');
    // Every chain begins with the empty tree.
    this.#signed = [...this.#signed, ...heads.filter(({ size }) => size > 0)].sort(
      (a, b) => a.size - b.size,
    );
  }

  get size(): number {
    return this.#edge.nextHeight + this.#rest.length;
  }

  get frontier(): Frontier {
    this.#begun = appendLeaves(this.#begun, this.#rest.slice(this.#begun.size), sha256Bytes);
    return this.#edge.frontierBehind(this.#begun);
  }

  /** Takes the next block. @returns the tiles that it completes, the lowest first */
  take(blockHash: string): readonly LogTileRow[] {
    return this.takeLeaf(toLeaf(blockHash));
  }

  /** Takes the next block by its leaf. @returns as `take` */
  takeLeaf(leaf: Uint8Array): readonly LogTileRow[] {
    this.#rest.push(leaf);
    const tiles = this.#rest.length < TILE_WIDTH ? NO_TILES : this.#completeTile();
    // Compared after the tile is complete: the frontier expects fewer leaves than a tile has.
    if (this.#signed[this.#compared]?.size === this.size) this.#compare();
    return tiles;
  }

  /**
   * Returns the faults of the whole chain, which ends with the last block taken: the largest signed
   * tree that it does not reach, and the smallest one that it contradicts.
   * @param shared for logs that have ended, by their origins: the number of blocks that the current
   * log contains
   */
  findMismatches(shared: ReadonlyMap<string, number>): readonly LedgerMismatch[] {
    const { size } = this;
    const isKept = (head: TreeHead): boolean => head.size <= (shared.get(head.origin) ?? Infinity);
    const longer = this.#signed.findLast((head) => head.size > size && isKept(head));
    const other = this.#forked.find(isKept);
    return [
      ...(this.#record.kind === 'unreadable' ? [recordUnreadable(Math.max(0, size - 1))] : []),
      ...(longer === undefined ? [] : [rolledBack(size, longer)]),
      ...(other === undefined ? [] : [forked(other)]),
    ];
  }

  #completeTile(): readonly LogTileRow[] {
    const [leaves, begun] = [this.#rest, this.#begun];
    [this.#rest, this.#begun] = [[], EMPTY_FRONTIER];
    return this.#edge.complete(leaves, computeTileRoot(leaves, begun));
  }

  /** Compares all trees of this size. */
  #compare(): void {
    const { size } = this;
    const root = computeRoot(this.frontier, sha256Bytes);
    for (;;) {
      const head = this.#signed[this.#compared];
      if (head?.size !== size) return;
      if (!sameBytes(root, head.root)) this.#forked.push(head);
      this.#compared += 1;
    }
  }
}

const NO_TILES: readonly LogTileRow[] = [];
