/**
 * Proofs for the leaves of one group commit, made from the frontier before it and its own leaves.
 *
 * Each hash on the way of such a leaf to the root is a node of that frontier or lies over leaves of
 * the group alone, so no older leaf is read.
 */
import { LogError } from './log-error.ts';
import { inclusionParts } from './subtrees.ts';
import { foldSubtrees, half, isOdd, nodeHash, type Frontier, type HashBytes } from './tree.ts';

/** The complete subtrees of one level that are at hand, side by side from index `start` on. */
interface Level {
  readonly start: number;
  readonly hashes: readonly Uint8Array[];
}

/** The tree after a group, as far as its proofs need it: about two hashes for each leaf of the group. */
export class GroupTree {
  readonly size: number;
  readonly #levels: readonly Level[];
  readonly #hash: HashBytes;

  /** `leaves` are leaf hashes, in the order in which they were appended to `before`. */
  constructor(group: {
    readonly before: Frontier;
    readonly leaves: readonly Uint8Array[];
    readonly hash: HashBytes;
  }) {
    this.#hash = group.hash;
    this.size = group.before.size + group.leaves.length;
    this.#levels = buildLevels(group.before, group.leaves, group.hash);
  }

  /**
   * The inclusion proof of the leaf with this absolute index in the tree after the whole group.
   *
   * @throws {LogError} `range_invalid` when the leaf is not one of the group's
   */
  buildProof(index: number): readonly Uint8Array[] {
    return inclusionParts(index, this.size).map((part) =>
      foldSubtrees(
        part.map(({ level, index: at }) => this.#subtree(level, at)),
        this.#hash,
      ),
    );
  }

  #subtree(level: number, index: number): Uint8Array {
    const row = this.#levels[level];
    const found = row?.hashes[index - row.start];
    if (found === undefined) {
      throw new LogError('range_invalid', 'A proof of a group is for a leaf of that group.');
    }
    return found;
  }
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
