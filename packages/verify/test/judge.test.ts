// Pages that keep no checkpoints judge by other functions: of every vector they say what the whole verifier says.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { EvidenceVector } from '@lothub/chain/test/vectors/evidence-vector';
import { judgeEvidence, judgeProof, verifyEvidence, verifyProof } from '../src/index.ts';

const FILE = new URL('../../../vectors/log-evidence.json', import.meta.url);
const { vectors } = JSON.parse(readFileSync(FILE, 'utf8')) as {
  readonly vectors: readonly EvidenceVector[];
};

test('there are vectors of files and of proofs, good ones and refused ones', () => {
  const kinds = vectors.map(({ evidence }) => (evidence === undefined ? 'proof' : 'evidence'));
  assert.deepEqual([...new Set(kinds)].sort(), ['evidence', 'proof']);
  assert.ok(new Set(vectors.map(({ expect }) => expect)).size > 5);
});

for (const { name, policy, evidence: file, proof, block_hash: blockHash } of vectors) {
  test(`${name}: the same with and without what compares kept checkpoints`, async () => {
    if (file !== undefined) {
      const judged = await judgeEvidence({ file, policy });
      assert.deepEqual(judged, await verifyEvidence({ file, policy }));
      return;
    }
    assert.ok(proof !== undefined);
    const given = { proof, policy, ...(blockHash === undefined ? {} : { blockHash }) };
    assert.deepEqual(await judgeProof(given), await verifyProof(given));
  });
}
