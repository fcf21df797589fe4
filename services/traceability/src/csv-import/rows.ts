// Streams the rows of a CSV file: strict decoding, strict quoting, a limit for every row. Memory does
// not grow with the file.
import { open, type FileHandle } from 'node:fs/promises';
import { HEADER_ROW, type Header } from './columns.ts';
import { isBlankCell, type Cell } from './form/cell.ts';
import type { FormOptions } from './form/options.ts';
import { fileKind } from './form/signatures.ts';
import { decode, findTextForm, wholeBytes, type Decoded, type TextForm } from './form/text-form.ts';
import { RowSplitter } from './row-splitter.ts';
import type { RowReading } from './mapping/row-reading.ts';
import { UnreadableFile } from './row-error.ts';

/** Bytes read at once: about 200 events of two rows, 3 ms of work between two turns. */
const CHUNK_BYTES = 65_536;
export interface RowReceiver {
  /** The way of reading rows. */
  readonly reading: RowReading;
  /** Called once, before the first row, with the unchanged cells of the header. */
  readonly header: (header: Header, cells: readonly Cell[]) => void;
  /** Called with every row that is not blank; `row` as a spreadsheet numbers it. */
  readonly row: (row: number, cells: readonly Cell[]) => void;
  /** Awaited between chunks: where the receiver catches up and others get their turn. */
  readonly turn: () => Promise<void>;
}

/** Gives the rows of one file to a receiver, from the first one, as often as it is called. */
export type RowSource = (receiver: RowReceiver) => Promise<void>;

/**
 * Reads a file row by row.
 * @throws UnreadableFile when the header is wrong or the text from some row on is no CSV
 */
export async function readRows(
  file: string,
  options: FormOptions,
  receiver: RowReceiver,
): Promise<void> {
  await using handle = await open(file, 'r');
  const start = await readAt(handle, 0, CHUNK_BYTES);
  refuseWorkbook(start);
  const form = findTextForm(start, options);
  const rows = new FileRows(receiver, form);
  let unfinished: Buffer = Buffer.alloc(0);
  for (let position = form.headerAt; ;) {
    const read = await readAt(handle, position, CHUNK_BYTES);
    position += read.length;
    const bytes = unfinished.length === 0 ? read : Buffer.concat([unfinished, read]);
    const whole = read.length === 0 ? bytes.length : wholeBytes(bytes, form.encoding);
    rows.take(decode(bytes.subarray(0, whole), form.encoding));
    if (read.length === 0) break;
    unfinished = bytes.subarray(whole);
    await receiver.turn();
  }
  rows.end();
}

/** @throws UnreadableFile */
function refuseWorkbook(start: Buffer): void {
  switch (fileKind(start)) {
    case 'zip':
      throw UnreadableFile.at(HEADER_ROW, null, WORKBOOK, 'csv_invalid');
    case 'compound file':
      throw UnreadableFile.at(HEADER_ROW, null, OLD_WORKBOOK, 'csv_invalid');
    case 'other':
  }
}

const WORKBOOK =
  'File should be CSV and is a workbook or another ZIP file: send a workbook to ' +
  '/v1/import/xlsx, or save it as CSV';
const OLD_WORKBOOK =
  'File should be CSV and is a workbook of an older program or one that a password locks: save it ' +
  'as .xlsx without a password and send it to /v1/import/xlsx, or save it as CSV';

/** Separates the header from the rows, and skips blank rows. */
class FileRows {
  readonly #receiver: RowReceiver;
  readonly #form: TextForm;
  readonly #splitter: RowSplitter;
  #header: Header | undefined;
  #lastIsShort = false;
  #lastCharacter: string | undefined;

  constructor(receiver: RowReceiver, form: TextForm) {
    this.#receiver = receiver;
    this.#form = form;
    this.#splitter = new RowSplitter({
      delimiter: form.delimiter,
      lineEnd: form.lineEnd,
      onRow: (cells) => this.#row(cells),
      columnAt: (place) => this.#header?.names[place],
    });
  }

  take({ text, isValid }: Decoded): void {
    // The text before an invalid byte is read first, so that its row can be named.
    this.#splitter.write(text);
    this.#lastCharacter = text.at(-1) ?? this.#lastCharacter;
    if (isValid) return;
    const row = this.#splitter.rows + 1;
    throw UnreadableFile.at(row, null, this.#encodingAdvice(), 'string_unicode');
  }

  /**
   * Refuses a file that was cut off. Spreadsheets write short rows when the last cells are empty. A
   * short row without a line end is the rest of a longer one, and its last cell may be cut too.
   */
  end(): void {
    this.#lastIsShort = false;
    this.#splitter.end();
    if (this.#header === undefined) throw headerRequired();
    if (this.#lastCharacter === this.#form.lineEnd || !this.#lastIsShort) return;
    const msg = 'Row ends early and without a line end: the file seems to be cut off';
    throw UnreadableFile.at(this.#splitter.rows, null, msg, 'csv_invalid');
  }

  #encodingAdvice(): string {
    switch (this.#form.encoding) {
      case 'utf-8':
        return (
          'File should be valid UTF-8: save it as UTF-8, or say encoding=windows-1252 if an older ' +
          'program of Windows wrote it'
        );
      case 'utf-16le':
      case 'utf-16be':
        return 'File should be valid UTF-16, two bytes each: it seems to be cut off';
      case 'windows-1252':
        return 'File should be valid Windows-1252, and has a byte that it has no character for';
    }
  }

  #row(cells: readonly string[]): void {
    if (this.#header === undefined) {
      this.#takeHeader(cells);
      return;
    }
    this.#lastIsShort = cells.length < this.#header.fileWidth;
    if (cells.every(isBlankCell)) return;
    const row = this.#splitter.rows;
    this.#receiver.row(row, this.#receiver.reading.row(row, cells));
  }

  #takeHeader(cells: readonly string[]): void {
    if (cells.every(isBlankCell)) throw headerRequired();
    const reading = this.#receiver.reading.header(cells, this.#form.delimiter);
    if (reading.kind === 'invalid') throw new UnreadableFile(reading.errors);
    this.#header = reading.header;
    this.#receiver.header(reading.header, cells);
  }
}

export function headerRequired(): UnreadableFile {
  return UnreadableFile.at(HEADER_ROW, null, 'A header row is required', 'missing');
}

async function readAt(handle: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.allocUnsafe(length);
  const { bytesRead } = await handle.read(buffer, 0, length, position);
  return buffer.subarray(0, bytesRead);
}
