// Builds workbooks for tests, part by part, so that a test can have any cell and any mistake in them.
import { strToU8, zipSync } from 'fflate';
import { HEADER, type Cells } from './app.ts';

const NAMES = HEADER.split(',');

/** Styles of the workbooks of this file, by their index. */
export const STYLE = { general: 0, dateTime: 1, date: 2, decimals: 3, zeros: 4, time: 5 } as const;

export interface SheetXml {
  readonly name: string;
  /** What is in `sheetData`. */
  readonly rows: string;
  readonly state?: string;
}

export interface WorkbookXml {
  readonly sheets?: readonly SheetXml[];
  readonly sharedStrings?: string;
  /** Attributes of `workbookPr`. */
  readonly properties?: string;
  /** Replaces, adds or (null) leaves out parts. */
  readonly parts?: Readonly<Record<string, string | null>>;
}

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function aWorkbook(xml: WorkbookXml): Uint8Array<ArrayBuffer> {
  const sheets = xml.sheets ?? [];
  const parts: Record<string, string | null> = {
    '_rels/.rels': relations([['officeDocument', 'xl/workbook.xml']]),
    'xl/workbook.xml':
      `<workbook ${MAIN} xmlns:r="${RELATIONS}"><workbookPr ${xml.properties ?? ''}/><sheets>` +
      sheets
        .map(
          ({ name, state }, index) =>
            `<sheet name="${name}" sheetId="${index + 1}" r:id="rId${index + 1}"` +
            `${state === undefined ? '' : ` state="${state}"`}/>`,
        )
        .join('') +
      '</sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations([
      ...sheets.map((_, index) => ['worksheet', `worksheets/sheet${index + 1}.xml`] as const),
      ['styles', 'styles.xml'],
      ['sharedStrings', '/xl/sharedStrings.xml'],
    ]),
    'xl/styles.xml':
      `<styleSheet ${MAIN}><numFmts count="2"><numFmt numFmtId="164" formatCode="00000"/>` +
      '<numFmt numFmtId="165" formatCode="[$-407]dd\\.mm\\.yyyy\\ hh:mm;@"/></numFmts>' +
      '<cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs><cellXfs count="6">' +
      '<xf numFmtId="0"/><xf numFmtId="165"/><xf numFmtId="14"/><xf numFmtId="4"/>' +
      '<xf numFmtId="164"/><xf numFmtId="20"/></cellXfs></styleSheet>',
    'xl/sharedStrings.xml': `<sst ${MAIN}>${xml.sharedStrings ?? ''}</sst>`,
    ...Object.fromEntries(
      sheets.map(({ rows }, index) => [
        `xl/worksheets/sheet${index + 1}.xml`,
        `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
      ]),
    ),
    ...xml.parts,
  };
  const files = Object.entries(parts).flatMap(([name, text]) =>
    text === null ? [] : [[name, strToU8(text)] as const],
  );
  return new Uint8Array(zipSync(Object.fromEntries(files)));
}

function relations(targets: readonly (readonly [string, string])[]): string {
  const each = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${RELATIONS}/${type}" Target="${target}"/>`,
  );
  return `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${each.join('')}</Relationships>`;
}

/** `A`, `B` … of a column of the document. */
export function toLetter(column: string): string {
  return String.fromCharCode(65 + NAMES.indexOf(column));
}

export function textCell(column: string, row: number, text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  return `<c r="${toLetter(column)}${row}" t="inlineStr"><is><t>${escaped}</t></is></c>`;
}

export function numberCell(column: string, row: number, value: number | string, style = 0): string {
  return `<c r="${toLetter(column)}${row}" s="${style}"><v>${value}</v></c>`;
}

/** The header of the document as row 1. */
export const HEADER_ROW_XML = `<row r="1">${NAMES.map((name) => textCell(name, 1, name)).join('')}</row>`;

/** A row of text cells; `own` replaces the cells of some columns. */
export function rowXml(row: number, cells: Cells, own: Cells = {}): string {
  const each = NAMES.map((name) => {
    const text = cells[name] ?? '';
    return own[name] ?? (text === '' ? '' : textCell(name, row, text));
  });
  return `<row r="${row}">${each.join('')}</row>`;
}

/** A workbook of one sheet with the header and these rows. */
export function aSheet(...rows: readonly string[]): Uint8Array<ArrayBuffer> {
  return aWorkbook({ sheets: [{ name: 'Events', rows: HEADER_ROW_XML + rows.join('') }] });
}
