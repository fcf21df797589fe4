/** Whether blocks are what they say, where they say, in the tree of a checkpoint. */
import { parseBlock, verifyContents, ChainError, type ParsedBlock } from '@lothub/chain';
import { bytesOfHex, leafHash, toHex, utf8, verifyInclusion } from '@lothub/chain/log';
import type { HashBytes, TreeHead } from '@lothub/chain/log';
import { Refusal, type ProvenBlock } from './verdict.ts';

/** A block and the proof that it is in the tree. */
export interface Claim {
  readonly index: number;
  readonly proof: readonly Uint8Array[];
}

/** A block whose text was given and found in the tree. */
export interface ProvenText extends ProvenBlock {
  readonly canonical: string;
  readonly block: ParsedBlock;
  /** Only of a block whose contents were judged. */
  readonly recordedAt: string | undefined;
}

/** What blocks are judged against. */
export interface Tree {
  readonly head: TreeHead;
  readonly hash: HashBytes;
}

/** The frame of a block as far as its payload. */
const BEGINNING = /^\{"height":(0|[1-9][0-9]{0,15}),"payload":\{/;

/**
 * Hashes the text, compares its height with the index, walks to the root, and judges the text by
 * itself as docs/chain-format.md says.
 *
 * @throws {Refusal} `not_canonical`, `other_height` or `not_in_tree`
 */
export function judgeText(claim: Claim & { readonly canonical: string }, tree: Tree): ProvenText {
  const { canonical, index } = claim;
  const height = BEGINNING.exec(canonical)?.[1];
  if (height === undefined) {
    throw new Refusal(
      'not_canonical',
      `The text of entry ${index} does not begin as a block does.`,
    );
  }
  if (height !== String(index)) {
    throw new Refusal('other_height', `The text of entry ${index} is that of block ${height}.`);
  }
  const entry = tree.hash(utf8(canonical));
  judgeInclusion({ ...claim, entry }, tree);
  const blockHash = toHex(entry);
  const contents = verifyContents({ height: index, blockHash, canonical });
  if ('code' in contents) {
    throw new Refusal('not_canonical', `${contents.message} (${contents.code})`);
  }
  return {
    index,
    blockHash,
    contents: contents.version === 'known' ? 'judged' : 'not judged',
    canonical,
    block: parsed(canonical, index),
    recordedAt: contents.version === 'known' ? contents.recordedAt : undefined,
  };
}

/**
 * The same for a block of which the hash alone is given.
 *
 * @throws {Refusal} `not_in_tree`
 */
export function judgeHash(claim: Claim & { readonly blockHash: string }, tree: Tree): ProvenBlock {
  const { index, blockHash } = claim;
  judgeInclusion({ ...claim, entry: bytesOfHex(blockHash) }, tree);
  return { index, blockHash, contents: 'not given' };
}

function judgeInclusion(claim: Claim & { readonly entry: Uint8Array }, tree: Tree): void {
  const { index, proof, entry } = claim;
  const { head, hash } = tree;
  const { size, root } = head;
  const leaf = leafHash(entry, hash);
  if (verifyInclusion({ index, size, leaf, proof, root, hash })) return;
  throw new Refusal(
    'not_in_tree',
    `Block ${index} is not shown to be in the tree of ${size} blocks: its hash and its proof do not lead to the signed root.`,
  );
}

/**
 * What the chain says of two blocks that follow each other: the later one links to the earlier, and
 * its time is not earlier.
 *
 * @throws {Refusal} `not_canonical`
 */
export function judgeNeighbours(earlier: ProvenText, later: ProvenText): void {
  if (later.block.prevHash !== earlier.blockHash) {
    throw new Refusal(
      'not_canonical',
      `Block ${later.index} does not link to block ${earlier.index}. (prev_hash_mismatch)`,
    );
  }
  if (earlier.recordedAt === undefined || later.recordedAt === undefined) return;
  if (later.recordedAt < earlier.recordedAt) {
    throw new Refusal(
      'not_canonical',
      `Block ${later.index} says it was recorded before the block that precedes it. (time_backwards)`,
    );
  }
}

function parsed(canonical: string, index: number): ParsedBlock {
  try {
    return parseBlock(canonical);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    throw new Refusal('not_canonical', `The text of entry ${index} is not that of a block.`, {
      cause: error,
    });
  }
}
