// The tree that is read out of a database is the tree by its definition: every tile, root and proof, at
// any size, on either engine, and whichever tiles are not stored yet.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { DatabaseReader } from '@lothub/kit/database';
import fc from 'fast-check';
import { TILE_WIDTH } from '@lothub/chain/log';
import { TreeReadError } from '../../src/ledger/log/tiles/tile-contents.ts';
import { TreeReader } from '../../src/ledger/log/tree-reader.ts';
import { newTestDatabase, type TestDatabase } from '../engine.ts';
import { notingReader } from '../noting-reader.ts';
import { NaiveTree } from '@lothub/chain/test/log/naive-tree';
import { makeEntry, openReader, storeTree } from './stored-tree.ts';

/** A complete tile of level 1, one of its successor, and a beginning at every level. */
const SIZE = 66_000;
/** Where tiles and subtrees begin and end. */
const EDGES = [0, 1, 2, 3, 255, 256, 257, 511, 512, 65_279, 65_535, 65_536, 65_537, 65_792, SIZE];

const tree = NaiveTree.ofEntries(Array.from({ length: SIZE }, (_, height) => makeEntry(height)));
let database: TestDatabase;
let connection: DatabaseReader;
let reader: TreeReader;

before(async () => {
  database = await newTestDatabase();
  await storeTree(database, tree);
  connection = await openReader(database);
  reader = new TreeReader({ database: connection });
});

after(async () => {
  await connection.close();
  await database[Symbol.asyncDispose]();
});

const sizes = fc.oneof(fc.constantFrom(...EDGES), fc.integer({ min: 0, max: SIZE }));
/** Any leaf of a tree, and as often one near its right edge. */
const places = sizes
  .filter((size) => size > 0)
  .chain((size) =>
    fc.record({
      size: fc.constant(size),
      index: fc.oneof(
        fc.integer({ min: 0, max: size - 1 }),
        fc.integer({ min: Math.max(0, size - 260), max: size - 1 }),
      ),
    }),
  );

test('roots, inclusion proofs and consistency proofs of any size are those of the definition', async () => {
  await fc.assert(
    fc.asyncProperty(places, sizes, async ({ size, index }, other) => {
      const [from, to] = [Math.min(size, other), Math.max(size, other)];

      const root = await reader.rootAt(size);
      const inclusion = await reader.inclusion(index, size);
      const consistency = await reader.consistency(from, to);

      assert.deepEqual(hex([root]), hex([tree.rootAt(size)]));
      assert.deepEqual(hex(inclusion), hex(tree.inclusion(index, { from: 0, below: size })));
      assert.deepEqual(hex(consistency), hex(tree.consistency(from, to)));
    }),
    { numRuns: 60 },
  );
});

test('tiles of every level and width are those of the definition', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      fc.nat(),
      fc.nat(),
      async (level, any, part) => {
        const hashes = Math.floor(SIZE / TILE_WIDTH ** level);
        const tile = any % Math.ceil(hashes / TILE_WIDTH);
        const whole = Math.min(TILE_WIDTH, hashes - tile * TILE_WIDTH);
        const width = part % 2 === 0 ? whole : 1 + (part % whole);

        const bytes = await reader.tile({ level, index: tile, width });

        assert.deepEqual(hex([bytes]), hex([tree.tile({ level, tile, width })]));
      },
    ),
    { numRuns: 60 },
  );
});

test('many proofs to one size are those of the definition, in the order of the leaves', async () => {
  const indexes = [...EDGES.slice(0, -1), ...Array.from({ length: 150 }, (_, n) => n * 431)];

  const proofs = await Array.fromAsync(reader.inclusions(indexes, SIZE));

  assert.deepEqual(
    proofs.map(hex),
    indexes.map((index) => hex(tree.inclusion(index, { from: 0, below: SIZE }))),
  );
});

test('entries are the hashes of the blocks', async () => {
  const entries = await reader.entries({ from: 250, below: 260 });

  const expected = Array.from({ length: 10 }, (_, place) => makeEntry(250 + place));
  assert.deepEqual(hex([entries]), hex([Buffer.concat(expected)]));
});

test('a proof takes one question to each level it passes, and no second journey', async () => {
  const noting = notingReader(connection);

  await new TreeReader({ database: noting }).inclusion(300, SIZE);

  assert.ok(noting.queries.length <= 5, `${noting.queries.length} queries`);
});

test('tiles that are not stored yet are computed from what is below', async () => {
  await deleteTiles('level = 1 or tile >= 245');
  const fresh = new TreeReader({ database: connection });

  const root = await fresh.rootAt(SIZE);
  const inclusion = await fresh.inclusion(65_000, SIZE);
  const tile = await fresh.tile({ level: 1, index: 0, width: TILE_WIDTH });

  assert.deepEqual(hex([root]), hex([tree.rootAt(SIZE)]));
  assert.deepEqual(hex(inclusion), hex(tree.inclusion(65_000, { from: 0, below: SIZE })));
  assert.deepEqual(hex([tile]), hex([tree.tile({ level: 1, tile: 0, width: TILE_WIDTH })]));
});

test('a tile that was changed in the database shows in the next proof, although its nodes are kept', async () => {
  const asked = new TreeReader({ database: connection });
  const sound = await asked.inclusion(1_000, SIZE);
  await database.change(
    'update log_tiles set hashes = ? where level = 0 and tile = 3',
    new Uint8Array(8_192),
  );

  const changed = await asked.inclusion(1_000, SIZE);

  assert.notDeepEqual(hex(changed), hex(sound));
});

test('a tile with too few bytes is refused', async () => {
  await database.change(
    'update log_tiles set hashes = ? where level = 0 and tile = 4',
    new Uint8Array(31),
  );

  await assert.rejects(reader.inclusion(1_024, SIZE), isTreeReadError('damaged'));
});

test('a tree that is larger than the chain is refused', async () => {
  await assert.rejects(reader.rootAt(SIZE + 1), isTreeReadError('incomplete'));
});

test('a question does not compute more tiles than a maker can be behind', async () => {
  await deleteTiles('level = 0 and tile between 100 and 120');
  const asked = new TreeReader({ database: connection, computedMax: 10 });

  const asking = asked.rootAt(SIZE);

  await assert.rejects(asking, isTreeReadError('incomplete'));
});

async function deleteTiles(condition: string): Promise<void> {
  const deleted = await database.change(`delete from log_tiles where ${condition}`);
  assert.notEqual(deleted, 0);
}

function hex(hashes: readonly Uint8Array[]): readonly string[] {
  return hashes.map((hash) => hash.toHex());
}

function isTreeReadError(code: TreeReadError['code']): (error: unknown) => boolean {
  return (error) => error instanceof TreeReadError && error.code === code;
}
