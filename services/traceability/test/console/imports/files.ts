// Files that people send in tests of imports: a bakery's workbook, and how a browser without scripts sends a file.
import { aWorkbook } from '../../csv-import/workbooks.ts';
import type { Booted } from '../../boot.ts';
import type { Page, TestVisitor } from '../visitors.ts';

type Value = string | number;

/** A workbook of one sheet whose first row is the header. Numbers stay numbers. */
export function buildWorkbook(rows: readonly (readonly Value[])[]): Uint8Array<ArrayBuffer> {
  const xml = rows.map((cells, index) => {
    const row = index + 1;
    const each = cells.map((cell, place) => {
      const at = `${String.fromCharCode(65 + place)}${row}`;
      return typeof cell === 'number'
        ? `<c r="${at}"><v>${cell}</v></c>`
        : `<c r="${at}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`;
    });
    return `<row r="${row}">${each.join('')}</row>`;
  });
  return aWorkbook({ sheets: [{ name: 'Wareneingang', rows: xml.join('') }] });
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

export const BAKERY_HEADER = [
  'Datum',
  'Lieferschein-Nr.',
  'Artikel',
  'Charge',
  'Menge (kg)',
  'Lieferant',
  'Sorte',
  'Eigenschaft',
] as const;

/** Rows of the bakery's own sheet: goods received, day by day. */
export function bakeryRow(number: number, changes: Readonly<Record<number, Value>> = {}): Value[] {
  const row: Value[] = [
    `${String((number % 27) + 1).padStart(2, '0')}.03.2026`,
    `LS-${1000 + number}`,
    'MEHL-550',
    `M-${number}`,
    25.5,
    'Mühle Brandt',
    'hell',
    '',
  ];
  for (const [place, value] of Object.entries(changes)) row[Number(place)] = value;
  return row;
}

/** Sends a file as a form without scripts does. */
export async function sendFile(
  booted: Pick<Booted, 'base'>,
  visitor: Pick<TestVisitor, 'headers'>,
  sent: {
    readonly brand: string;
    readonly file: string | Uint8Array<ArrayBuffer>;
    readonly name: string;
  },
): Promise<Page> {
  const form = new FormData();
  form.append('file', new Blob([sent.file]), sent.name);
  const response = await fetch(`${booted.base}/console/b/${sent.brand}/imports`, {
    method: 'POST',
    headers: { Accept: 'text/html', 'Accept-Language': 'de', ...visitor.headers },
    body: form,
    redirect: 'manual',
  });
  return {
    status: response.status,
    text: await response.text(),
    headers: response.headers,
    location: response.headers.get('location'),
  };
}
