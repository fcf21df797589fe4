/**
 * The Merkle tree over the blocks (RFC 6962, section 2.1), and its frontier: all of a tree that is
 * needed to append to it and to know its root.
 *
 * Entry i is the block hash of height i as 32 bytes. Sizes and indexes are whole numbers up to 2^53,
 * so they are divided rather than shifted.
 */
import { concatBytes } from './bytes.ts';
import { LogError } from './log-error.ts';

/**
 * SHA-256. Servers pass their platform's; `sha256` of this package serves everybody else. It has read the bytes when
 * it answers: they are used again.
 */
export type HashBytes = (bytes: Uint8Array) => Uint8Array;

/** Bytes of a SHA-256. */
export const HASH_BYTES = 32;

/** RFC 6962, section 2.1: prefixes that distinguish the hash of an entry from the hash of a node. */
const LEAF_PREFIX = 0x00;
const NODE_PREFIX = 0x01;

/**
 * The compact range of [0, size): for every set bit of `size` the hash of one complete subtree, the
 * largest first. A holder of it can append leaves and compute the root, without any older leaf.
 */
export interface Frontier {
  readonly size: number;
  readonly hashes: readonly Uint8Array[];
}

/** The frontier of the tree without leaves. */
export const EMPTY_FRONTIER: Frontier = { size: 0, hashes: [] };

/**
 * Messages of the usual lengths are made in these: a message of its own takes twice as long as its hash, because more
 * than 64 bytes are allocated outside of the heap.
 */
const LEAF_MESSAGE = Uint8Array.of(LEAF_PREFIX, ...new Uint8Array(HASH_BYTES));
const NODE_MESSAGE = Uint8Array.of(NODE_PREFIX, ...new Uint8Array(2 * HASH_BYTES));

/** The leaf of an entry: SHA-256(0x00 || entry). */
export function leafHash(entry: Uint8Array, hash: HashBytes): Uint8Array {
  const message =
    entry.length === HASH_BYTES ? LEAF_MESSAGE : newMessage(LEAF_PREFIX, entry.length);
  message.set(entry, 1);
  return hash(message);
}

/** The node above two subtrees: SHA-256(0x01 || left || right). */
export function nodeHash(left: Uint8Array, right: Uint8Array, hash: HashBytes): Uint8Array {
  const length = left.length + right.length;
  const message = length === 2 * HASH_BYTES ? NODE_MESSAGE : newMessage(NODE_PREFIX, length);
  message.set(left, 1);
  message.set(right, 1 + left.length);
  return hash(message);
}

function newMessage(prefix: number, length: number): Uint8Array {
  const message = new Uint8Array(1 + length);
  message[0] = prefix;
  return message;
}

/**
 * The frontier that is stored as `bytes` for a tree of `size` leaves.
 *
 * @throws {LogError} `frontier_invalid` when these are not as many bytes as that size needs
 */
export function frontierFromBytes(size: number, bytes: Uint8Array): Frontier {
  if (!isTreeSize(size) || bytes.length !== subtreesIn(size) * HASH_BYTES) {
    throw new LogError(
      'frontier_invalid',
      `A frontier of ${bytes.length} bytes does not belong to a tree of ${size} leaves.`,
    );
  }
  const hashes = Array.from({ length: bytes.length / HASH_BYTES }, (_, index) =>
    bytes.slice(index * HASH_BYTES, (index + 1) * HASH_BYTES),
  );
  return { size, hashes };
}

/** The hashes of a frontier one after the other, as they are stored. */
export function frontierBytes(frontier: Frontier): Uint8Array<ArrayBuffer> {
  return concatBytes(...frontier.hashes);
}

/** The frontier after `leaves` (leaf hashes, in order) were appended. */
export function appendLeaves(
  frontier: Frontier,
  leaves: readonly Uint8Array[],
  hash: HashBytes,
): Frontier {
  const hashes = [...frontier.hashes];
  let { size } = frontier;
  for (const leaf of leaves) {
    let node = leaf;
    // Each trailing set bit of the size is a complete subtree that the new one completes further.
    for (let rest = size; isOdd(rest); rest = half(rest)) {
      const left = hashes.pop();
      if (left === undefined) throw incomplete(frontier);
      node = nodeHash(left, node, hash);
    }
    hashes.push(node);
    size += 1;
  }
  return { size, hashes };
}

/** The root of the tree with this frontier; that of the empty tree is the SHA-256 of nothing. */
export function computeRoot(frontier: Frontier, hash: HashBytes): Uint8Array {
  if (frontier.hashes.length !== subtreesIn(frontier.size)) throw incomplete(frontier);
  return frontier.size === 0 ? hash(new Uint8Array(0)) : foldSubtrees(frontier.hashes, hash);
}

/**
 * The hash over adjacent complete subtrees, each larger than the next.
 *
 * @throws {LogError} `range_invalid` when there are none
 */
export function foldSubtrees(hashes: readonly Uint8Array[], hash: HashBytes): Uint8Array {
  const last = hashes.at(-1);
  if (last === undefined) throw new LogError('range_invalid', 'A subtree has at least one leaf.');
  return hashes.slice(0, -1).reduceRight((right, left) => nodeHash(left, right, hash), last);
}

/** Whether a number can be the size of a tree. */
export function isTreeSize(size: number): boolean {
  return Number.isSafeInteger(size) && size >= 0;
}

/** Whether a whole number of any size is odd. */
export function isOdd(value: number): boolean {
  return value % 2 === 1;
}

/** Half of a whole number, without the rest. */
export function half(value: number): number {
  return Math.floor(value / 2);
}

/** How many complete subtrees make up a tree: the set bits of its size. */
function subtreesIn(size: number): number {
  let count = 0;
  for (let rest = size; rest > 0; rest = half(rest)) count += rest % 2;
  return count;
}

function incomplete(frontier: Frontier): LogError {
  return new LogError(
    'frontier_invalid',
    `A frontier of ${frontier.hashes.length} hashes does not belong to a tree of ${frontier.size} leaves.`,
  );
}
