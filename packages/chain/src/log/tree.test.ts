// Frontier, proofs of a group, proofs out of tiles: all against the recursive tree of RFC 6962.
import assert from 'node:assert/strict';
import { test } from 'node:test';

import fc from 'fast-check';

import {
  appendLeaves,
  toBase64,
  concatBytes,
  consistencyProof,
  EMPTY_FRONTIER,
  frontierBytes,
  frontierFromBytes,
  groupProof,
  GroupTree,
  inclusionProof,
  leafHash,
  LogError,
  computeRoot,
  subtreesFromTiles,
  subtreeInTile,
  TILE_WIDTH,
  tileWidthAt,
  utf8,
  verifyConsistency,
  verifyInclusion,
  type Frontier,
  type ReadTile,
} from './index.ts';
import { listConsistency, listPath, rootOfLeaves, sha256Bytes } from '../../test/log/naive-tree.ts';

const hash = sha256Bytes;
const LEAVES = Array.from({ length: 700 }, (_, index) => leafHash(utf8(`entry ${index}`), hash));

function buildFrontier(size: number): Frontier {
  return appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, size), hash);
}

/** A size and the groups that led to it. */
const groups = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 });

test('the frontier after any groups has the root of the recursive tree', () => {
  fc.assert(
    fc.property(groups, (sizes) => {
      let frontier = EMPTY_FRONTIER;
      for (const size of sizes) {
        frontier = appendLeaves(frontier, LEAVES.slice(frontier.size, frontier.size + size), hash);

        assert.deepEqual(computeRoot(frontier, hash), rootOfLeaves(LEAVES.slice(0, frontier.size)));
      }
    }),
  );
});

test('each leaf of a group has the proof of the recursive tree, made of the frontier before it', () => {
  fc.assert(
    fc.property(fc.nat({ max: 300 }), fc.integer({ min: 1, max: 80 }), (size, count) => {
      const before = buildFrontier(size);
      const leaves = LEAVES.slice(size, size + count);
      const tree = new GroupTree({ before, leaves, hash });
      const all = LEAVES.slice(0, size + count);
      const root = rootOfLeaves(all);

      assert.deepEqual(tree.after, buildFrontier(size + count));

      for (let index = size; index < size + count; index += 1) {
        const proof = tree.buildProof(index);

        assert.deepEqual(proof.map(toBase64), listPath(index, all).map(toBase64));
        assert.ok(
          verifyInclusion({ index, size: all.length, leaf: LEAVES[index]!, proof, root, hash }),
        );
      }
    }),
    { numRuns: 60 },
  );
});

test('one proof of a group is that of the whole group tree', () => {
  const before = buildFrontier(13);
  const leaves = LEAVES.slice(13, 30);

  const proof = groupProof({ before, leaves, index: 21, hash });

  assert.deepEqual(proof, new GroupTree({ before, leaves, hash }).buildProof(21));
});

test('a group makes no proof for a leaf that is not its own', () => {
  const tree = new GroupTree({ before: buildFrontier(13), leaves: LEAVES.slice(13, 20), hash });

  for (const index of [-1, 0, 11, 20, 1.5]) {
    assert.throws(() => tree.buildProof(index), isCode('range_invalid'));
  }
});

test('all proofs of a group of 2,000 leaves take a number of hashes that grows with the group', () => {
  let hashed = 0;
  const counted = (bytes: Uint8Array): Uint8Array => {
    hashed += 1;
    return hash(bytes);
  };
  const leaves = Array.from({ length: 2_000 }, (_, index) => leafHash(utf8(`${index}`), hash));

  const tree = new GroupTree({ before: buildFrontier(699), leaves, hash: counted });
  for (let index = 699; index < 2_699; index += 1) tree.buildProof(index);

  // 2,000 for the nodes, and at most one fold of the right edge, 11 hashes, for each proof.
  assert.ok(hashed < 2_100 + 2_000 * 11, `${hashed} hashes`);
});

