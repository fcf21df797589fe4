// The proofs of a group, as answers have them, are proof files.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  appendLeaves,
  EMPTY_FRONTIER,
  GroupTree,
  LogError,
  tlogProofText,
} from '@lothub/chain/log';
import { sha256Bytes } from '@lothub/kit/secrets/hash';
import { toLeaf } from './leaf.ts';
import { SignedGroup } from './signed-group.ts';

const NOTE = 'höfe-"7"\\1/log/1\n45\nroot\n\n— höfe-"7"\\1/log/1 AAAA\n';
const LEAVES = Array.from({ length: 760 }, (_, height) =>
  toLeaf(height.toString(16).padStart(64, '0')),
);

function signedGroup(from: number, size: number): SignedGroup {
  const before = appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, from), sha256Bytes);
  const tree = new GroupTree({ before, leaves: LEAVES.slice(from, size), hash: sha256Bytes });
  return new SignedGroup({ checkpoint: { size, root: new Uint8Array(32), note: NOTE }, tree });
}

for (const [from, size] of [
  [0, 1],
  [0, 7],
  [1, 2],
  [21, 45],
  [250, 300],
  [511, 512],
  [512, 513],
  [699, 760],
] as const) {
  test(`the proof of each block from ${from} to ${size} is a JSON text of its proof file`, () => {
    const group = signedGroup(from, size);

    for (let index = from; index < size; index += 1) {
      const made = group.buildProof(index);

      const proof = group.tree.buildProof(index);
      assert.equal(made.index, index);
      assert.equal(JSON.parse(`"${made.text}"`), tlogProofText({ index, proof, checkpoint: NOTE }));
      assert.match(made.text, /^[\x20-\x7e]*$/);
    }
  });
}

test('a block that is not of the group has no proof', () => {
  const group = signedGroup(21, 45);

  for (const index of [-1, 0, 19, 45, 63, 64, 1.5]) {
    assert.throws(() => group.buildProof(index), LogError, `${index}`);
  }
});

test('all proofs of a group of 2,000 blocks take a number of hashes that grows with the group', () => {
  let hashed = 0;
  const hash = (bytes: Uint8Array): Uint8Array => {
    hashed += 1;
    return sha256Bytes(bytes);
  };
  const before = appendLeaves(EMPTY_FRONTIER, LEAVES.slice(0, 699), sha256Bytes);
  const leaves = Array.from({ length: 2_000 }, (_, n) => toLeaf(n.toString(16).padStart(64, 'f')));

  const tree = new GroupTree({ before, leaves, hash });
  const checkpoint = { size: 2_699, root: new Uint8Array(32), note: NOTE };
  const group = new SignedGroup({ checkpoint, tree });
  for (let index = 699; index < 2_699; index += 1) group.buildProof(index);

  // 2,000 for the nodes, and for each of 11 levels at most one fold of the right edge, of 11 hashes.
  assert.ok(hashed < 2_100 + 11 * 11, `${hashed} hashes`);
});
