// What was decided about a lot, as blocks that verify say it.
import type { ChainState } from '../ledger/verify/chain-state.ts';
import type { Block, HeadRow, LedgerReader } from '../ledger/read.ts';
import { isDecisionPayload } from '../ledger/record/payload-shape.ts';
import { newestDecidedHeights } from '../lots/decided/heights.ts';
import { readWholeSteps, summaryInWords, type WholeSteps } from '../lots/decided/whole-steps.ts';
import { readLinkedBlocks } from './evidence.ts';
import type { Verification } from './schema.ts';

/** The newest are returned; each is checked. */
export const DECISIONS_MAX = 200;

type DecidedStep = Verification['decisions'][number];

export interface SaidDecisions {
  readonly blocks: readonly Block[];
  readonly steps: WholeSteps;
}

export interface DecidedBlocks {
  /** Oldest first. */
  readonly decisions: DecidedStep[];
  /** Their blocks, and what these do not say alone. */
  readonly said: SaidDecisions;
  /** Their blocks, and those that do not verify. */
  readonly proof: { height: number; block_hash: string }[];
  readonly unverified: ReadonlySet<number>;
  readonly isComplete: boolean;
}

/** Checks the blocks; one that does not verify says nothing certain. */
export async function readDecidedBlocks(
  deps: { readonly reader: LedgerReader; readonly state: ChainState },
  { lotNo, head }: { readonly lotNo: number; readonly head: HeadRow },
): Promise<DecidedBlocks> {
  const newest = await newestDecidedHeights(deps.reader.database, {
    lotNo,
    // Decisions made since the head was read are returned the next time.
    below: head.height + 1,
    limit: DECISIONS_MAX + 1,
  });
  const heights = newest.slice(0, DECISIONS_MAX).toReversed();
  const { blocks, unverified } = await readLinkedBlocks(deps, heights, head);
  const steps = await readWholeSteps(deps.reader.database, blocks);
  const verified = blocks.filter(({ height }) => !unverified.has(height));
  return {
    decisions: verified.flatMap((block) => listSteps(block, steps)),
    said: { blocks: verified, steps },
    proof: blocks.map(({ height, hash }) => ({ height, block_hash: hash })),
    unverified,
    isComplete: newest.length <= DECISIONS_MAX,
  };
}

function listSteps(block: Block, steps: WholeSteps): readonly DecidedStep[] {
  const { height, hash, payload } = block;
  if (!isDecisionPayload(payload)) return [];
  const { decision, recorded_at: recordedAt, type } = payload;
  return [
    {
      type: type.toUpperCase(),
      at: decision.at,
      recorded_at: recordedAt,
      summary: summaryInWords(block, steps),
      block_height: height,
      block_hash: hash,
    },
  ];
}