test('proofs out of tiles are those of the recursive tree', async () => {
  const places = fc
    .tuple(fc.nat({ max: 698 }), fc.nat({ max: 698 }))
    .map(([one, other]) => [Math.min(one, other), Math.max(one, other) + 1] as const);
  await fc.assert(
    fc.asyncProperty(places, async ([index, size]) => {
      const all = LEAVES.slice(0, size);
      const subtree = subtreesFromTiles({ size, readTile: buildTileReader(size), hash });
      const root = rootOfLeaves(all);

      const inclusion = await inclusionProof({ index, size, subtree, hash });
      const consistency = await consistencyProof({ from: index, to: size, subtree, hash });

      assert.deepEqual(inclusion.map(toBase64), listPath(index, all).map(toBase64));
      const expected = index === 0 ? [] : listConsistency(index, all);
      assert.deepEqual(consistency.map(toBase64), expected.map(toBase64));
      assert.ok(
        verifyInclusion({ index, size, leaf: LEAVES[index]!, proof: inclusion, root, hash }),
      );
      assert.ok(
        verifyConsistency({
          from: index,
          to: size,
          fromRoot: rootOfLeaves(LEAVES.slice(0, index)),
          toRoot: root,
          proof: consistency,
          hash,
        }),
      );
    }),
    { numRuns: 60 },
  );
});

/** The tiles of the tree of `size` leaves, as wide as they are then. */
function buildTileReader(size: number): ReadTile {
  return ({ level, index, width }) => {
    assert.equal(width, tileWidthAt(level, index, size));
    const leaves = LEAVES.slice(0, size);
    if (level === 0) return concatBytes(...leaves.slice(index * 256, index * 256 + width));
    const below = Array.from({ length: width }, (_, at) => {
      const first = (index * TILE_WIDTH + at) * TILE_WIDTH;
      const tile = concatBytes(...leaves.slice(first, first + TILE_WIDTH));
      return subtreeInTile(tile, { start: 0, count: TILE_WIDTH }, hash);
    });
    return concatBytes(...below);
  };
}

test('a proof for a leaf that a tree lacks, or from a larger tree, is not made', async () => {
  const subtree = (): Uint8Array => LEAVES[0]!;

  await assert.rejects(inclusionProof({ index: 5, size: 5, subtree }), isCode('range_invalid'));
  await assert.rejects(inclusionProof({ index: -1, size: 5, subtree }), isCode('range_invalid'));
  await assert.rejects(consistencyProof({ from: 6, to: 5, subtree }), isCode('range_invalid'));
});

test('proofs near the largest size name complete subtrees inside of the tree', async () => {
  const size = Number.MAX_SAFE_INTEGER;
  for (const index of [0, size - 1, 2 ** 52, 2 ** 52 - 1]) {
    const subtree = (level: number, at: number): Uint8Array => {
      assert.ok(Number.isSafeInteger(at) && (at + 1) * 2 ** level <= size, `${level} ${at}`);
      return LEAVES[0]!;
    };

    const proof = await inclusionProof({ index, size, subtree, hash });

    assert.ok(proof.length <= 53);
  }
});

test('a frontier is stored as its hashes and read back', () => {
  fc.assert(
    fc.property(fc.nat({ max: 699 }), (size) => {
      const frontier = buildFrontier(size);

      assert.deepEqual(frontierFromBytes(size, frontierBytes(frontier)), {
        size,
        hashes: frontier.hashes.map((one) => Uint8Array.from(one)),
      });
    }),
  );
});

test('stored bytes that do not fit the size are refused', () => {
  const bytes = frontierBytes(buildFrontier(7));

  for (const [size, stored] of [
    [8, bytes],
    [6, bytes],
    [7, bytes.subarray(1)],
    [7, concatBytes(bytes, Uint8Array.of(0))],
    [-1, new Uint8Array(0)],
    [1.5, bytes],
  ] as const) {
    assert.throws(() => frontierFromBytes(size, stored), isCode('frontier_invalid'));
  }
});

test('a frontier with a hash too few is not appended to and has no root', () => {
  const broken = { size: 3, hashes: [LEAVES[0]!] };

  assert.throws(() => appendLeaves(broken, [LEAVES[1]!], hash), isCode('frontier_invalid'));
  assert.throws(() => computeRoot(broken, hash), isCode('frontier_invalid'));
});

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof LogError && error.code === code;
}
