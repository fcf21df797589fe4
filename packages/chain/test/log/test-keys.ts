/**
 * Ed25519 keys made of seeds, for vectors and tests: nobody may use them for anything else. And the
 * verifying function that Node has for such keys.
 */
import { createPrivateKey, createPublicKey, sign, verify, type KeyObject } from 'node:crypto';

import {
  checkpointBody,
  cosignatureBody,
  cosignatureLine,
  logSignatureLine,
  noteText,
  utf8,
  formatVkey,
  WITNESS_KEY_TYPE,
  type TreeHead,
  type VerifySignature,
} from '../../src/log/index.ts';

/** RFC 8410: what is before the seed of a private key, and before a public key. */
const PKCS8_OPENING = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_OPENING = Buffer.from('302a300506032b6570032100', 'hex');
const SEED_BYTES = 32;

export interface TestKey {
  readonly seed: Uint8Array;
  readonly publicKey: Uint8Array;
  readonly sign: (message: Uint8Array) => Uint8Array;
}

/** The key with the seed `first`, `first + 1`, … */
export function testKey(first: number): TestKey {
  const seed = Uint8Array.from({ length: SEED_BYTES }, (_, index) => (first + index) % 256);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_OPENING, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { seed, publicKey: rawPublicKey(key), sign: (message) => sign(null, message, key) };
}

function rawPublicKey(key: KeyObject): Uint8Array {
  const der = createPublicKey(key).export({ format: 'der', type: 'spki' });
  return new Uint8Array(der.subarray(SPKI_OPENING.length));
}

export const verifySignature: VerifySignature = ({ publicKey, message, signature }) =>
  verify(
    null,
    message,
    createPublicKey({
      key: Buffer.concat([SPKI_OPENING, publicKey]),
      format: 'der',
      type: 'spki',
    }),
    signature,
  );

/** A witness that cosigns at a time, in seconds since 1970. */
export interface TestWitness {
  readonly name: string;
  readonly key: TestKey;
  readonly time: number;
}

export function witnessVkey({ name, key }: Pick<TestWitness, 'name' | 'key'>): string {
  return formatVkey(name, key.publicKey, WITNESS_KEY_TYPE);
}

/** A checkpoint signed by its log and cosigned by witnesses. */
export function signedCheckpoint(
  head: TreeHead,
  by: { readonly log: TestKey; readonly witnesses?: readonly TestWitness[] },
): string {
  const body = checkpointBody(head);
  const logLine = logSignatureLine({
    origin: head.origin,
    publicKey: by.log.publicKey,
    signature: by.log.sign(utf8(body)),
  });
  const witnessLines = (by.witnesses ?? []).map(({ name, key, time }) =>
    cosignatureLine({
      name,
      publicKey: key.publicKey,
      time,
      signature: key.sign(utf8(cosignatureBody(time, body))),
    }),
  );
  return noteText(body, [logLine, ...witnessLines]);
}

/** A text signed as a log signs: one line for each key, under its name. */
export function signedNote(
  body: string,
  by: readonly { readonly name: string; readonly key: TestKey }[],
): string {
  const lines = by.map(({ name, key }) => {
    const { publicKey } = key;
    return logSignatureLine({ origin: name, publicKey, signature: key.sign(utf8(body)) });
  });
  return noteText(body, lines);
}
