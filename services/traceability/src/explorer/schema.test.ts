// The examples in the description of the explorer verify as a reader would try them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '@lothub/kit/secrets/hash';
import { countTransactions, parsePayload, summarizePayload } from '../ledger/record/payload.ts';
import { BlockDetailSchema } from './schema.ts';

interface Example {
  readonly height: number;
  readonly canonical: string;
  readonly block_hash: string;
  readonly prev_hash: string;
  readonly summary: string;
  readonly tx_count: number;
  readonly transactions: readonly object[];
  readonly corrected_by: readonly object[];
  readonly corrects_height?: number;
  readonly corrects_hash?: string;
  readonly changes?: readonly object[];
}

const { examples } = BlockDetailSchema as unknown as { examples: readonly Example[] };

for (const example of examples) {
  const payload = parsePayload(example.canonical);

  test(`the example of an ${payload.type} hashes to its hash and carries its link`, () => {
    assert.equal(sha256Hex(example.canonical), example.block_hash);
    assert.ok(example.canonical.endsWith(`"prev_hash":"${example.prev_hash}"}`));
  });

  test(`the example of an ${payload.type} has the summary and transactions of its text`, () => {
    assert.equal(example.summary, summarizePayload(payload));
    assert.equal(example.tx_count, countTransactions(payload));
    assert.equal(example.transactions.length, countTransactions(payload));
  });
}

test('the example of a correction corrects the example before it, as its text says', () => {
  const [event, correction] = examples;
  const payload = parsePayload(correction!.canonical);
  assert.ok(payload.type === 'correction');

  assert.deepEqual(
    [correction!.corrects_height, correction!.corrects_hash],
    [payload.correction.corrects_block_height, payload.correction.corrects_block_hash],
  );
  assert.equal(correction!.corrects_hash, event!.block_hash);
  assert.deepEqual(correction!.changes, payload.correction.changes);
  assert.deepEqual(event!.corrected_by, [
    { height: correction!.height, block_hash: correction!.block_hash },
  ]);
});
