// Writes a small workbook (Office Open XML, ECMA-376): one sheet with a header and a row, one with lists
// of words that cells of the first offer.
import { strToU8, zipSync } from 'fflate';

export interface WorkbookContent {
  /** The name of the first sheet. */
  readonly name: string;
  readonly header: readonly string[];
  /** The type of the cells of each column, also of empty ones. */
  readonly columns: readonly ('text' | 'number')[];
  readonly row: readonly string[];
  readonly lists: readonly WordList[];
}

interface WordList {
  readonly name: string;
  /** Column of the first sheet whose cells offer the words, from 0. */
  readonly place: number;
  readonly words: readonly string[];
  /** Cells take other words, too. */
  readonly isOpen: boolean;
}

const LISTS_SHEET = 'Lists';
/** Rows of a sheet (ECMA-376, 18.3.1.73). */
const ROWS_MAX = 1_048_576;
/** Characters that a column shows. */
const COLUMN_WIDTH = 20;
const LETTERS = 26;
const LETTER_A = 65;
/** The time of every file in the archive, so that the same content gives the same bytes; ZIP has no earlier one. */
const WRITTEN_AT = new Date(1980, 0, 1);

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Places in `cellXfs` of the styles below. */
const STYLES = { number: 0, text: 1, header: 2 } as const;

export function workbook(content: WorkbookContent): Buffer {
  const parts: Readonly<Record<string, string>> = {
    '[Content_Types].xml':
      `<Types xmlns="${PACKAGE}/content-types">` +
      `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Default Extension="xml" ContentType="application/xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet2.xml" ContentType="${CONTENT}.worksheet+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
      `</Types>`,
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>` +
      `<sheet name="${escaped(content.name)}" sheetId="1" r:id="rId1"/>` +
      `<sheet name="${LISTS_SHEET}" sheetId="2" r:id="rId2"/>` +
      `</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relations([
      ['worksheet', 'worksheets/sheet1.xml'],
      ['worksheet', 'worksheets/sheet2.xml'],
      ['styles', 'styles.xml'],
    ]),
    'xl/styles.xml':
      `<styleSheet xmlns="${MAIN}">` +
      `<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font>` +
      `<font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
      `<fills count="2"><fill><patternFill patternType="none"/></fill>` +
      `<fill><patternFill patternType="gray125"/></fill></fills>` +
      `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
      `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
      `<cellXfs count="3">` +
      `<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
      `<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>` +
      `<xf numFmtId="49" fontId="1" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" applyFont="1"/>` +
      `</cellXfs>` +
      `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>` +
      `</styleSheet>`,
    'xl/worksheets/sheet1.xml': eventsSheet(content),
    'xl/worksheets/sheet2.xml': listsSheet(content.lists),
  };
  const files = Object.entries(parts).map(([name, text]) => [name, strToU8(XML + text)] as const);
  return Buffer.from(zipSync(Object.fromEntries(files), { mtime: WRITTEN_AT }));
}

function relations(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="${PACKAGE}/relationships">${each.join('')}</Relationships>`;
}

function eventsSheet({ header, columns, row, lists }: WorkbookContent): string {
  const widths = columns.map(
    (kind, index) =>
      `<col min="${index + 1}" max="${index + 1}" width="${COLUMN_WIDTH}" style="${STYLES[kind]}" customWidth="1"/>`,
  );
  const offers = lists.map(({ place, words, isOpen }, index) => {
    const column = columnName(place);
    const from = columnName(index);
    return (
      `<dataValidation type="list" allowBlank="1" showErrorMessage="${isOpen ? 0 : 1}" ` +
      `sqref="${column}2:${column}${ROWS_MAX}">` +
      `<formula1>${LISTS_SHEET}!$${from}$2:$${from}$${words.length + 1}</formula1></dataValidation>`
    );
  });
  const cells = row.map((text, index) =>
    text === ''
      ? ''
      : cell(index, 2, { text, kind: columns[index] === 'number' ? 'number' : 'text' }),
  );
  return (
    `<worksheet xmlns="${MAIN}"><cols>${widths.join('')}</cols><sheetData>` +
    headerRow(header) +
    `<row r="2">${cells.join('')}</row></sheetData>` +
    `<dataValidations count="${offers.length}">${offers.join('')}</dataValidations></worksheet>`
  );
}

function listsSheet(lists: readonly WordList[]): string {
  const longest = Math.max(...lists.map(({ words }) => words.length));
  const rows = Array.from({ length: longest }, (_, index) => {
    const cells = lists.map(({ words }, place) => {
      const text = words[index];
      return text === undefined ? '' : cell(place, index + 2, { text, kind: 'text' });
    });
    return `<row r="${index + 2}">${cells.join('')}</row>`;
  });
  const header = headerRow(lists.map(({ name }) => name));
  return `<worksheet xmlns="${MAIN}"><sheetData>${header}${rows.join('')}</sheetData></worksheet>`;
}

function headerRow(names: readonly string[]): string {
  const cells = names.map((text, index) => cell(index, 1, { text, kind: 'header' }));
  return `<row r="1">${cells.join('')}</row>`;
}

function cell(
  place: number,
  row: number,
  { text, kind }: { readonly text: string; readonly kind: keyof typeof STYLES },
): string {
  const start = `<c r="${columnName(place)}${row}" s="${STYLES[kind]}"`;
  if (kind === 'number') return `${start}><v>${escaped(text)}</v></c>`;
  return `${start} t="inlineStr"><is><t xml:space="preserve">${escaped(text)}</t></is></c>`;
}

/** A, B … Z, AA …: the name of a column by its place from 0. */
function columnName(place: number): string {
  const last = String.fromCharCode(LETTER_A + (place % LETTERS));
  return place < LETTERS ? last : columnName(Math.floor(place / LETTERS) - 1) + last;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
