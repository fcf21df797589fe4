// Reads the rows of a sheet, with their numbers as the spreadsheet shows them.
import { isBlankCell, toText, type Cell } from '../form/cell.ts';
import { UnreadableFile } from '../row-error.ts';
import { ROW_CHARACTERS_MAX } from '../row-splitter.ts';
import { readCell, type CellContext } from './cells.ts';
import { noWorkbook } from './refusal.ts';
import { TextCollector } from './text-collector.ts';
import { readXml, type Attributes, type XmlReader } from './xml.ts';

/** Rows and columns of a sheet (limits of the programs that write them). */
const ROWS_MAX = 1_048_576;
const COLUMNS_MAX = 16_384;
const REFERENCE = /^([A-Z]{1,3})(\d{1,7})$/;
const LETTERS = 26;
const BEFORE_A = 64;

/**
 * Gives every row that is not blank to `onRow`, in their order.
 * @throws UnreadableFile
 */
export async function readSheet(
  part: AsyncIterable<Buffer>,
  context: CellContext,
  onRow: (row: number, cells: readonly Cell[]) => void,
): Promise<void> {
  await readXml(part, new SheetReader(context, onRow));
}

class SheetReader implements XmlReader {
  readonly #context: CellContext;
  readonly #onRow: (row: number, cells: readonly Cell[]) => void;
  readonly #text = new TextCollector();
  #row = 0;
  /** The cells up to the last one that is not blank. */
  #cells: Cell[] = [];
  #characters = 0;
  /** The place of the newest cell, from 0. */
  #place = -1;
  #cell: Attributes | undefined;
  #value: string | undefined;
  #isValue = false;
  #isFormula = false;

  constructor(context: CellContext, onRow: (row: number, cells: readonly Cell[]) => void) {
    this.#context = context;
    this.#onRow = onRow;
  }

  readonly open = (name: string, attributes: Attributes): void => {
    switch (name) {
      case 'row':
        this.#beginRow(attributes);
        break;
      case 'c':
        this.#beginCell(attributes);
        break;
      case 'v':
        this.#isValue = true;
        this.#value = '';
        break;
      case 'f':
        this.#isFormula = true;
        break;
      default:
        this.#text.open(name);
    }
  };

  readonly text = (text: string): void => {
    if (this.#isValue && this.#value !== undefined) this.#value += text;
    else this.#text.add(text);
  };

  readonly close = (name: string): void => {
    switch (name) {
      case 'v':
        this.#isValue = false;
        break;
      case 'c':
        this.#endCell();
        break;
      case 'row':
        if (this.#cells.length > 0) this.#onRow(this.#row, this.#cells);
        break;
      default:
        this.#text.close(name);
    }
  };

  #beginRow({ r }: Attributes): void {
    const row = r === undefined ? this.#row + 1 : Number(r);
    if (!Number.isInteger(row) || row <= this.#row || row > ROWS_MAX) throw wrongPlaces();
    this.#row = row;
    this.#cells = [];
    this.#characters = 0;
    this.#place = -1;
  }

  #beginCell(attributes: Attributes): void {
    const place = attributes['r'] === undefined ? this.#place + 1 : parseColumn(attributes['r']);
    if (place === undefined || place <= this.#place || place >= COLUMNS_MAX) throw wrongPlaces();
    this.#place = place;
    this.#cell = attributes;
    this.#value = undefined;
    this.#isFormula = false;
    this.#text.begin();
  }

  #endCell(): void {
    const attributes = this.#cell;
    if (attributes === undefined) throw wrongPlaces();
    this.#cell = undefined;
    const cell = readCell(
      {
        type: attributes['t'] ?? 'n',
        style: Number(attributes['s'] ?? 0),
        value: this.#value,
        inline: this.#text.end(),
        isFormula: this.#isFormula,
      },
      this.#context,
    );
    if (isBlankCell(cell)) return;
    this.#characters += toText(cell).length;
    if (this.#characters > ROW_CHARACTERS_MAX) {
      const msg = `Row should have at most ${ROW_CHARACTERS_MAX} characters`;
      throw UnreadableFile.at(this.#row, null, msg, 'string_too_long');
    }
    while (this.#cells.length < this.#place) this.#cells.push('');
    this.#cells.push(cell);
  }
}

/** The column from 0 of a reference such as `AB12`. */
function parseColumn(reference: string): number | undefined {
  const letters = REFERENCE.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (let index = 0; index < letters.length; index += 1) {
    column = column * LETTERS + (letters.charCodeAt(index) - BEFORE_A);
  }
  return column - 1;
}

function wrongPlaces(): Error {
  return noWorkbook('The workbook is broken: its rows and cells are not in their order');
}
