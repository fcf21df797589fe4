/** The file of a private key: made whole or not at all, readable by its owner alone. */
import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { KeyType } from '@lothub/chain/log';
import { SEED_BYTES } from './ed25519.ts';
import { NoteKeyError, type NoteKeyErrorCode } from './note-key-error.ts';
import { NoteKey, SIGNERS, parseNoteKey } from './note-key.ts';

/** Readable by its owner alone. */
const KEY_FILE_MODE = 0o600;
/** Random bytes in the name that a file has until it is whole. */
const UNNAMED_BYTES = 8;

/**
 * @returns undefined when there is no file
 * @throws NoteKeyError when it cannot be read, or holds no key of this type
 */
export function readNoteKey(file: string, type: KeyType): NoteKey | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (readErrorCode(error) === 'ENOENT') return undefined;
    throw failed('key_unreadable', `reading the key of the ${SIGNERS[type]}`, error);
  }
  return parseNoteKey(text, { type, where: file });
}

/**
 * Makes a key and its file. Of several processes that do so at once, all get the key of the first.
 *
 * @throws NoteKeyError when the file cannot be written, or exists and holds no key of this type
 */
export function makeNoteKey(
  file: string,
  { name, type }: { readonly name: string; readonly type: KeyType },
): NoteKey {
  const key = new NoteKey({ name, type, seed: randomBytes(SEED_BYTES) });
  // Whole and on disk before it has its name: nobody ever finds a half of one.
  const unnamed = `${file}.${randomBytes(UNNAMED_BYTES).toString('hex')}`;
  try {
    writeFileSync(unnamed, key.line, { mode: KEY_FILE_MODE, flag: 'wx', flush: true });
    linkSync(unnamed, file);
    return key;
  } catch (error) {
    const other = readErrorCode(error) === 'EEXIST' ? readNoteKey(file, type) : undefined;
    if (other !== undefined) return other;
    throw failed('key_unwritable', `making the key of the ${SIGNERS[type]}`, error);
  } finally {
    rmSync(unnamed, { force: true });
  }
}

function readErrorCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}

function failed(code: NoteKeyErrorCode, attempted: string, error: unknown): NoteKeyError {
  const reason = error instanceof Error ? error.message : String(error);
  return new NoteKeyError(code, `${attempted}: ${reason}`, { cause: error });
}
