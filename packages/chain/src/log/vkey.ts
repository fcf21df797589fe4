/** Verifier keys (c2sp.org/signed-note, "Verifier keys"): the texts by which people give keys on. */
import { sha256 } from '../sha256.ts';
import { concatBytes, strictBase64, toBase64, toHex, utf8 } from './bytes.ts';
import { LogError } from './log-error.ts';

/** Ed25519 over the text of a note: what a log signs with. */
export const LOG_KEY_TYPE = 0x01;
/** Ed25519 over a time and a checkpoint: what a witness signs with (c2sp.org/tlog-cosignature). */
export const WITNESS_KEY_TYPE = 0x04;
/** Bytes of an Ed25519 public key. */
export const PUBLIC_KEY_BYTES = 32;
/** Bytes of a key id. */
export const KEY_ID_BYTES = 4;
/** Longest name of a key in bytes (c2sp.org/tlog-cosignature: `<1..2^8-1>`). */
export const KEY_NAME_BYTES_MAX = 255;

export type KeyType = typeof LOG_KEY_TYPE | typeof WITNESS_KEY_TYPE;

/** An Ed25519 key that signatures of notes are judged by. */
export interface VerifierKey {
  readonly name: string;
  readonly type: KeyType;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
}

const NOT_IN_NAMES = /[\p{White_Space}\p{Cc}+]/u;
const VKEY = /^([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/;

/** The key id as eight hex digits: the beginning of SHA-256(name || 0x0A || type || public key). */
export function keyId(key: {
  readonly name: string;
  readonly type: KeyType;
  readonly publicKey: Uint8Array;
}): string {
  const message = concatBytes(utf8(`${key.name}\n`), Uint8Array.of(key.type), key.publicKey);
  return toHex(sha256(message).subarray(0, KEY_ID_BYTES));
}

/** Whether a text can name a key: not empty, at most 255 bytes, no white space, no plus. */
export function isKeyName(name: string): boolean {
  return (
    name !== '' &&
    name.isWellFormed() &&
    !NOT_IN_NAMES.test(name) &&
    utf8(name).length <= KEY_NAME_BYTES_MAX
  );
}

/**
 * The verifier key of an Ed25519 public key of 32 bytes, as a text.
 *
 * @throws {LogError} `vkey_invalid` when the name or the key cannot be part of one
 */
export function formatVkey(
  name: string,
  publicKey: Uint8Array,
  type: KeyType = LOG_KEY_TYPE,
): string {
  if (!isKeyName(name) || publicKey.length !== PUBLIC_KEY_BYTES) {
    throw new LogError(
      'vkey_invalid',
      'A verifier key needs a name of 1 to 255 bytes without white space and plus, and a public key of 32 bytes.',
    );
  }
  const encoded = toBase64(concatBytes(Uint8Array.of(type), publicKey));
  return `${name}+${keyId({ name, type, publicKey })}+${encoded}`;
}

/**
 * The key that a text holds.
 *
 * @throws {LogError} `vkey_invalid` when it is not a verifier key of a type known here
 */
export function parseVkey(text: string): VerifierKey {
  const [, name, id, encoded] = VKEY.exec(text) ?? [];
  if (name === undefined || id === undefined || encoded === undefined || !isKeyName(name)) {
    throw new LogError('vkey_invalid', 'A verifier key has the form name+8 hex digits+base64.');
  }
  const [type, ...key] = strictBase64(encoded);
  const publicKey = Uint8Array.from(key);
  if (!isKeyType(type) || publicKey.length !== PUBLIC_KEY_BYTES) {
    throw new LogError(
      'vkey_invalid',
      'A verifier key must be an Ed25519 key of the type 0x01 (log) or 0x04 (witness).',
    );
  }
  const key32 = { name, type, publicKey };
  if (keyId(key32) !== id) {
    throw new LogError('vkey_invalid', 'The id in a verifier key does not belong to its key.');
  }
  return { ...key32, keyId: id };
}

function isKeyType(type: number | undefined): type is KeyType {
  return type === LOG_KEY_TYPE || type === WITNESS_KEY_TYPE;
}
