// Confidential steps of recalls that a file discloses: opened where all parts are there, refused otherwise.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseBlock, sha256Hex, type JsonObject } from '@lothub/chain';
import { disclosedRecall } from '@lothub/chain/test/vectors/disclosed-recall';
import type { ProvenText } from '../src/blocks.ts';
import { judgeRecallDisclosures } from '../src/recall-disclosures.ts';
import { Refusal } from '../src/verdict.ts';

function listProven(blocks: ReturnType<typeof disclosedRecall>): readonly ProvenText[] {
  return blocks.map(({ height, block_hash: blockHash, canonical }) => ({
    index: height,
    blockHash,
    contents: 'judged' as const,
    canonical,
    block: parseBlock(canonical),
    recordedAt: undefined,
  }));
}

test('confidential steps that are disclosed as they were sealed are counted', () => {
  assert.equal(judgeRecallDisclosures(listProven(disclosedRecall()), sha256Hex), 2);
});

test('a step of which the file lacks a block is not judged', () => {
  const blocks = listProven(disclosedRecall()).filter(({ index }) => index !== 6);

  assert.equal(judgeRecallDisclosures(blocks, sha256Hex), 1);
});

test('a disclosure that says otherwise than was sealed is refused', () => {
  const blocks = disclosedRecall((all) =>
    all.with(0, {
      ...all[0],
      contents: { ...(all[0]?.['contents'] as JsonObject), title: 'Nothing at all' },
    }),
  );

  assert.throws(
    () => judgeRecallDisclosures(listProven(blocks), sha256Hex),
    (error) => error instanceof Refusal && error.message.endsWith('(disclosure_mismatch)'),
  );
});
