// A small file that is overwritten in place: what was said last, kept beside a database so that a cut or
// older one is noticed. No flush: the database is what is durable.
import { closeSync, constants, fstatSync, openSync, readFileSync, writeSync } from 'node:fs';
import { basename } from 'node:path';
import { DatabaseError } from './database.ts';

/** One disk sector: written in one piece, so a power cut leaves the old or the new record. */
const RECORD_BYTES = 512;

/** There is something else than a file at its path. */
const NO_FILE = new Set(['EISDIR', 'ELOOP']);

export type RecordReading<Value> =
  | { readonly kind: 'absent' }
  /** The content of the file is no record. */
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'read'; readonly value: Value };

/**
 * @param parseValue undefined of a JSON value that is no record
 * @param readText reads a file as text, or fails with the code of the operating system
 * @throws DatabaseError `database_busy` when the system cannot read the file just now, for want of
 *   descriptors or memory, or because the disk fails: that says nothing of the record, so the caller
 *   reads it again
 */
export function readRecord<Value>(
  file: string,
  parseValue: (json: unknown) => Value | undefined,
  readText: (file: string) => string = (path) => readFileSync(path, 'utf8'),
): RecordReading<Value> {
  let text: string;
  try {
    text = readText(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT') return { kind: 'absent' };
    if (NO_FILE.has(code)) return { kind: 'unreadable' };
    throw new DatabaseError(
      'database_busy',
      `reading the record ${basename(file)}: ${code}; it is read again`,
      { cause: error },
    );
  }
  // The moment between making the file and writing it; what was there before is never truncated.
  if (text === '') return { kind: 'absent' };
  try {
    const value = parseValue(JSON.parse(text));
    return value === undefined ? { kind: 'unreadable' } : { kind: 'read', value };
  } catch {
    // Not JSON: the answer says so, which is all there is to say.
    return { kind: 'unreadable' };
  }
}

/** Readings until two agree; the writer overwrites the record in place while it is read. */
const READINGS_MAX = 10;

/** A reading that was seen twice, so that it is no mixture of an old and a new record. */
export function readStable<Value>(
  read: () => RecordReading<Value>,
): RecordReading<Value> | undefined {
  let before = read();
  for (let readings = 1; readings < READINGS_MAX; readings += 1) {
    const now = read();
    if (JSON.stringify(now) === JSON.stringify(before)) return now;
    before = now;
  }
  return undefined;
}

/** Keeps the file open and overwrites it in place. */
export class RecordFile implements Disposable {
  readonly #file: string;
  #descriptor: number;

  /** Makes the file, empty, when it is not there. */
  constructor(file: string) {
    this.#file = file;
    this.#descriptor = openInPlace(file);
  }

  /** @param value of which JSON takes less than 512 bytes */
  write(value: object): void {
    // A file that was deleted or replaced is written again under its name, because a record without
    // a name cannot be found.
    if (fstatSync(this.#descriptor).nlink === 0) {
      const removed = this.#descriptor;
      // Opened first: when that fails, the number of a closed one may be another file's the next time.
      this.#descriptor = openInPlace(this.#file);
      closeSync(removed);
    }
    writeSync(this.#descriptor, `${JSON.stringify(value).padEnd(RECORD_BYTES - 1)}\n`, 0);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

function openInPlace(file: string): number {
  return openSync(file, constants.O_RDWR | constants.O_CREAT);
}
