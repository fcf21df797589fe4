/** Ed25519 with keys as raw bytes, which Node wraps in PKCS #8 and SPKI (RFC 8410, section 7). */
import { createPrivateKey, createPublicKey, verify, type KeyObject } from 'node:crypto';

/** Bytes of the secret that a private key is made of. */
export const SEED_BYTES = 32;
/** The bytes before the seed in PKCS #8, and before the public key in SPKI. */
const PKCS8_HEAD = Uint8Array.fromHex('302e020100300506032b657004220420');
const SPKI_HEAD = Uint8Array.fromHex('302a300506032b6570032100');

/** Whether the key that it was made of signed the message. */
export type SignatureVerifier = (message: Uint8Array, signature: Uint8Array) => boolean;

/** A verifier of one public key of 32 bytes; make it once for a key that signs often. */
export function signatureVerifier(publicKey: Uint8Array): SignatureVerifier {
  const spki = Buffer.concat([SPKI_HEAD, publicKey]);
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' });
  return (message, signature) => verify(null, message, key, signature);
}

/** The private key of a seed. */
export function toPrivateKey(seed: Uint8Array): KeyObject {
  return createPrivateKey({
    key: Buffer.concat([PKCS8_HEAD, seed]),
    format: 'der',
    type: 'pkcs8',
  });
}

/** The 32 bytes of a private key's public half. */
export function toPublicKey(privateKey: KeyObject): Uint8Array {
  const spki = createPublicKey(privateKey).export({ format: 'der', type: 'spki' });
  return Uint8Array.from(spki.subarray(SPKI_HEAD.length));
}
