// Reads the parts of a workbook, which is a ZIP file. It counts bytes while it unpacks: a file of a
// few kilobytes can claim little and unpack to terabytes.
import type { Readable } from 'node:stream';
import type { Entry, ZipFile } from 'yauzl';
import { noWorkbook } from './refusal.ts';

/** Bytes of all parts together: 500 MiB. */
export const UNPACKED_BYTES_MAX = 524_288_000;
/** A workbook has some tens; each takes memory while the file is open. */
const PARTS_MAX = 10_000;

export class ZipParts implements Disposable {
  readonly #zip: ZipFile;
  /**
   * The parts by their names in small letters, because names of parts have no case (ECMA-376 part
   * 2, 6.2.2).
   */
  readonly #entries: ReadonlyMap<string, Entry>;
  #unpackedBytes = 0;

  private constructor(zip: ZipFile, entries: ReadonlyMap<string, Entry>) {
    this.#zip = zip;
    this.#entries = entries;
  }

  /** @throws UnreadableFile when it is no ZIP file, or too large */
  static async open(file: string): Promise<ZipParts> {
    let zip: ZipFile | undefined;
    try {
      const { openPromise } = await import('yauzl');
      zip = await openPromise(file, { lazyEntries: true, autoClose: false });
      if (zip.entryCount > PARTS_MAX) throw noWorkbook('The workbook has too many parts');
      return new ZipParts(zip, await readEntries(zip));
    } catch (error) {
      zip?.close();
      throw asRefusal(error);
    }
  }

  has(name: string): boolean {
    return this.#entries.has(name.toLowerCase());
  }

  /** The bytes of a part. @throws UnreadableFile when it is not there, broken or too large */
  async *read(name: string): AsyncGenerator<Buffer> {
    const entry = this.#entries.get(name.toLowerCase());
    if (entry === undefined) throw noWorkbook('The workbook lacks a part that it refers to');
    if (entry.isEncrypted()) throw noWorkbook('The workbook is locked: save it without a password');
    let stream: Readable | undefined;
    try {
      stream = await this.#zip.openReadStreamPromise(entry);
      for await (const chunk of stream as AsyncIterable<Buffer>) {
        this.#unpackedBytes += chunk.length;
        if (this.#unpackedBytes > UNPACKED_BYTES_MAX) throw tooLarge();
        yield chunk;
      }
    } catch (error) {
      throw asRefusal(error);
    } finally {
      stream?.destroy();
    }
  }

  [Symbol.dispose](): void {
    this.#zip.close();
  }
}

async function readEntries(zip: ZipFile): Promise<ReadonlyMap<string, Entry>> {
  const entries = new Map<string, Entry>();
  let claimedBytes = 0;
  for await (const entry of zip.eachEntry()) {
    const name = entry.fileName.toLowerCase();
    if (entries.has(name)) throw noWorkbook('The workbook has a part twice');
    entries.set(name, entry);
    claimedBytes += entry.uncompressedSize;
    if (claimedBytes > UNPACKED_BYTES_MAX) throw tooLarge();
  }
  return entries;
}

function tooLarge(): Error {
  return noWorkbook(`The workbook unpacks to more than ${UNPACKED_BYTES_MAX} bytes`);
}

/** Errors of the disk stay unchanged; errors of the ZIP reader are faults of the file. */
function asRefusal(error: unknown): unknown {
  if (!(error instanceof Error) || 'syscall' in error) return error;
  if ('code' in error && error.code === 'csv_unreadable') return error;
  return noWorkbook('The workbook is broken: its ZIP file cannot be read');
}
