// The orders of a verification to its threads, and their answers: plain values.
import type { ChainPosition, VerificationDepth } from '@lothub/chain';
import type { LotRange } from '../lots/queries.ts';
import type { HeightRange } from '../snapshot-reader.ts';
import type { RangeCounts } from './range-totals.ts';

/** Blocks with the rows beside them, unless only blocks are verified. */
export interface BlocksOrder extends HeightRange {
  readonly kind: 'blocks';
  readonly depth: VerificationDepth;
  readonly scope: 'ledger' | 'blocks';
}

/** Lots against what their lines add up to. */
export interface LotsOrder {
  readonly kind: 'lots';
  readonly lots: LotRange;
  /** Numbers of the lots that the blocks have named, as of `NumberSet`. */
  readonly seenLots: ReadonlyMap<number, Uint32Array>;
}

/** The texts that lots are found by, and rows of lots that there are not. */
export interface TextsOrder {
  readonly kind: 'texts';
}

/** The engine's own check of its storage. */
export interface StorageOrder {
  readonly kind: 'storage';
}

export type Order = BlocksOrder | LotsOrder | TextsOrder | StorageOrder;

/** Blocks that are sound if the block before them is the one that `begin` names. */
export interface SoundBlocks {
  readonly kind: 'sound_blocks';
  readonly begin: ChainPosition;
  readonly end: ChainPosition;
  readonly contentsNotJudged: number;
  /** Heights of the blocks about recall cases. */
  readonly recalls: readonly number[];
  /** Leaves of the blocks in the tree of the log, one after the other, unless only blocks are verified. */
  readonly leaves: Uint8Array;
  readonly counts: RangeCounts;
}

export type Answer =
  | SoundBlocks
  /** Nothing is wrong. */
  | { readonly kind: 'sound' }
  /** Something is wrong, or could not be read. A verification of the whole finds out what. */
  | { readonly kind: 'doubtful' };

/** The messages of threads. */
export type Message =
  | { readonly kind: 'progress'; readonly blocks: number }
  | { readonly kind: 'answer'; readonly answer: Answer };
