// A small record of the tip outside the database: a cut tail or a restored old copy does not match
// it. Written after each commit, never before, so a crash can leave it behind but not ahead.
import { join } from 'node:path';
import type { Tip } from './draft.ts';
import { RecordFile, readRecord, type RecordReading } from '@lothub/kit/record-file';

export type TipRecordReading = RecordReading<Tip>;

export function tipRecordFile(dataDir: string): string {
  return join(dataDir, 'tip.json');
}

/** @throws DatabaseError as `readRecord` */
export function readTipRecord(
  dataDir: string,
  readText?: (file: string) => string,
): TipRecordReading {
  return readRecord(tipRecordFile(dataDir), toTip, readText);
}

function toTip(json: unknown): Tip | undefined {
  const isTip =
    typeof json === 'object' &&
    json !== null &&
    'height' in json &&
    typeof json.height === 'number' &&
    'hash' in json &&
    typeof json.hash === 'string';
  return isTip ? { height: json.height as number, hash: json.hash as string } : undefined;
}

export class TipRecordWriter implements Disposable {
  readonly #file: RecordFile;

  constructor(dataDir: string) {
    this.#file = new RecordFile(tipRecordFile(dataDir));
  }

  write({ height, hash }: Tip): void {
    this.#file.write({ height, hash });
  }

  [Symbol.dispose](): void {
    this.#file[Symbol.dispose]();
  }
}
