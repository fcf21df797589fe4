// A small record of the tip outside the database: a cut tail or a restored old copy does not match
// it. Written after each commit, never before, so a crash can leave it behind but not ahead.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Tip } from './draft.ts';

/** One disk sector: written in one piece, so a power cut leaves the old or the new record. */
const RECORD_BYTES = 512;
const FILE_NAME = 'tip.json';

export type TipRecordReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable' }
  | { readonly kind: 'read'; readonly tip: Tip };

export function tipRecordFile(dataDir: string): string {
  return join(dataDir, FILE_NAME);
}

export function readTipRecord(dataDir: string): TipRecordReading {
  const file = tipRecordFile(dataDir);
  if (!existsSync(file)) return { kind: 'absent' };
  try {
    const text = readFileSync(file, 'utf8');
    // The moment between making the file and writing it; what was there before is never truncated.
    if (text === '') return { kind: 'absent' };
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
      closeSync(this.#descriptor);
      this.#descriptor = openInPlace(this.#file);
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
