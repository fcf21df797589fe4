// Tiles and frontiers that are made step by step are those of the tree by its definition.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appendLeaves,
  computeRoot,
  EMPTY_FRONTIER,
  GroupTree,
  TILE_HEIGHT,
  TILE_WIDTH,
} from '@lothub/chain/log';
import type { TreeHead } from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { NaiveTree } from '@lothub/chain/test/log/naive-tree';
import { makeEntry } from '../../../../test/log/stored-tree.ts';
import type { LogTileRow } from '../../tables/log.ts';
import { toLeaf } from '../leaf.ts';
import { TileEdge, firstUncovered, type LevelTiles } from './tile-edge.ts';
import { TreeWalk } from '../tree-walk.ts';

/** One tile of level 1, and some blocks more. */
const SIZE = TILE_WIDTH * TILE_WIDTH + 4 * TILE_WIDTH + 5;

const entries = Array.from({ length: SIZE }, (_, height) => makeEntry(height));
const tree = NaiveTree.ofEntries(entries);
const hashes = entries.map((entry) => entry.toString('hex'));

test('a walk makes every complete tile once, and the frontier of its end', () => {
  const walk = new TreeWalk({ kind: 'absent' });

  const tiles = hashes.flatMap((hash) => walk.take(hash));

  assert.equal(tiles.length, Math.floor(SIZE / TILE_WIDTH) + 1);
  for (const { level, tile, hashes: bytes, root } of tiles) {
    assert.deepEqual(Buffer.from(bytes), tree.tile({ level, tile, width: TILE_WIDTH }));
    assert.deepEqual(Buffer.from(root), tree.subtree({ level: 8 * (level + 1), index: tile }));
  }
  assert.deepEqual(Buffer.from(computeRoot(walk.frontier, sha256Bytes)), tree.rootAt(SIZE));
});

test('a walk holds the trees of all sizes that were signed, and names the smallest that it does not', () => {
  const around = (size: number): readonly number[] => [size - 1, size, size + 1];
  const sizes = [
    1,
    2,
    ...[1, 2, 3, TILE_WIDTH].flatMap((tiles) => around(tiles * TILE_WIDTH)),
    SIZE,
  ];
  const signed = sizes.map((size) => ({ origin: 'hub/1', size, root: tree.rootAt(size) }));
  const findAll = (heads: readonly TreeHead[]) => {
    const walk = new TreeWalk({ kind: 'absent' });
    walk.expect(heads.toReversed());
    for (const hash of hashes) walk.take(hash);
    return walk.findMismatches(new Map()).map(({ code, height }) => [code, height]);
  };
  const others = signed.map((head, place) =>
    place < 4 ? head : { ...head, root: tree.rootAt(head.size - 1) },
  );

  assert.deepEqual(findAll(signed), []);
  assert.deepEqual(findAll(others), [['log_forked', sizes[4]! - 1]]);
});

test('an edge that is read out of stored tiles goes on where they end', () => {
  for (const size of [0, TILE_WIDTH - 1, TILE_WIDTH, 3 * TILE_WIDTH + 1, 65_537 + 512]) {
    const walk = new TreeWalk({ kind: 'absent' });
    const stored = hashes.slice(0, size).flatMap((hash) => walk.take(hash));
    const edge = new TileEdge(buildLevels(stored));
    const leaves = hashes.slice(edge.nextHeight, edge.nextHeight + TILE_WIDTH).map(toLeaf);

    const frontier = edge.frontier(leaves.slice(0, size - edge.nextHeight));
    const group = new GroupTree({
      before: frontier,
      leaves: leaves.slice(size - edge.nextHeight),
      hash: sha256Bytes,
    });
    const root = group.findSubtree({ level: TILE_HEIGHT, index: edge.nextHeight / TILE_WIDTH });
    const next = edge.complete(leaves, root);

    const computed = new TileEdge(buildLevels(stored)).complete(leaves);
    assert.deepEqual(next, computed);
    assert.deepEqual(root, computed[0]?.root);
    assert.deepEqual(
      frontier,
      appendLeaves(EMPTY_FRONTIER, hashes.slice(0, size).map(toLeaf), sha256Bytes),
    );
    const [tile] = next;
    assert.equal(tile?.tile, Math.floor(size / TILE_WIDTH));
    assert.deepEqual(
      Buffer.from(tile.hashes),
      tree.tile({ level: 0, tile: tile.tile, width: TILE_WIDTH }),
    );
  }
});

function buildLevels(rows: readonly LogTileRow[]): readonly LevelTiles[] {
  return [0, 1].map((level) => {
    const roots = rows.filter((row) => row.level === level).map(({ root }) => root);
    return { tiles: roots.length, roots: roots.slice(firstUncovered(roots.length)) };
  });
}
