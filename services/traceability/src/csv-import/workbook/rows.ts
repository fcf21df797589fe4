// Reads the rows of a workbook for the check of an import. They are unpacked once, into a file of
// rows that may be read several times.
import { closeSync, openSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { HEADER_ROW } from '../columns.ts';
import type { Cell } from '../form/cell.ts';
import { SIGNATURE_BYTES, fileKind } from '../form/signatures.ts';
import { UnreadableFile } from '../row-error.ts';
import { headerRequired, type RowReceiver, type RowSource } from '../rows.ts';
import { PRIVATE_FILE_MODE, writeWhole } from '../spool.ts';
import { readNumberFormats } from './number-formats.ts';
import { readOutline } from './outline.ts';
import { noWorkbook } from './refusal.ts';
import { SharedStrings, readSharedStrings } from './shared-strings.ts';
import { readSheet } from './sheet.ts';
import { UNPACKED_BYTES_MAX, ZipParts } from './zip-parts.ts';

/** Characters that are written at once. */
const WRITTEN_CHARACTERS = 262_144;
/** Rows between two turns. */
const ROWS_PER_TURN = 500;

/** Characters that end a line for the reader of lines, and that JSON does not escape. */
const LINE_SEPARATORS = /[\u2028\u2029]/g;

function escapedSeparator(character: string): string {
  return character === '\u2028' ? '\\u2028' : '\\u2029';
}

export interface WorkbookOptions {
  readonly file: string;
  /** A folder of this import alone, for what does not fit in memory. */
  readonly folder: string;
  /** null: the first sheet that is not hidden. */
  readonly sheet: string | null;
  /** Bytes of all rows, `UNPACKED_BYTES_MAX` when not given. */
  readonly rowsBytesMax?: number;
}

/** @throws UnreadableFile, SheetMissing */
export async function openWorkbook(options: WorkbookOptions): Promise<RowSource> {
  await refuseOtherFiles(options.file);
  const rows = join(options.folder, 'sheet-rows');
  using parts = await ZipParts.open(options.file);
  const outline = await readOutline(parts, options.sheet);
  const styles = await readNumberFormats(parts, outline.styles);
  using strings = new SharedStrings(join(options.folder, 'shared-strings'));
  await readSharedStrings(parts, outline.sharedStrings, strings);
  using writer = new RowWriter(rows, options.rowsBytesMax ?? UNPACKED_BYTES_MAX);
  const context = { strings, styles, dateSystem: outline.dateSystem };
  await readSheet(parts.read(outline.sheet), context, (row, cells) => writer.add(row, cells));
  writer.end();
  return (receiver) => readWrittenRows(rows, receiver);
}

async function refuseOtherFiles(file: string): Promise<void> {
  await using handle = await open(file, 'r');
  const start = Buffer.alloc(SIGNATURE_BYTES);
  await handle.read(start, 0, SIGNATURE_BYTES, 0);
  switch (fileKind(start)) {
    case 'zip':
      return;
    case 'compound file':
      throw noWorkbook(
        'File should be an Excel workbook (.xlsx), and is one of an older program or locked by a ' +
          'password: save it as .xlsx, without a password',
      );
    case 'other':
      throw noWorkbook(
        'File should be an Excel workbook (.xlsx), and is none: send CSV to /v1/import/csv',
      );
  }
}

/**
 * One row a line: its number and its cells. Limited like the workbook: cells that share a long text
 * take few bytes there and many here.
 */
class RowWriter implements Disposable {
  readonly #descriptor: number;
  readonly #bytesMax: number;
  #bytes = 0;
  #lines = '';

  constructor(file: string, bytesMax: number) {
    this.#bytesMax = bytesMax;
    this.#descriptor = openSync(file, 'w', PRIVATE_FILE_MODE);
  }

  add(row: number, cells: readonly Cell[]): void {
    const line = JSON.stringify([row, cells]).replaceAll(LINE_SEPARATORS, escapedSeparator);
    this.#lines += `${line}\n`;
    if (this.#lines.length >= WRITTEN_CHARACTERS) this.end();
  }

  end(): void {
    const bytes = Buffer.from(this.#lines);
    this.#lines = '';
    this.#bytes += bytes.length;
    if (this.#bytes > this.#bytesMax) {
      throw noWorkbook(`The rows of the sheet hold more than ${this.#bytesMax} bytes`);
    }
    writeWhole(this.#descriptor, bytes);
  }

  [Symbol.dispose](): void {
    closeSync(this.#descriptor);
  }
}

async function readWrittenRows(file: string, receiver: RowReceiver): Promise<void> {
  await using handle = await open(file, 'r');
  let hasHeader = false;
  let turnIn = ROWS_PER_TURN;
  for await (const line of handle.readLines()) {
    // Written by the class above a moment ago, in a folder that only this process uses.
    const [row, cells] = JSON.parse(line) as readonly [number, readonly Cell[]];
    if (!hasHeader) {
      if (row !== HEADER_ROW) throw headerRequired();
      const reading = receiver.reading.header(cells, null);
      if (reading.kind === 'invalid') throw new UnreadableFile(reading.errors);
      receiver.header(reading.header, cells);
      hasHeader = true;
      continue;
    }
    receiver.row(row, receiver.reading.row(row, cells));
    turnIn -= 1;
    if (turnIn > 0) continue;
    turnIn = ROWS_PER_TURN;
    await receiver.turn();
  }
  if (!hasHeader) throw headerRequired();
}
