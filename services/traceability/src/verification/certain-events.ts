// The events of blocks as they count, as far as they are certain: a block that does not verify, or one of
// whose corrections does not, is left out.
import {
  applyCorrections,
  isEventBlock,
  readCorrectionBlocks,
} from '../ledger/effective-reader.ts';
import type { CorrectionBlock, CorrectionPlace } from '../ledger/effective-reader.ts';
import type { EffectiveEvent } from '../ledger/record/effective.ts';
import type { Block, LedgerReader } from '../ledger/read.ts';

/** Blocks read and hashed again between two turns of the event loop: about 3 ms. */
export const BLOCKS_CHECKED_PER_TURN = 200;

export interface CertainEvent {
  readonly height: number;
  readonly effective: EffectiveEvent;
  readonly corrections: readonly CorrectionBlock[];
}

export interface CertainEvents {
  readonly events: readonly CertainEvent[];
  /** False when a block was left out because it, or a correction of it, does not verify. */
  readonly isWhole: boolean;
}

export async function readCertainEvents(
  reader: LedgerReader,
  read: {
    readonly blocks: readonly Block[];
    /** Corrections of the events among the blocks. */
    readonly corrections: readonly CorrectionPlace[];
  },
): Promise<CertainEvents> {
  const placed = Map.groupBy(read.corrections, ({ correctsHeight }) => correctsHeight);
  const found = await readCorrectionBlocks(reader, read.corrections);
  const isCertain = (block: Block): boolean => {
    const corrections = found.get(block.height) ?? [];
    return (
      block.sound &&
      corrections.length === (placed.get(block.height) ?? []).length &&
      corrections.every(({ sound }) => sound)
    );
  };
  const certain = read.blocks.filter(isCertain);
  return {
    events: certain.filter(isEventBlock).map((block) => ({
      height: block.height,
      effective: applyCorrections(block, found),
      corrections: found.get(block.height) ?? [],
    })),
    isWhole: certain.length === read.blocks.length,
  };
}
