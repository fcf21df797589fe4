/**
 * Proofs for the leaves of one group commit, made from the frontier before it and its own leaves.
 *
 * Each hash on the way of such a leaf to the root is a node of that frontier or lies over leaves of
 * the group alone, so no older leaf is read.
 */
import { LogError } from './log-error.ts';
import { findSibling, inclusionParts, type ProofPart, type Subtree } from './subtrees.ts';
import { foldSubtrees, half, isOdd, nodeHash, type Frontier, type HashBytes } from './tree.ts';

/** The complete subtrees of one level that are at hand, side by side from index `start` on. */
interface Level {
  readonly start: number;
  readonly hashes: readonly Uint8Array[];
}

/** What a group adds to a tree, as far as proofs of its leaves need it: about one hash for each leaf. */
export class GroupTree {
  readonly before: Frontier;
  /** Leaf hashes, in the order in which they are appended to `before`. */
  readonly leaves: readonly Uint8Array[];
  /** The frontier after the group. */
  readonly after: Frontier;
  readonly #levels: readonly Level[];
  readonly #hash: HashBytes;

  constructor(group: {
    readonly before: Frontier;
    readonly leaves: readonly Uint8Array[];
    readonly hash: HashBytes;
  }) {
    this.#hash = group.hash;
    this.before = group.before;
    this.leaves = group.leaves;
    this.#levels = buildLevels(group.before, group.leaves, group.hash);
    this.after = {
      size: group.before.size + group.leaves.length,
      hashes: this.#levels.flatMap(lastAlone).reverse(),
    };
  }

  /** Of the tree after the group. */
  get size(): number {
    return this.after.size;
  }

  /** The hash of a complete subtree, if the group has made it or needs it to the left of its own; else undefined. */
  findSubtree({ level, index }: Subtree): Uint8Array | undefined {
    const row = this.#levels[level];
    return row?.hashes[index - row.start];
  }

  /**
   * The inclusion proof of the leaf with this absolute index in the tree after the whole group.
   *
   * @throws {LogError} `range_invalid` when the leaf is not one of the group's
   */
  buildProof(index: number): readonly Uint8Array[] {
    return inclusionParts(index, this.size).map((part) => this.#fold(part));
  }

  /**
   * The hash beside a subtree on the way of a leaf of the group to the root; undefined at the right edge of the
   * tree, where there is none.
   *
   * @throws {LogError} `range_invalid` when the subtree is not on such a way
   */
  hashBeside(subtree: Subtree): Uint8Array | undefined {
    if (subtree.index * 2 ** subtree.level >= this.size) throw notOfGroup();
    const part = findSibling(subtree, this.size);
    return part.length === 0 ? undefined : this.#fold(part);
  }

  #fold(part: ProofPart): Uint8Array {
    const hashes = part.map((subtree) => {
      const found = this.findSubtree(subtree);
      if (found === undefined) throw notOfGroup();
      return found;
    });
    return foldSubtrees(hashes, this.#hash);
  }
}

function notOfGroup(): LogError {
  return new LogError('range_invalid', 'A proof of a group is for a leaf of that group.');
}

/** The inclusion proof of one leaf of a group; for those of several make one {@link GroupTree}. */
export function groupProof(group: {
  readonly before: Frontier;
  readonly leaves: readonly Uint8Array[];
  /** Absolute index of the leaf, from `before.size` on. */
  readonly index: number;
  readonly hash: HashBytes;
}): readonly Uint8Array[] {
  return new GroupTree(group).buildProof(group.index);
}

/**
 * Level by level: the nodes over the group's leaves, and before them the frontier's node where the
 * size before has its bit set. So each level starts at an even index and pairs up without a rest on
 * its left side.
 */
function buildLevels(
  before: Frontier,
  leaves: readonly Uint8Array[],
  hash: HashBytes,
): readonly Level[] {
  const levels: Level[] = [];
  const frontier = [...before.hashes];
  let appended = leaves;
  let rest = before.size;
  while (rest > 0 || appended.length > 0) {
    const left = isOdd(rest) ? frontier.pop() : undefined;
    const level: Level =
      left === undefined
        ? { start: rest, hashes: appended }
        : { start: rest - 1, hashes: [left, ...appended] };
    levels.push(level);
    appended = hashPairs(level.hashes, hash);
    rest = half(rest);
  }
  return levels;
}

/** The last subtree of a level, when no other one is beside it: the frontier has it. */
function lastAlone({ start, hashes }: Level): readonly Uint8Array[] {
  return isOdd(start + hashes.length) ? hashes.slice(-1) : [];
}

/** The nodes over pairs; a last one alone has none yet. */
function hashPairs(hashes: readonly Uint8Array[], hash: HashBytes): readonly Uint8Array[] {
  const parents: Uint8Array[] = [];
  let left: Uint8Array | undefined;
  for (const node of hashes) {
    if (left === undefined) {
      left = node;
    } else {
      parents.push(nodeHash(left, node, hash));
      left = undefined;
    }
  }
  return parents;
}
