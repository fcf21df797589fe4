// The head that this process signed last, kept beside the database as the record of the tip is: what
// contradicts it is not signed. Written after the commit and before the signature is told to anybody.
import { join } from 'node:path';
import { HASH_BYTES, LogError, base64Of, strictBase64 } from '@lothub/chain/log';
import type { TreeHead } from '@lothub/chain/log';
import { RecordFile, readRecord, readStable } from '@lothub/kit/record-file';
import type { RecordReading } from '@lothub/kit/record-file';

export interface LogRecord extends TreeHead {
  /**
   * An operator has accepted a chain that does not hold this tree. It is compared no more, and nothing
   * is signed unless the blocks come back.
   */
  readonly isGivenUp: boolean;
}

export type LogRecordReading = RecordReading<LogRecord>;

export function logRecordFile(dataDir: string): string {
  return join(dataDir, 'log.json');
}

/**
 * @returns undefined while the record is being written: read it again
 * @throws DatabaseError as `readRecord`
 */
export function readLogRecord(dataDir: string): LogRecordReading | undefined {
  return readStable(() => readRecord(logRecordFile(dataDir), recordOf));
}

function recordOf(json: unknown): LogRecord | undefined {
  const isHead =
    typeof json === 'object' &&
    json !== null &&
    'origin' in json &&
    typeof json.origin === 'string' &&
    'size' in json &&
    Number.isSafeInteger(json.size) &&
    'root' in json &&
    typeof json.root === 'string';
  if (!isHead) return undefined;
  const root = rootOf(json.root as string);
  const isGivenUp = 'given_up' in json && json.given_up === true;
  return root && { origin: json.origin as string, size: json.size as number, root, isGivenUp };
}

function rootOf(text: string): Uint8Array | undefined {
  try {
    const root = strictBase64(text);
    return root.length === HASH_BYTES ? root : undefined;
  } catch (error) {
    if (error instanceof LogError) return undefined;
    throw error;
  }
}

export class LogRecordWriter implements Disposable {
  readonly #file: RecordFile;

  constructor(dataDir: string) {
    this.#file = new RecordFile(logRecordFile(dataDir));
  }

  write({ origin, size, root }: TreeHead): void {
    this.#file.write({ origin, size, root: base64Of(root) });
  }

  /** For an operator who accepts a chain without what was signed. */
  giveUp({ origin, size, root }: TreeHead): void {
    this.#file.write({ origin, size, root: base64Of(root), given_up: true });
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
