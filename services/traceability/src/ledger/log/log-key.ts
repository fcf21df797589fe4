// The private key of the log: a file of one line, in the form of Go's notes
// (`PRIVATE+KEY+name+id+base64`, golang.org/x/mod/sumdb/note), or the same line as a setting.
import { createPrivateKey, createPublicKey, randomBytes, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  LOG_KEY_TYPE,
  LogError,
  base64Of,
  isKeyName,
  keyId,
  strictBase64,
  vkeyOf,
} from '@lothub/chain/log';
import { DatabaseError } from '@lothub/kit/database';

const SEED_BYTES = 32;
const KEY_LINE = /^PRIVATE\+KEY\+([^+]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)\n?$/;
/** What stands in front of the seed in PKCS #8, and of the public key in SPKI (RFC 8410, section 7). */
const PKCS8_HEAD = Uint8Array.fromHex('302e020100300506032b657004220420');
const SPKI_HEAD_BYTES = 12;
/** Readable by its owner alone. */
const KEY_FILE_MODE = 0o600;

/** A key that signs as the log of this name. */
export class LogKey {
  readonly name: string;
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly #seed: Uint8Array;
  readonly #private: KeyObject;
  readonly #public: KeyObject;

  constructor(name: string, seed: Uint8Array) {
    this.name = name;
    this.#seed = seed;
    this.#private = createPrivateKey({
      key: Buffer.concat([PKCS8_HEAD, seed]),
      format: 'der',
      type: 'pkcs8',
    });
    this.#public = createPublicKey(this.#private);
    const spki = this.#public.export({ format: 'der', type: 'spki' });
    this.publicKey = Uint8Array.from(spki.subarray(SPKI_HEAD_BYTES));
  }

  get vkey(): string {
    return vkeyOf(this.name, this.publicKey);
  }

  /** As its file holds it. */
  get line(): string {
    const id = keyId({ name: this.name, type: LOG_KEY_TYPE, publicKey: this.publicKey });
    return `PRIVATE+KEY+${this.name}+${id}+${base64Of(Uint8Array.of(LOG_KEY_TYPE, ...this.#seed))}\n`;
  }

  /** Ed25519 is deterministic: every process signs the same head with the same bytes. */
  sign(text: string): Uint8Array {
    return sign(null, Buffer.from(text), this.#private);
  }

  verifies(text: string, signature: Uint8Array): boolean {
    return verify(null, Buffer.from(text), this.#public, signature);
  }
}

export function logKeyFile(dataDir: string): string {
  return join(dataDir, 'log.key');
}

/**
 * @param where names the place for an error; never the text
 * @throws DatabaseError when the text is no such line
 */
export function parseLogKey(text: string, where: string): LogKey {
  const [, name, id, encoded] = KEY_LINE.exec(text) ?? [];
  const refused = (): DatabaseError =>
    new DatabaseError(
      'database_failed',
      `reading the key of the log in ${where}: it is not one line of the form ` +
        'PRIVATE+KEY+name+id+base64; put the key back from your backup of secrets',
    );
  if (name === undefined || id === undefined || encoded === undefined || !isKeyName(name)) {
    throw refused();
  }
  const seed = seedOf(encoded);
  if (seed === undefined) throw refused();
  const key = new LogKey(name, seed);
  if (keyId({ name, type: LOG_KEY_TYPE, publicKey: key.publicKey }) !== id) throw refused();
  return key;
}

function seedOf(encoded: string): Uint8Array | undefined {
  try {
    const [type, ...seed] = strictBase64(encoded);
    return type === LOG_KEY_TYPE && seed.length === SEED_BYTES ? Uint8Array.from(seed) : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

/** @returns undefined when there is no file; @throws DatabaseError when it is none that can be read */
export function readLogKey(file: string): LogKey | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw failed('reading the key of the log', error);
  }
  return parseLogKey(text, file);
}

/** Makes a key and its file; of several processes that do so at once, all get the one that was first. */
export function makeLogKey(file: string, name: string): LogKey {
  const key = new LogKey(name, randomBytes(SEED_BYTES));
  // Whole and on disk before it has its name: nobody ever finds a half of one.
  const unnamed = `${file}.${randomBytes(8).toString('hex')}`;
  try {
    writeFileSync(unnamed, key.line, { mode: KEY_FILE_MODE, flag: 'wx', flush: true });
    linkSync(unnamed, file);
    return key;
  } catch (error) {
    const other = codeOf(error) === 'EEXIST' ? readLogKey(file) : undefined;
    if (other === undefined) throw failed('making the key of the log', error);
    return other;
  } finally {
    rmSync(unnamed, { force: true });
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

function failed(attempted: string, error: unknown): DatabaseError {
  const reason = error instanceof Error ? error.message : String(error);
  return new DatabaseError('database_failed', `${attempted}: ${reason}`, { cause: error });
}
