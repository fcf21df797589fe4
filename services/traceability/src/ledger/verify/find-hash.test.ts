// Stored values that nothing commits to have no hash; no other error is hidden.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recipientCommitment } from '../decisions/recipient.ts';
import type { PrivateRecipientRow } from '../tables/private.ts';
import { findHash } from './find-hash.ts';

const recipient = { audience: 'customer', recipient: 'Anna', salt: 'a'.repeat(64) } as const;

test('a recipient whose stored value is bytes, or whose salt is none, has no hash', () => {
  const bytes = { ...recipient, recipient: Uint8Array.of(65) } as unknown as PrivateRecipientRow;

  assert.equal(
    findHash(() => recipientCommitment(bytes)),
    undefined,
  );
  assert.equal(
    findHash(() => recipientCommitment({ ...recipient, salt: 'b' })),
    undefined,
  );
  assert.match(findHash(() => recipientCommitment(recipient)) ?? '', /^[0-9a-f]{64}$/u);
});

test('an error that says nothing of stored values is thrown', () => {
  assert.throws(
    () =>
      findHash(() => {
        throw new TypeError('a defect');
      }),
    { name: 'TypeError', message: 'a defect' },
  );
});
