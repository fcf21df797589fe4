// Paths of tiles and bundles, what is no path, and how bundles are cut.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import fc from 'fast-check';

import {
  bytesOfHex,
  entryBundle,
  hashesOfTile,
  LogError,
  parseEntryBundle,
  parseTilePath,
  placeOfSubtree,
  subtreeInTile,
  tilePath,
  tileWidthAt,
} from './index.ts';
import { sha256 } from '../index.ts';

const PATHS: readonly (readonly [string, Parameters<typeof tilePath>])[] = [
  ['tile/0/000', [0, 0, 256]],
  ['tile/0/000.p/5', [0, 0, 5]],
  ['tile/1/067.p/255', [1, 67, 255]],
  ['tile/0/x001/234.p/5', [0, 1_234, 5]],
  ['tile/0/x001/x234/067', [0, 1_234_067, 256]],
  ['tile/entries/x001/000', ['entries', 1_000, 256]],
  ['tile/7/000.p/1', [7, 0, 1]],
];

suite('a tile has one path', () => {
  for (const [path, [level, index, width]] of PATHS) {
    test(path, () => {
      assert.equal(tilePath(level, index, width), path);
      assert.deepEqual(parseTilePath(path), { level, index, width });
    });
  }
});

test('every tile has a path that names it', () => {
  const levels = fc.oneof(fc.constant('entries' as const), fc.nat({ max: 7 }));
  const indexes = fc.oneof(fc.nat(), fc.maxSafeNat());
  fc.assert(
    fc.property(levels, indexes, fc.integer({ min: 1, max: 256 }), (level, index, width) => {
      assert.deepEqual(parseTilePath(tilePath(level, index, width)), { level, index, width });
    }),
  );
});

suite('what is no path of a tile', () => {
  for (const path of [
    ...['', 'tile/0/0', 'tile/0/00', 'tile/0/0000', 'tile/00/000', 'tile/8/000', 'tile/-1/000'],
    ...['tile/0/x000/001', 'tile/0/001/x002', 'tile/0/001/002', 'tile/0/x001', 'tile/0/x001/'],
    ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/05', 'tile/0/000.p/', 'tile/0/000.p'],
    ...['tile/0/000/', '/tile/0/000', 'tile/0/000.p/5/', 'tile/Entries/000', 'tile/0/000\n'],
    ...['tile/0/x999/x999/x999/x999/x999/999', 'tile/0/000.p/5.p/5', 'tile/1.0/000'],
  ]) {
    test(JSON.stringify(path), () => {
      assert.equal(parseTilePath(path), undefined);
    });
  }
});

test('no path is made of what is no tile', () => {
  for (const [level, index, width] of [
    [8, 0, 256],
    [0, -1, 256],
    [0, 0, 0],
    [0, 0, 257],
    [0, 2 ** 53, 1],
  ] as const) {
    assert.throws(() => tilePath(level, index, width), isCode('range_invalid'));
  }
});

test('a tree of 70,000 leaves has the tiles of the text of the format', () => {
  const widths = (
    [
      [0, 272],
      [0, 273],
      [0, 274],
      [1, 0],
      [1, 1],
      [2, 0],
      [3, 0],
      ['entries', 273],
    ] as const
  ).map(([level, index]) => tileWidthAt(level, index, 70_000));

  assert.deepEqual(widths, [256, 112, 0, 256, 17, 1, 0, 112]);
});

test('a subtree is found in the tile that holds its leaves', () => {
  const size = 70_000;

  assert.deepEqual(placeOfSubtree({ level: 3, index: 33, size }), {
    tile: { level: 0, index: 1, width: 256 },
    start: 8,
    count: 8,
  });
  assert.deepEqual(placeOfSubtree({ level: 8, index: 272, size }), {
    tile: { level: 1, index: 1, width: 17 },
    start: 16,
    count: 1,
  });
  assert.throws(() => placeOfSubtree({ level: 8, index: 273, size }), isCode('range_invalid'));
});

test('bytes that are no tile, or too short for what is looked for, are refused', () => {
  for (const length of [0, 31, 33, 257 * 32]) {
    assert.throws(() => hashesOfTile(new Uint8Array(length)), isCode('tile_invalid'));
  }
  const tile = new Uint8Array(4 * 32);

  assert.throws(() => subtreeInTile(tile, { start: 4, count: 1 }, sha256), isCode('tile_invalid'));
  assert.throws(() => subtreeInTile(tile, { start: 0, count: 8 }, sha256), isCode('tile_invalid'));
});

test('a bundle holds each entry behind its length, and is read back', () => {
  const entries = ['aa', 'bb'].map((byte) => bytesOfHex(byte.repeat(32)));

  const bundle = entryBundle(entries);

  assert.deepEqual(bundle, bytesOfHex(`0020${'aa'.repeat(32)}0020${'bb'.repeat(32)}`));
  assert.deepEqual(parseEntryBundle(bundle), entries);
});

test('what is no bundle of block hashes is refused', () => {
  const bundle = entryBundle([new Uint8Array(32)]);

  for (const bytes of [
    new Uint8Array(0),
    bundle.subarray(1),
    bundle.with(1, 31),
    bundle.with(0, 1),
    new Uint8Array(257 * 34),
  ]) {
    assert.throws(() => parseEntryBundle(bytes), isCode('tile_invalid'));
  }
  assert.throws(() => entryBundle([]), isCode('tile_invalid'));
  assert.throws(() => entryBundle([new Uint8Array(31)]), isCode('tile_invalid'));
});

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof LogError && error.code === code;
}
