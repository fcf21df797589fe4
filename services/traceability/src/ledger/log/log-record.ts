// The head that this process signed last, kept beside the database like the record of the tip: a
// tree that contradicts it is not signed. It is written after the commit, and before the signature
// leaves this process.
import { join } from 'node:path';
import { HASH_BYTES, LogError, strictBase64, toBase64, type TreeHead } from '@lothub/chain/log';
import { RecordFile, readRecord, readStable, type RecordReading } from '@lothub/kit/record-file';

export type LogRecordReading = RecordReading<TreeHead>;

export function logRecordFile(dataDir: string): string {
  return join(dataDir, 'log.json');
}

/**
 * @returns undefined while the record is being written: read it again
 * @throws DatabaseError as `readRecord`
 */
export function readLogRecord(dataDir: string): LogRecordReading | undefined {
  return readStable(() => readLogRecordFile(logRecordFile(dataDir)));
}

/** Reads the record of another machine from a file. @throws DatabaseError as `readRecord` */
export function readLogRecordFile(file: string): LogRecordReading {
  return readRecord(file, toTreeHead);
}

function toTreeHead(json: unknown): TreeHead | undefined {
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
  const root = decodeRoot(json.root as string);
  return root && { origin: json.origin as string, size: json.size as number, root };
}

function decodeRoot(text: string): Uint8Array | undefined {
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
    this.#file.write({ origin, size, root: toBase64(root) });
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
