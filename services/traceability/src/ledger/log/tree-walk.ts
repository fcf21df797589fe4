// The tree over a chain that is walked from its first block on: its complete tiles, its frontier, and
// whether it is the tree that was signed. Pure.
import { rootOf, sameBytes, TILE_WIDTH } from '@lothub/chain/log';
import type { Frontier, TreeHead } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import type { LogTileRow } from '../tables/log.ts';
import type { LedgerMismatch } from '../verify/mismatch.ts';
import { leafOf } from './leaf.ts';
import type { LogRecordReading } from './log-record.ts';
import { forked, recordUnreadable, rolledBack } from './log-mismatches.ts';
import { TileEdge } from './tile-edge.ts';

export class TreeWalk {
  readonly #edge = new TileEdge([]);
  readonly #record: LogRecordReading;
  readonly #signed: TreeHead | undefined;
  /** Leaves behind the last complete tile. */
  #rest: Uint8Array[] = [];
  #isForked = false;

  /** @param record of what was signed last, read before the chain: it may be behind, never ahead */
  constructor(record: LogRecordReading) {
    this.#record = record;
    this.#signed = record.kind === 'read' ? record.value : undefined;
  }

  get size(): number {
    return this.#edge.nextHeight + this.#rest.length;
  }

  get frontier(): Frontier {
    return this.#edge.frontier(this.#rest);
  }

  /** Takes the next block. @returns the tiles that it completes, the lowest first */
  take(blockHash: string): readonly LogTileRow[] {
    return this.takeLeaf(leafOf(blockHash));
  }

  /** Takes the next block by its leaf. @returns as `take` */
  takeLeaf(leaf: Uint8Array): readonly LogTileRow[] {
    this.#rest.push(leaf);
    const signed = this.#signed;
    if (signed?.size === this.size) {
      this.#isForked = !sameBytes(rootOf(this.frontier, sha256Bytes), signed.root);
    }
    if (this.#rest.length < TILE_WIDTH) return NO_TILES;
    const leaves = this.#rest;
    this.#rest = [];
    return this.#edge.complete(leaves);
  }

  /**
   * What is wrong with the whole chain, which ends with the last block taken.
   * @param ended origins of logs that have ended: what was signed as one of them is not compared
   */
  findMismatch(ended: readonly string[]): LedgerMismatch | undefined {
    const { size } = this;
    if (this.#record.kind === 'unreadable') return recordUnreadable(Math.max(0, size - 1));
    const signed = this.#signed;
    if (signed === undefined || ended.includes(signed.origin)) return undefined;
    if (signed.size > size) return rolledBack(size, signed.size);
    return this.#isForked ? forked(signed.size) : undefined;
  }
}

const NO_TILES: readonly LogTileRow[] = [];
