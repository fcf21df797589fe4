// The pair of keys by which push services know a sender (RFC 8292). Browsers subscribe with the public one: with
// another pair every subscription is worth nothing, so it is made once and kept.
import { createECDH } from 'node:crypto';

/** P-256 (RFC 8292, section 3). */
const CURVE = 'prime256v1';
const PRIVATE_KEY_BYTES = 32;

export interface VapidKeys {
  /** base64url of the point, as `pushManager.subscribe` takes it. */
  readonly publicKey: string;
  /** base64url. */
  readonly privateKey: string;
}

/** Uses Node alone: a first start makes two pairs, and the library of push messages has 44 modules. */
export function newVapidKeys(): VapidKeys {
  const pair = createECDH(CURVE);
  const publicKey = pair.generateKeys('base64url');
  return { publicKey, privateKey: wholeKey(pair.getPrivateKey()).toString('base64url') };
}

/** Node leaves out the zeros that a private key begins with; the library expects all bytes. */
function wholeKey(key: Buffer): Buffer {
  return Buffer.concat([Buffer.alloc(PRIVATE_KEY_BYTES - key.length), key]);
}
