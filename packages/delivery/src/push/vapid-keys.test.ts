// The keys of push messages have the sizes that push services and the library expect.
import assert from 'node:assert/strict';
import { createECDH } from 'node:crypto';
import { test } from 'node:test';
import { newVapidKeys } from './vapid-keys.ts';

/** Of them one in 256 begins with a zero: all but one in 10,000 runs have such a key. */
const PAIRS = 2_400;
const POINT_BYTES = 65;
const PRIVATE_KEY_BYTES = 32;

test('each pair has a whole point and a whole private key, also one that begins with a zero', () => {
  const sizes = new Set<string>();

  for (let made = 0; made < PAIRS; made += 1) {
    const { publicKey, privateKey } = newVapidKeys();
    sizes.add(`${bytesIn(publicKey)} ${bytesIn(privateKey)}`);
  }

  assert.deepEqual([...sizes], [`${POINT_BYTES} ${PRIVATE_KEY_BYTES}`]);
});

test('the public key is that of the private key', () => {
  const { publicKey, privateKey } = newVapidKeys();

  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey, 'base64url');

  assert.equal(pair.getPublicKey('base64url'), publicKey);
});

function bytesIn(text: string): number {
  return Buffer.from(text, 'base64url').length;
}
