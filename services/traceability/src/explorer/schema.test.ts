// The examples in the description of the explorer verify as a reader would try them.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256Hex } from '@lothub/kit/hash';
import { payloadOf, summaryOf, txCountOf } from '../ledger/payload.ts';
import { BlockDetailSchema } from './schema.ts';

interface Example {
  readonly canonical: string;
  readonly block_hash: string;
  readonly prev_hash: string;
  readonly summary: string;
  readonly tx_count: number;
  readonly transactions: readonly object[];
}

const [example] = (BlockDetailSchema as unknown as { examples: [Example] }).examples;

test('the example block hashes to its hash and carries its link', () => {
  assert.equal(sha256Hex(example.canonical), example.block_hash);
  assert.ok(example.canonical.endsWith(`"prev_hash":"${example.prev_hash}"}`));
});

test('the example block has the summary and the transactions of its text', () => {
  const payload = payloadOf(example.canonical);

  assert.equal(example.summary, summaryOf(payload));
  assert.equal(example.tx_count, txCountOf(payload));
  assert.equal(example.transactions.length, txCountOf(payload));
});
