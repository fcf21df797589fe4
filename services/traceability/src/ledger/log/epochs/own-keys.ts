// The private keys that this process has: the one of LOG_KEY or LOG_KEY_FILE, and beside its file the one
// that comes next, while a key is replaced or a new epoch begins.
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseError } from '@lothub/kit/database';
import type { NoteKey } from '@lothub/note-key';
import { makeLogKey, parseLogKey, readLogKey } from '../log-key.ts';

/** The places of the keys: `LOG_KEY`, which contains one, and `LOG_KEY_FILE`. */
export interface KeyPlaces {
  readonly key: string | undefined;
  readonly keyFile: string;
}

/** The file of the key that comes next. */
export function nextKeyFile(keyFile: string): string {
  return `${keyFile}.next`;
}

/** @throws DatabaseError when one is there and is no key */
export function readOwnKeys(places: KeyPlaces): readonly NoteKey[] {
  const next = readLogKey(nextKeyFile(places.keyFile));
  return [readPlacedKey(places), next].filter((one) => one !== undefined);
}

/** Reads the current key, without the next one. @throws DatabaseError when it is no key */
export function readPlacedKey({ key, keyFile }: KeyPlaces): NoteKey | undefined {
  return key === undefined ? readLogKey(keyFile) : parseLogKey(key, 'LOG_KEY');
}

/** Returns the keys that sign, in the order of `vkeys`. */
export function pickKeys(keys: readonly NoteKey[], vkeys: readonly string[]): readonly NoteKey[] {
  return vkeys.flatMap((vkey) => keys.find((key) => key.vkey === vkey) ?? []);
}

/**
 * Returns the next key. Makes it if there is none: an interrupted run may have left one, which has
 * signed nothing.
 *
 * @param known vkeys that sign or have signed: a file that holds one of them is in use
 * @throws DatabaseError when it is, or cannot be written
 */
export function makeNextKey(
  keyFile: string,
  { name, known }: { readonly name: string; readonly known: readonly string[] },
): NoteKey {
  const file = nextKeyFile(keyFile);
  const found = readLogKey(file);
  if (found !== undefined && known.includes(found.vkey)) {
    throw new DatabaseError(
      'database_failed',
      `making the next key of the log: ${file} holds a key that signs already; put its line into LOG_KEY ` +
        'in the place of the old one, or give it the name of LOG_KEY_FILE and take LOG_KEY away',
    );
  }
  if (found?.name === name) return found;
  if (found !== undefined) rmSync(file);
  const key = makeLogKey(file, name);
  syncFolder(file);
  return key;
}

/**
 * Replaces a key that signs no more by the next key; the old key is deleted by that. A start calls
 * it, too: a crash after the change of the database leaves the replacement to the next start.
 *
 * @param vkeys those that sign
 * @returns whether it replaced the key
 * @throws DatabaseError when the file cannot be renamed
 */
export function settleNextKey({ key, keyFile }: KeyPlaces, vkeys: readonly string[]): boolean {
  // The key of a setting is not ours to replace, and its file is not read.
  if (key !== undefined) return false;
  const next = readLogKey(nextKeyFile(keyFile));
  if (next === undefined || !vkeys.includes(next.vkey)) return false;
  const current = readLogKey(keyFile);
  if (current !== undefined && vkeys.includes(current.vkey)) return false;
  try {
    renameSync(nextKeyFile(keyFile), keyFile);
    syncFolder(keyFile);
    return true;
  } catch (error) {
    // Another process that has the same files was first.
    const isDone = readLogKey(keyFile)?.vkey === next.vkey;
    if (isDone) return false;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseError('database_failed', `replacing the key of the log: ${reason}`, {
      cause: error,
    });
  }
}

/** A name in a folder is on disk only when the folder is. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
