// A small record of the tip outside the database: a cut tail or a restored old copy does not match
// it. Written after each commit, never before, so a crash can leave it behind but not ahead.
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseError } from '@lothub/kit/database';
import type { Tip } from './draft.ts';

/** One disk sector: written in one piece, so a power cut leaves the old or the new record. */
const RECORD_BYTES = 512;
const FILE_NAME = 'tip.json';

export type TipRecordReading =
  | { readonly kind: 'absent' }
  /** What stands there is no record. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'read'; readonly tip: Tip };

export function tipRecordFile(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

/** Something else than a file stands in its place. */
const NO_FILE = new Set(['EISDIR', 'ELOOP']);

/**
 * @param readText reads a file as text, or fails with the code of the operating system
 * @throws DatabaseError `database_busy` when the system cannot read the file just now, for want of
 *   descriptors or memory, or because the disk fails: that says nothing of the record, so the caller
 *   reads it again
 */
export function readTipRecord(
  dataDir: string,
  readText: (file: string) => string = (file) => readFileSync(file, 'utf8'),
): TipRecordReading {
  let text: string;
  try {
    text = readText(tipRecordFile(dataDir));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return { kind: 'absent' };
    if (NO_FILE.has(code)) return { kind: 'unreadable' };
    throw new DatabaseError(
      'database_busy',
      `reading the tip record ${FILE_NAME}: ${code}; it is read again`,
      { cause: error },
    );
  }
  // The moment between making the file and writing it; what was there before is never truncated.
  return text === '' ? { kind: 'absent' } : readingOf(text);
}

function readingOf(text: string): TipRecordReading {
  try {
    const value: unknown = JSON.parse(text);
    if (isTip(value)) return { kind: 'read', tip: { height: value.height, hash: value.hash } };
  } catch {
    // Not JSON: the answer below says so, which is all there is to say.
    return { kind: 'unreadable' };
  }
  return { kind: 'unreadable' };
}

function isTip(value: unknown): value is Tip {
  return (
    typeof value === 'object' &&
    value !== null &&
    'height' in value &&
    typeof value.height === 'number' &&
    'hash' in value &&
    typeof value.hash === 'string'
  );
}

/** Keeps the file open and overwrites it in place; no flush, the database is what is durable. */
export class TipRecordWriter implements Disposable {
  readonly #file: string;
  #descriptor: number;

  constructor(dataDir: string) {
    this.#file = tipRecordFile(dataDir);
    this.#descriptor = openInPlace(this.#file);
  }

  write(tip: Tip): void {
    // A file that was deleted or replaced is written again under its name: a record that nobody can
    // find is none.
    if (fstatSync(this.#descriptor).nlink === 0) {
      const removed = this.#descriptor;
      // Opened first: when that fails, the number of a closed one may be another file's the next time.
      this.#descriptor = openInPlace(this.#file);
      closeSync(removed);
    }
    const text = JSON.stringify({ height: tip.height, hash: tip.hash });
    writeSync(this.#descriptor, `${text.padEnd(RECORD_BYTES - 1)}\n`, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

function openInPlace(file: string): number {
  return openSync(file, constants.O_RDWR | constants.O_CREAT);
}
