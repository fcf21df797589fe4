// Whether blocks link to their neighbours as stored now. The reader has re-hashed them already; this
// finds a block that was replaced by another one that fits its own hash.
import type { ChainState, Mismatch } from '../ledger/verify/chain-state.ts';
import type { Block, HeadRow, LedgerReader } from '../ledger/read.ts';
import { linksAt, type LinkRow } from './queries.ts';

export interface CheckedBlocks {
  readonly blocks: readonly Block[];
  /** Heights of the blocks that do not verify, and of those that are gone. */
  readonly unverified: ReadonlySet<number>;
}

type Link = Pick<Block, 'height' | 'hash' | 'prevHash'>;

/**
 * Reads blocks and checks each against the one before and the one after; what does not fit is
 * reported to the chain's state.
 * @param head the newest block, read before this call; blocks appended since then are no mismatch
 */
export async function readLinkedBlocks(
  deps: { readonly reader: LedgerReader; readonly state: ChainState },
  heights: readonly number[],
  head: Pick<HeadRow, 'height' | 'hash'>,
): Promise<CheckedBlocks> {
  const beside = new Set(heights.flatMap((height) => [height - 1, height + 1]));
  const [blocks, rows] = await deps.reader.together((reader) =>
    Promise.all([reader.blocks(heights), linksAt(reader.database, [...beside])]),
  );
  const neighbours = new Map(rows.map((row) => [row.height, row]));
  const present = new Set(blocks.map((block) => block.height));
  const unverified = new Set(blocks.filter((block) => !block.sound).map(({ height }) => height));
  for (const height of heights) {
    if (present.has(height)) continue;
    unverified.add(height);
    deps.state.report(missing(height));
  }
  for (const block of blocks) {
    const mismatches = findMismatches(block, neighbours, head);
    if (mismatches.length > 0) unverified.add(block.height);
    for (const mismatch of mismatches) deps.state.report(mismatch);
  }
  return { blocks, unverified };
}

/** How a block fails to link to the blocks beside it; empty when it links. */
export function findMismatches(
  block: Link,
  neighbours: ReadonlyMap<number, LinkRow>,
  head: Pick<HeadRow, 'height' | 'hash'>,
): readonly Mismatch[] {
  const { height } = block;
  const before = neighbours.get(height - 1);
  const after = neighbours.get(height + 1);
  const mismatches: Mismatch[] = [];
  if (before === undefined) mismatches.push(missing(height - 1));
  else if (before.hash !== block.prevHash) mismatches.push(unlinked(height));
  if (after === undefined) {
    if (height < head.height) mismatches.push(missing(height + 1));
    else if (height === head.height && block.hash !== head.hash) mismatches.push(notHead(height));
  } else if (after.prevHash !== block.hash) mismatches.push(unlinked(height + 1));
  return mismatches;
}

function missing(height: number): Mismatch {
  return { height, code: 'height_gap', message: `block ${height} is gone` };
}

function unlinked(height: number): Mismatch {
  return {
    height,
    code: 'prev_hash_mismatch',
    message: `block ${height} does not carry the hash of the block before it`,
  };
}

function notHead(height: number): Mismatch {
  return {
    height,
    code: 'head_differs',
    message: `block ${height} is the last one, but not the one the head names`,
  };
}
