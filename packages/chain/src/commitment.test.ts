// Commitments: what is hashed, and which disclosures are refused. The vectors hold the hashes.
import assert from 'node:assert/strict';
import { suite, test } from 'node:test';

import { ChainError, computeCommitment, sha256Hex } from './index.ts';

const SALT = '0123456789abcdef'.repeat(4);

test('a commitment is the hash of the canonical text of the values and the salt', () => {
  const commitment = computeCommitment(
    { values: { customer_ref: 'C-1', channel: 'webshop' }, salt: SALT },
    sha256Hex,
  );

  assert.equal(
    commitment,
    sha256Hex(`{"channel":"webshop","customer_ref":"C-1","salt":"${SALT}"}`),
  );
});

suite('a salt that is not 64 lower-case hex digits is refused', () => {
  for (const salt of ['', 'ab', SALT.toUpperCase(), `${SALT}\n`]) {
    test(JSON.stringify(salt), () => {
      assert.throws(
        () => computeCommitment({ values: { customer_ref: 'C-1' }, salt }, sha256Hex),
        (error) => error instanceof ChainError && error.code === 'salt_invalid',
      );
    });
  }
});

test('a value named salt is refused, because it would replace the salt', () => {
  assert.throws(
    () => computeCommitment({ values: { salt: 'x' }, salt: SALT }, sha256Hex),
    (error) => error instanceof ChainError && error.code === 'salt_invalid',
  );
});
