/**
 * A private key that signs notes, and its text: one line in the form of Go's notes
 * (`PRIVATE+KEY+name+id+base64(type || seed)`, golang.org/x/mod/sumdb/note).
 */
import { sign, type KeyObject } from 'node:crypto';
import {
  LOG_KEY_TYPE,
  LogError,
  WITNESS_KEY_TYPE,
  formatVkey,
  isKeyName,
  keyId,
  strictBase64,
  toBase64,
  utf8,
} from '@lothub/chain/log';
import type { KeyType } from '@lothub/chain/log';
import { SEED_BYTES, signatureVerifier, toPrivateKey, toPublicKey } from './ed25519.ts';
import type { SignatureVerifier } from './ed25519.ts';
import { NoteKeyError } from './note-key-error.ts';

const KEY_LINE = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n?$/;

/** Who signs with a key of a type, as errors name it. */
export const SIGNERS: Readonly<Record<KeyType, string>> = {
  [LOG_KEY_TYPE]: 'log',
  [WITNESS_KEY_TYPE]: 'witness',
};

/** A key that signs as the log or the witness of this name. */
export class NoteKey {
  readonly name: string;
  readonly type: KeyType;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Eight lower-case hex digits. */
  readonly keyId: string;
  readonly #seed: Uint8Array;
  readonly #private: KeyObject;
  readonly #verify: SignatureVerifier;

  /** @param key with a `seed` of 32 random bytes, the secret */
  constructor(key: { readonly name: string; readonly type: KeyType; readonly seed: Uint8Array }) {
    this.name = key.name;
    this.type = key.type;
    this.#seed = key.seed;
    this.#private = toPrivateKey(key.seed);
    this.publicKey = toPublicKey(this.#private);
    this.keyId = keyId(this);
    this.#verify = signatureVerifier(this.publicKey);
  }

  /** The public half as a text. */
  get vkey(): string {
    return formatVkey(this.name, this.publicKey, this.type);
  }

  /** As its file holds it. */
  get line(): string {
    return `PRIVATE+KEY+${this.name}+${this.keyId}+${toBase64(Uint8Array.of(this.type, ...this.#seed))}\n`;
  }

  /** Ed25519 is deterministic: every process signs the same text with the same bytes. */
  sign(text: string): Uint8Array {
    return sign(null, utf8(text), this.#private);
  }

  verifies(text: string, signature: Uint8Array): boolean {
    return this.#verify(utf8(text), signature);
  }
}

/**
 * The key of this type that a text holds.
 *
 * @param wanted with `where`, which names the place for an error
 * @throws NoteKeyError `key_malformed` when the text is no such line
 */
export function parseNoteKey(
  text: string,
  wanted: { readonly type: KeyType; readonly where: string },
): NoteKey {
  const { type, where } = wanted;
  const [, name, id, encoded] = KEY_LINE.exec(text) ?? [];
  const seed = encoded === undefined ? undefined : parseSeed(encoded, type);
  if (name !== undefined && isKeyName(name) && seed !== undefined) {
    const key = new NoteKey({ name, type, seed });
    if (key.keyId === id) return key;
  }
  throw new NoteKeyError(
    'key_malformed',
    `reading the key of the ${SIGNERS[type]} in ${where}: it is not one line of the form ` +
      'PRIVATE+KEY+name+id+base64; put the key back from your backup of secrets',
  );
}

function parseSeed(encoded: string, wanted: KeyType): Uint8Array | undefined {
  try {
    const [type, ...seed] = strictBase64(encoded);
    return type === wanted && seed.length === SEED_BYTES ? Uint8Array.from(seed) : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}
