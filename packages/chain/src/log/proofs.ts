/** Inclusion and consistency proofs (RFC 9162, sections 2.1.3 and 2.1.4): made and verified. */
import { sameBytes } from './bytes.ts';
import { sha256 } from '../sha256.ts';
import { consistencyParts, inclusionParts, type ProofPart } from './subtrees.ts';
import {
  EMPTY_FRONTIER,
  foldSubtrees,
  half,
  HASH_BYTES,
  isOdd,
  isTreeSize,
  nodeHash,
  computeRoot,
  type HashBytes,
} from './tree.ts';

/** Longest proof that a verifier takes: no tree of this world is higher (tlog-witness, c2sp.org). */
export const PROOF_HASHES_MAX = 63;

/** The hash of the complete subtree of 2^level leaves at this index of its level. */
export type ReadSubtree = (level: number, index: number) => Promise<Uint8Array> | Uint8Array;

/**
 * The proof that leaf `index` is in the tree of `size` leaves, from the leaf up.
 *
 * @throws {LogError} `range_invalid` when the tree has no such leaf
 */
export async function inclusionProof(wanted: {
  readonly index: number;
  readonly size: number;
  readonly subtree: ReadSubtree;
  readonly hash?: HashBytes;
}): Promise<readonly Uint8Array[]> {
  return await readParts(inclusionParts(wanted.index, wanted.size), wanted);
}

/**
 * The proof that the tree of `from` leaves is the beginning of that of `to` leaves; empty when
 * `from` is 0 or equal to `to`.
 *
 * @throws {LogError} `range_invalid` when `from` is greater than `to`
 */
export async function consistencyProof(wanted: {
  readonly from: number;
  readonly to: number;
  readonly subtree: ReadSubtree;
  readonly hash?: HashBytes;
}): Promise<readonly Uint8Array[]> {
  return await readParts(consistencyParts(wanted.from, wanted.to), wanted);
}

async function readParts(
  parts: readonly ProofPart[],
  from: { readonly subtree: ReadSubtree; readonly hash?: HashBytes },
): Promise<readonly Uint8Array[]> {
  const { subtree, hash = sha256 } = from;
  return await Promise.all(
    parts.map(async (part) => {
      const hashes = await Promise.all(
        part.map(async ({ level, index }) => await subtree(level, index)),
      );
      return foldSubtrees(hashes, hash);
    }),
  );
}

/** Whether a proof shows the leaf hash `leaf` at `index` in the tree with this size and root. */
export function verifyInclusion(claim: {
  readonly index: number;
  readonly size: number;
  readonly leaf: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
  readonly hash: HashBytes;
}): boolean {
  const { index, size, leaf, proof, root, hash } = claim;
  if (!isTreeSize(index) || !isTreeSize(size) || index >= size) return false;
  if (!areHashes([leaf, root, ...proof])) return false;
  let node = leaf;
  let at = index;
  let last = size - 1;
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      node = nodeHash(sibling, node, hash);
      // A node at the right edge has no sibling on the levels where it is the first of a pair.
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      node = nodeHash(node, sibling, hash);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && sameBytes(node, root);
}

/**
 * Whether a proof shows that the tree of `from` leaves is the beginning of that of `to` leaves.
 * Every tree begins with the empty one, and equals itself: both need an empty proof.
 */
export function verifyConsistency(claim: {
  readonly from: number;
  readonly to: number;
  readonly fromRoot: Uint8Array;
  readonly toRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly hash: HashBytes;
}): boolean {
  const { from, to, fromRoot, toRoot, proof, hash } = claim;
  if (!isTreeSize(from) || !isTreeSize(to) || from > to) return false;
  if (!areHashes([fromRoot, toRoot, ...proof])) return false;
  if (from === to) return proof.length === 0 && sameBytes(fromRoot, toRoot);
  if (from === 0)
    return proof.length === 0 && sameBytes(fromRoot, computeRoot(EMPTY_FRONTIER, hash));
  if (proof.length === 0) return false;
  let at = from - 1;
  let last = to - 1;
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  // at is 0 when the older tree is one complete subtree, whose hash its root says already.
  const [start = fromRoot, ...rest] = at === 0 ? [fromRoot, ...proof] : proof;
  let older = start;
  let newer = start;
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      older = nodeHash(sibling, older, hash);
      newer = nodeHash(sibling, newer, hash);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newer = nodeHash(newer, sibling, hash);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && sameBytes(older, fromRoot) && sameBytes(newer, toRoot);
}

/** The hashes of a claim: 32 bytes each, and no more than a proof and the two ends of it. */
function areHashes(hashes: readonly Uint8Array[]): boolean {
  return hashes.length <= PROOF_HASHES_MAX + 2 && hashes.every((one) => one.length === HASH_BYTES);
}
