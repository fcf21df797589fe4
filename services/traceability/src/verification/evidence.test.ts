// Which links between neighbouring blocks count as broken.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMismatches } from './evidence.ts';

const CHAIN = [
  { height: 0, prevHash: 'none', hash: 'a' },
  { height: 1, prevHash: 'a', hash: 'b' },
  { height: 2, prevHash: 'b', hash: 'c' },
  { height: 3, prevHash: 'c', hash: 'd' },
];
const HEAD = { height: 3, hash: 'd' };

/** What is wrong with the block of a height, its neighbours being all other rows. */
const codesAt = (height: number, chain = CHAIN, head = HEAD): readonly string[] => {
  const rows = new Map(chain.map((row) => [row.height, row]));
  return findMismatches(rows.get(height)!, rows, head).map((one) => `${one.height} ${one.code}`);
};

const changed = (height: number, changes: Partial<(typeof CHAIN)[number]>) =>
  CHAIN.map((row) => (row.height === height ? { ...row, ...changes } : row));

test('blocks that link to both neighbours are sound', () => {
  assert.deepEqual(codesAt(1), []);
  assert.deepEqual(codesAt(3), []);
});

test('a block that does not carry the hash of the block before is found', () => {
  assert.deepEqual(codesAt(2, changed(1, { hash: 'x' })), ['2 prev_hash_mismatch']);
});

test('a block that was replaced is found by the block after', () => {
  assert.deepEqual(codesAt(2, changed(2, { hash: 'x' })), ['3 prev_hash_mismatch']);
});

test('a neighbour that is gone is found', () => {
  const without = (height: number) => CHAIN.filter((row) => row.height !== height);

  assert.deepEqual(codesAt(2, without(1)), ['1 height_gap']);
  assert.deepEqual(codesAt(2, without(3)), ['3 height_gap']);
});

test('a last block that is not the head is found', () => {
  assert.deepEqual(codesAt(3, changed(3, { hash: 'x' })), ['3 head_differs']);
});

test('a block appended after the head was read is no mismatch', () => {
  assert.deepEqual(codesAt(3, CHAIN, { height: 2, hash: 'c' }), []);
});
