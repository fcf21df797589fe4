// Leaves that are kept for their tiles: those of blocks that follow on each other, and no others.
import assert from 'node:assert/strict';
import test from 'node:test';
import { RecentLeaves } from './recent-leaves.ts';

test('leaves of groups that follow on each other are kept together', () => {
  const recent = new RecentLeaves();

  recent.add(10, leaves(10, 13));
  recent.add(13, leaves(13, 15));

  assert.deepEqual(recent.find({ from: 11, below: 14 }), leaves(11, 14));
  assert.equal(recent.below, 15);
});

test('what is not kept as a whole is not found', () => {
  const recent = new RecentLeaves();

  recent.add(10, leaves(10, 13));

  assert.equal(recent.find({ from: 9, below: 12 }), undefined);
  assert.equal(recent.find({ from: 11, below: 14 }), undefined);
});

test('leaves behind a gap, or of blocks that were replaced, replace what was kept', () => {
  const recent = new RecentLeaves();
  recent.add(10, leaves(10, 13));

  recent.add(14, leaves(14, 16));

  assert.equal(recent.find({ from: 10, below: 13 }), undefined);
  assert.deepEqual(recent.find({ from: 14, below: 16 }), leaves(14, 16));

  recent.add(12, leaves(12, 14));

  assert.equal(recent.find({ from: 14, below: 16 }), undefined);
  assert.deepEqual(recent.find({ from: 12, below: 14 }), leaves(12, 14));
});

test('what a tile holds is dropped, and the rest stays', () => {
  const recent = new RecentLeaves();
  recent.add(10, leaves(10, 20));

  recent.dropBelow(15);

  assert.equal(recent.find({ from: 14, below: 16 }), undefined);
  assert.deepEqual(recent.find({ from: 15, below: 20 }), leaves(15, 20));

  recent.dropBelow(30);

  assert.equal(recent.find({ from: 19, below: 20 }), undefined);
});

test('no more than a limit is kept', () => {
  const recent = new RecentLeaves();

  recent.add(0, leaves(0, 4_096));
  assert.equal(recent.find({ from: 0, below: 4_096 })?.length, 4_096);
  recent.add(4_096, leaves(4_096, 4_097));

  assert.equal(recent.find({ from: 0, below: 1 }), undefined);
});

function leaves(from: number, below: number): readonly Uint8Array[] {
  return Array.from({ length: below - from }, (_, n) => new Uint8Array([(from + n) % 256]));
}
