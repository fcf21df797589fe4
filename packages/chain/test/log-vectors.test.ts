// The vectors of the log: its worked example to the byte, and each good or changed proof.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';

import {
  appendLeaves,
  toBase64,
  bytesOfHex,
  consistencyProof,
  EMPTY_FRONTIER,
  toHex,
  inclusionProof,
  judgeCheckpoint,
  leafHash,
  LogError,
  parseCheckpoint,
  parsePolicy,
  parseTlogProof,
  computeRoot,
  strictBase64,
  utf8,
  textOfUtf8,
  verifyConsistency,
  verifyInclusion,
  type Policy,
} from '../src/log/index.ts';
import { sha256 } from '../src/index.ts';
import { sha256Bytes } from './log/naive-tree.ts';
import { verifySignature } from './log/test-keys.ts';
import { plainChain } from './vectors/chain-maker.ts';
import { makeLogExample } from './vectors/log-example.ts';
import { makeConsistencyProofs, makeInclusionProofs } from './vectors/log-proofs.ts';

const LOG_VKEY = 'example.com/hub/1+0fe55aaa+AQOhB7/zzhC+HXDdGOdLwJln5NYwm6UNXx3chmQSVTG4';
const WITNESS_VKEY = 'witness.example.org/1+84db4898+BCmsuuFBvMrwsi4alNNNC8c2HlJtC/4SyJeUvJMilm3X';
const ROOT = 'MNuyvTc8oHDxxbgeH2Xs/a8h++cF/FtseTjYEr2vZiE=';
/** Accepted by tessera's fsck v1.0.4 and torchwood's VerifyProof v0.9.0. */
const CHECKPOINT = `example.com/hub/1
2
${ROOT}

— example.com/hub/1 D+Vaqpe0p59p7KYGjkOnczNW+7mdDCk8y6+8eSyDpI7I5rvBXFgVpFxSx73nlKW2E5JWA65KLgdYku8ozVKoIl6txgI=
— witness.example.org/1 hNtImAAAAABpVzWmhXbeDoagwtyZo9nSUud9ssJUOnh0EnDOds3Qe1OvdygJP1+ymH9IMoWMa9pWt+5H5gAgT475TAo6vXCEZ3gjBQ==
`;
const PROOF_OF_BLOCK_1 = `c2sp.org/tlog-proof@v1
index 1
iMe0K4n9g2VI4NjJVC4p+rkb7y5r85HDGyxFdLNtkJU=

${CHECKPOINT}`;

test('the worked example is what other implementations accepted', () => {
  const [example] = makeLogExample();

  assert.partialDeepStrictEqual(example, {
    log: { vkey: LOG_VKEY },
    witness: { vkey: WITNESS_VKEY },
    leaves: [
      '88c7b42b89fd836548e0d8c9542e29fab91bef2e6bf391c31b2c4574b36d9095',
      '2406055019befdfa9da15cb2ab9a5422fd01fad85f241bb3127529faa2b96c7f',
    ],
    root: '30dbb2bd373ca070f1c5b81e1f65ecfdaf21fbe705fc5b6c7938d812bdaf6621',
    root_base64: ROOT,
    tile: { path: 'tile/0/000.p/2' },
    bundle: { path: 'tile/entries/000.p/2' },
    checkpoint: CHECKPOINT,
  });
  assert.equal((example as { proofs: string[] }).proofs[1], PROOF_OF_BLOCK_1);
});

test('the worked example of docs/chain-format.md is that one', () => {
  const document = readFileSync(new URL('../../../docs/chain-format.md', import.meta.url), 'utf8');

  for (const text of [PROOF_OF_BLOCK_1, LOG_VKEY, WITNESS_VKEY]) {
    assert.ok(document.includes(text), `the document lacks ${text}`);
  }
});

test('the root of no leaves is the SHA-256 of nothing', () => {
  assert.equal(
    toBase64(computeRoot(EMPTY_FRONTIER, sha256)),
    '47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=',
  );
});

suite('inclusion proofs', () => {
  for (const vector of makeInclusionProofs()) {
    test(`${vector.name}: ${vector.valid ? 'accepted' : 'refused'}`, () => {
      const { index, size } = vector;

      const isIn = verifyInclusion({
        index,
        size,
        leaf: bytesOfHex(vector.leaf),
        proof: vector.proof.map(strictBase64),
        root: strictBase64(vector.root),
        hash: sha256Bytes,
      });

      assert.equal(isIn, vector.valid);
    });
  }

  test('a good one is what is made for its place', async () => {
    for (const { index, size, proof } of makeInclusionProofs().filter(({ valid }) => valid)) {
      const made = await inclusionProof({ index, size, subtree: subtreeOfVectors });

      assert.deepEqual(made.map(toBase64), proof);
    }
  });
});

