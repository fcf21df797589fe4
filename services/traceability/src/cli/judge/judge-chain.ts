// Judges a chain that comes in slices from any source: whether each block follows the one before,
// and whether the chain contains the blocks that are known from elsewhere.
import { ChainVerifier } from '@lothub/chain';
import type { ChainFaultCode, ChainPosition, StoredBlock } from '@lothub/chain';
import { sha256Hex } from '@lothub/kit/secrets/hash';

/** A block that is known from elsewhere. */
export interface Checkpoint {
  readonly height: number;
  readonly hash: string;
}

export interface Finding {
  readonly height: number;
  readonly code: string;
  readonly message: string;
}

/** The words of what `lothub verify --json` answers. */
export interface ChainVerdict {
  readonly ok: boolean;
  /** Height of the first block that was judged. */
  readonly from_height: number;
  /** Blocks found good. */
  readonly blocks: number;
  /**
   * Number of these blocks that have a later format: only hash, link and canonical form were
   * judged.
   */
  readonly contents_not_judged: number;
  /** The last block found good. */
  readonly head: Checkpoint | null;
  readonly first_bad_height: number | null;
  readonly mismatch_count: number;
  readonly mismatches: readonly Finding[];
}

/** A slice of blocks in ascending order, or the reason why no block could be made of the source. */
export type BlockSlice = readonly StoredBlock[] | Unreadable;

export interface Unreadable {
  readonly code: ChainFaultCode;
  readonly message: string;
}

export interface JudgeChainOptions {
  readonly pages: AsyncIterable<BlockSlice>;
  readonly checkpoints: readonly Checkpoint[];
  /** The block before the first one, when that is not genesis. */
  readonly previous?: ChainPosition;
  /** Receives the last height that was found good. */
  readonly onProgress?: (height: number) => void;
}

/** Takes slices up to the first fault. Memory is that of one slice. */
export async function judgeChain(options: JudgeChainOptions): Promise<ChainVerdict> {
  const { checkpoints, previous } = options;
  const verifier = new ChainVerifier({
    hash: sha256Hex,
    depth: 'contents',
    ...(previous === undefined ? {} : { previous }),
  });
  const fromHeight = verifier.position.height + 1;
  const verdict = (finding: Finding | undefined): ChainVerdict =>
    buildVerdict(verifier, { fromHeight, finding });
  for await (const slice of options.pages) {
    const fault = isUnreadable(slice)
      ? { height: verifier.position.height + 1, ...slice }
      : (findForeign(slice, checkpoints) ?? verifier.verifyBlocks(slice));
    if (fault !== undefined) return verdict(fault);
    options.onProgress?.(verifier.position.height);
  }
  return verdict(findShortfall(verifier.position, { fromHeight, checkpoints }));
}

function isUnreadable(slice: BlockSlice): slice is Unreadable {
  return 'code' in slice;
}

/** A block at a checkpoint's height that is another block. */
function findForeign(
  slice: readonly StoredBlock[],
  checkpoints: readonly Checkpoint[],
): Finding | undefined {
  for (const { height, hash } of checkpoints) {
    const block = slice.find((candidate) => candidate.height === height);
    if (block === undefined || block.blockHash === hash) continue;
    const message = `Block ${height} is not the block that was noted: its hash is another one.`;
    return { height, code: 'checkpoint_mismatch', message };
  }
  return undefined;
}

/** A chain that ends before, or begins after, a block that it should hold; or has no block at all. */
function findShortfall(
  position: ChainPosition,
  facts: { readonly fromHeight: number; readonly checkpoints: readonly Checkpoint[] },
): Finding | undefined {
  const { height } = position;
  if (height < facts.fromHeight) {
    const message = `Block ${facts.fromHeight} is expected, but there is none at all.`;
    return { height: facts.fromHeight, code: 'height_gap', message };
  }
  const missing = facts.checkpoints.find(
    (checkpoint) => checkpoint.height > height || checkpoint.height < facts.fromHeight,
  );
  if (missing === undefined) return undefined;
  const message = `Block ${missing.height} was noted, but is not among those that were read.`;
  return { height: Math.min(missing.height, height + 1), code: 'checkpoint_missing', message };
}

function buildVerdict(
  { position, contentsNotJudged }: Pick<ChainVerifier, 'position' | 'contentsNotJudged'>,
  facts: { readonly fromHeight: number; readonly finding: Finding | undefined },
): ChainVerdict {
  const { fromHeight, finding } = facts;
  const blocks = position.height + 1 - fromHeight;
  return {
    ok: finding === undefined,
    from_height: fromHeight,
    blocks,
    contents_not_judged: contentsNotJudged,
    head: blocks === 0 ? null : { height: position.height, hash: position.blockHash },
    first_bad_height: finding?.height ?? null,
    mismatch_count: finding === undefined ? 0 : 1,
    mismatches: finding === undefined ? [] : [finding],
  };
}
