// Streams the rows of a CSV file: strict UTF-8, strict quoting, a limit for every row. Memory does
// not grow with the file.
import { isAscii, isUtf8 } from 'node:buffer';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { HEADER_ROW, findDelimiter, readHeader } from './columns.ts';
import type { Header } from './columns.ts';
import { RowSplitter } from './row-splitter.ts';
import { UnreadableFile } from './row-error.ts';

/** Bytes read at once: about 200 events of two rows, 3 ms of work between two turns. */
const CHUNK_BYTES = 65_536;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
/** Begins a ZIP file, as which spreadsheet programs save a workbook. */
const ZIP_SIGNATURE = Buffer.from([0x50, 0x4b, 0x03, 0x04]);
const NEWLINE = 0x0a;
/** Bytes of the longest UTF-8 sequence. */
const SEQUENCE_BYTES_MAX = 4;

export interface RowReceiver {
  /** Called once, before the first row. */
  readonly header: (header: Header) => void;
  /** Called with every row that is not blank; `row` as a spreadsheet numbers it. */
  readonly row: (row: number, cells: readonly string[]) => void;
  /** Awaited between chunks: where the receiver catches up and others get their turn. */
  readonly turn: () => Promise<void>;
}

/**
 * Reads a file row by row.
 * @throws UnreadableFile when the header is wrong or the text from some row on is no CSV
 */
export async function readRows(file: string, receiver: RowReceiver): Promise<void> {
  await using handle = await open(file, 'r');
  const { size } = await handle.stat();
  const start = await readAt(handle, 0, CHUNK_BYTES);
  if (startsWith(start, ZIP_SIGNATURE)) {
    const msg = 'File should be CSV and is a workbook or another ZIP file: save it as CSV';
    throw UnreadableFile.at(HEADER_ROW, null, msg, 'csv_invalid');
  }
  const skipped = startsWith(start, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const lineEnd = start.indexOf(NEWLINE);
  const headerLine = start.subarray(skipped, lineEnd < 0 ? start.length : lineEnd);
  const lastByte = size === 0 ? undefined : (await readAt(handle, size - 1, 1))[0];

  const rows = new FileRows(receiver, findDelimiter(headerLine.toString('utf8')));
  let unfinished: Buffer = Buffer.alloc(0);
  for (let position = skipped; ;) {
    const read = await readAt(handle, position, CHUNK_BYTES);
    position += read.length;
    const bytes = unfinished.length === 0 ? read : Buffer.concat([unfinished, read]);
    const whole = read.length === 0 ? bytes.length : wholeSequences(bytes);
    rows.take(bytes.subarray(0, whole));
    if (read.length === 0) break;
    unfinished = bytes.subarray(whole);
    await receiver.turn();
  }
  rows.end(lastByte === NEWLINE ? 'whole' : 'cut off');
}

/** Tells the header from the rows, and the rows from blank ones. */
class FileRows {
  readonly #receiver: RowReceiver;
  readonly #splitter: RowSplitter;
  #header: Header | undefined;
  #lastIsShort = false;

  constructor(receiver: RowReceiver, delimiter: string) {
    this.#receiver = receiver;
    this.#splitter = new RowSplitter({
      delimiter,
      onRow: (cells) => this.#row(cells),
      columnAt: (place) => this.#header?.names[place],
    });
  }

  take(bytes: Buffer): void {
    if (isAscii(bytes)) {
      this.#splitter.write(bytes.toString('latin1'));
    } else if (isUtf8(bytes)) {
      this.#splitter.write(bytes.toString('utf8'));
    } else {
      // What stands before the bad byte is read first, so that its row can be named.
      this.#splitter.write(bytes.toString('utf8', 0, validUntil(bytes)));
      const row = this.#splitter.rows + 1;
      throw UnreadableFile.at(row, null, 'File should be valid UTF-8', 'string_unicode');
    }
  }

  /**
   * Short rows are what spreadsheets write when the last cells are empty; but one without a line
   * end is what is left when a file was cut off on its way, and its last cell may be cut too.
   */
  end(lastLine: 'whole' | 'cut off'): void {
    this.#lastIsShort = false;
    this.#splitter.end();
    if (this.#header === undefined) throw headerRequired();
    if (lastLine === 'whole' || !this.#lastIsShort) return;
    const msg = 'Row ends early and without a line end: the file seems to be cut off';
    throw UnreadableFile.at(this.#splitter.rows, null, msg, 'csv_invalid');
  }

  #row(cells: readonly string[]): void {
    if (this.#header === undefined) {
      this.#takeHeader(cells);
      return;
    }
    this.#lastIsShort = cells.length < this.#header.width;
    if (!isBlank(cells)) this.#receiver.row(this.#splitter.rows, cells);
  }

  #takeHeader(cells: readonly string[]): void {
    if (isBlank(cells)) throw headerRequired();
    const reading = readHeader(cells);
    if (reading.kind === 'invalid') throw new UnreadableFile(reading.errors);
    this.#header = reading.header;
    this.#receiver.header(reading.header);
  }
}

function isBlank(cells: readonly string[]): boolean {
  return cells.every((cell) => cell === '');
}

function headerRequired(): UnreadableFile {
  return UnreadableFile.at(HEADER_ROW, null, 'A header row is required', 'missing');
}

/** Length of `bytes` without an unfinished sequence at the end. */
function wholeSequences(bytes: Buffer): number {
  const least = Math.max(0, bytes.length - SEQUENCE_BYTES_MAX);
  for (let start = bytes.length - 1; start >= least; start -= 1) {
    const byte = bytes[start] ?? 0;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return start + wanted > bytes.length ? start : bytes.length;
    }
  }
  return bytes.length;
}

/** Length of the longest valid beginning of bytes that are not valid as a whole. */
function validUntil(bytes: Buffer): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    const whole = wholeSequences(bytes.subarray(0, middle));
    if (isUtf8(bytes.subarray(0, whole))) valid = middle;
    else invalid = middle;
  }
  return wholeSequences(bytes.subarray(0, valid));
}

function startsWith(bytes: Buffer, beginning: Buffer): boolean {
  return bytes.subarray(0, beginning.length).equals(beginning);
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