suite('consistency proofs', () => {
  for (const vector of makeConsistencyProofs()) {
    test(`${vector.name}: ${vector.valid ? 'accepted' : 'refused'}`, () => {
      const { from, to } = vector;

      const isOne = verifyConsistency({
        from,
        to,
        fromRoot: strictBase64(vector.from_root),
        toRoot: strictBase64(vector.to_root),
        proof: vector.proof.map(strictBase64),
        hash: sha256Bytes,
      });

      assert.equal(isOne, vector.valid);
    });
  }

  test('a good one is what is made for its sizes', async () => {
    for (const { from, to, proof } of makeConsistencyProofs().filter(({ valid }) => valid)) {
      const made = await consistencyProof({ from, to, subtree: subtreeOfVectors });

      assert.deepEqual(made.map(toBase64), proof);
    }
  });
});

suite('every single-bit change of the proof of the worked example', () => {
  const bytes = utf8(PROOF_OF_BLOCK_1);
  const entry = bytesOfHex(plainChain(2)[1]!.block_hash);

  test('is refused when the policy asks for the witness', async () => {
    const policy = parsePolicy(`log ${LOG_VKEY}\nwitness w ${WITNESS_VKEY}\nquorum w\n`);
    const accepted: number[] = [];

    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      if ((await judgeBytes(flippedBit(bytes, bit), { policy, entry })) !== 'refused') {
        accepted.push(bit);
      }
    }

    assert.equal(await judgeBytes(bytes, { policy, entry }), 'met');
    assert.deepEqual(accepted, []);
  });

  test('is refused without a quorum, or does no more than make the witness an unknown one', async () => {
    const policy = parsePolicy(`log ${LOG_VKEY}\nwitness w ${WITNESS_VKEY}\nquorum none\n`);
    const witnessLine = utf8(
      PROOF_OF_BLOCK_1.slice(0, PROOF_OF_BLOCK_1.lastIndexOf('\u2014')),
    ).length;
    /** The signature begins after the key id, 4 bytes of base64 that share a character with it. */
    const signature = utf8(PROOF_OF_BLOCK_1.slice(0, PROOF_OF_BLOCK_1.lastIndexOf(' ') + 7)).length;
    const outside: number[] = [];

    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const answer = await judgeBytes(flippedBit(bytes, bit), { policy, entry });
      const at = Math.floor(bit / 8);
      if (answer !== 'refused' && (at < witnessLine || at >= signature)) outside.push(bit);
    }

    assert.deepEqual(outside, []);
  });
});

/** `refused`, or the state of the quorum of an accepted proof. */
async function judgeBytes(
  bytes: Uint8Array,
  by: { readonly policy: Policy; readonly entry: Uint8Array },
): Promise<string> {
  try {
    const { index, proof, head } = parseTlogProof(textOfUtf8(bytes));
    const verdict = await judgeCheckpoint(head, { policy: by.policy, verify: verifySignature });
    if (verdict.refused !== undefined) return 'refused';
    const leaf = leafHash(by.entry, sha256);
    // The index of the entry is known to whoever holds it.
    const isIn =
      index === 1 &&
      verifyInclusion({ index, size: head.size, leaf, proof, root: head.root, hash: sha256 });
    return isIn ? verdict.quorum.state : 'refused';
  } catch (error) {
    if (error instanceof LogError || error instanceof TypeError) return 'refused';
    throw error;
  }
}

function flippedBit(bytes: Uint8Array, bit: number): Uint8Array {
  const changed = Uint8Array.from(bytes);
  changed[Math.floor(bit / 8)]! ^= 1 << (bit % 8);
  return changed;
}

function subtreeOfVectors(level: number, index: number): Uint8Array {
  const width = 2 ** level;
  const leaves = plainChain(13)
    .slice(index * width, (index + 1) * width)
    .map((block) => leafHash(bytesOfHex(block.block_hash), sha256Bytes));
  assert.equal(leaves.length, width, 'the proof is made of complete subtrees');
  return computeRoot(appendLeaves(EMPTY_FRONTIER, leaves, sha256Bytes), sha256Bytes);
}

test('a checkpoint says origin, size and root', () => {
  const head = parseCheckpoint(CHECKPOINT);

  assert.equal(head.origin, 'example.com/hub/1');
  assert.equal(head.size, 2);
  assert.equal(
    toHex(head.root),
    '30dbb2bd373ca070f1c5b81e1f65ecfdaf21fbe705fc5b6c7938d812bdaf6621',
  );
});
