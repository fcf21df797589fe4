/**
 * Which complete subtrees a proof is made of.
 *
 * A subtree is named by its level and its index in that level: it holds 2^level leaves, from
 * index * 2^level on. A hash of a proof covers one complete subtree or, at the right edge of the
 * tree, several side by side that are folded into one.
 */
import { LogError } from './log-error.ts';
import { half, isOdd, isTreeSize } from './tree.ts';

/** A complete subtree of 2^level leaves. */
export interface Subtree {
  readonly level: number;
  readonly index: number;
}

/** The subtrees behind one hash of a proof, the largest first; one alone unless at the right edge. */
export type ProofPart = readonly Subtree[];

/**
 * What the inclusion proof of leaf `index` in a tree of `size` leaves is made of, from the leaf up
 * (RFC 9162, section 2.1.3.1).
 *
 * @throws {LogError} `range_invalid` when the tree has no such leaf
 */
export function inclusionParts(index: number, size: number): readonly ProofPart[] {
  if (!isTreeSize(size) || !isTreeSize(index) || index >= size) {
    throw new LogError('range_invalid', `A tree of ${size} leaves has no leaf ${index}.`);
  }
  return listSiblings({ level: 0, index }, size);
}

/**
 * What the proof is made of that the tree of `from` leaves is the beginning of that of `to` leaves
 * (RFC 9162, section 2.1.4.1); nothing when `from` is 0 or equal to `to`.
 *
 * @throws {LogError} `range_invalid` when `from` is greater than `to`
 */
export function consistencyParts(from: number, to: number): readonly ProofPart[] {
  if (!isTreeSize(from) || !isTreeSize(to) || from > to) {
    throw new LogError(
      'range_invalid',
      `A tree of ${to} leaves does not begin with ${from} leaves.`,
    );
  }
  if (from === 0 || from === to) return [];
  const last = findLastSubtree(from);
  const siblings = listSiblings(last, to);
  // A tree that is one complete subtree is proven by its root.
  return last.index === 0 ? siblings : [[last], ...siblings];
}

/** The smallest of the subtrees that make up a tree of `size` leaves, at its right edge. */
function findLastSubtree(size: number): Subtree {
  let level = 0;
  let rest = size;
  while (!isOdd(rest)) {
    rest = half(rest);
    level += 1;
  }
  return { level, index: rest - 1 };
}

/** What is beside the way from a subtree up to the root. */
function listSiblings(start: Subtree, size: number): readonly ProofPart[] {
  const parts: ProofPart[] = [];
  for (let at = start; !isWholeTree(at, size); at = findParent(at)) {
    const part = findSibling(at, size);
    if (part.length > 0) parts.push(part);
  }
  return parts;
}

/** Whether a subtree, or what there is of it at the right edge, is the whole tree. */
export function isWholeTree({ level, index }: Subtree, size: number): boolean {
  return index === 0 && 2 ** level >= size;
}

export function findParent({ level, index }: Subtree): Subtree {
  return { level: level + 1, index: half(index) };
}

/** What is beside a subtree under their parent; nothing at the right edge of the tree. */
export function findSibling({ level, index }: Subtree, size: number): ProofPart {
  if (isOdd(index)) return [{ level, index: index - 1 }];
  return subtreesBetween((index + 1) * 2 ** level, Math.min((index + 2) * 2 ** level, size));
}

/** The complete subtrees of [begin, end), where `begin` is a multiple of the largest one's leaves. */
export function subtreesBetween(begin: number, end: number): ProofPart {
  const subtrees: Subtree[] = [];
  for (let at = begin; at < end;) {
    let level = 0;
    while (2 ** (level + 1) <= end - at) level += 1;
    subtrees.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return subtrees;
}
